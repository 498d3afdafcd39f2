local torch = require 'torch'
local support = require 'test.examples.support'

local CartPole = dofile 'examples/dqn/cartpole.lua'
local Memory = dofile 'examples/dqn/memory.lua'

describe('examples/dqn', function()
   -- Accelerations are linear in the force: without force they are the mean of those to both sides.
   it('moves cart and pole by the laws of motion', function()
      local pole = CartPole.new()
      local function after(action)
         pole.x, pole.v, pole.angle, pole.spin = 0.1, 0.3, 0.15, -0.4
         pole:step(action)
         return pole
      end
      local left_v, left_spin = after(1).v, after(1).spin
      local right_v, right_spin = after(2).v, after(2).spin
      local v_rate = ((left_v + right_v) / 2 - 0.3) / 0.02
      local spin_rate = ((left_spin + right_spin) / 2 + 0.4) / 0.02
      -- Lagrange's equations for a cart M and a uniform rod m of half length l, no force:
      -- (M + m) x'' + m l (a'' cos a - a'^2 sin a) = 0,  4/3 l a'' + x'' cos a = g sin a
      local a, w, M, m, l, g = 0.15, -0.4, 1, 0.1, 0.5, 9.8
      local sum = (M + m) * v_rate + m * l * (spin_rate * math.cos(a) - w ^ 2 * math.sin(a))
      assert.is_true(math.abs(sum) < 1e-9)
      local torque = 4 / 3 * l * spin_rate + v_rate * math.cos(a) - g * math.sin(a)
      assert.is_true(math.abs(torque) < 1e-9)
      -- With the force: (M + m) x'' + m l a'' cos a differs by 2 x 10 N from left to right.
      local push = (M + m) * (right_v - left_v) / 0.02
         + m * l * math.cos(a) * (right_spin - left_spin) / 0.02
      assert.is_true(math.abs(push - 20) < 1e-9)
   end)

   it('ends an episode when the pole falls, the cart leaves, or the time is up', function()
      local pole = CartPole.new()
      local function ends(fields)
         pole:reset()
         for name, value in pairs(fields) do
            pole[name] = value
         end
         return select(2, pole:step(1))
      end
      assert.same({ false, false }, { ends { angle = 0 } })
      assert.same({ true, true }, { ends { angle = math.rad(12), spin = 0.1 } })
      assert.same({ true, true }, { ends { x = -2.39, v = -1 } })
      assert.same({ false, true }, { ends { steps = 199 } })
   end)

   it('remembers the newest steps', function()
      local memory = Memory.new(3, 2, 50)
      local state = torch.FloatTensor(2)
      for i = 1, 5 do
         memory:add(state:fill(i), i, 10 * i, state:clone():fill(i + 0.5), i == 5)
      end
      assert.equal(3, memory.size)
      local step, seen = memory:sample(), {}
      for k = 1, 50 do
         local i = step.action[k][1]
         seen[i] = true
         assert.same({ i, i, 10 * i, i + 0.5, i == 5 and 0 or 1 }, { step.before[k][1],
            step.before[k][2], step.reward[k][1], step.after[k][1], step.goes_on[k][1] })
      end
      assert.same({ [3] = true, [4] = true, [5] = true }, seen)
   end)

   it('learns to keep the pole up', function()
      local output = support.succeeds('dqn/train.lua',
         '--episodes 200 --goal 60 --exploration 1500 --warmup 200 --hidden 32 --batchSize 32')
      assert.matches('episode  20  average return +%d+%.%d+ +%d+%.%d episodes/s', output)
      assert.matches('solved after %d+ episodes', output)
   end)

   it('refuses values that make no sense', function()
      local output, status = support.run('dqn/train.lua', '--discount 2')
      assert.not_equal(0, status)
      assert.matches('--discount is 2, expected a number from 0 to 1', output, 1, true)
   end)
end)
