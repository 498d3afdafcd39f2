-- Calls of a layer that wait for backward: what goes from one to the next, and what stays.
local torch = require 'torch'
local nn = require 'nn'
local raises = require 'test.support.raises'

local function far(a, b)
   return (a:detach() - b:detach()):abs():max()
end

describe('calls that wait for backward', function()
   local Counting
   setup(function()
      Counting = torch.class('nn.TwinsSpecCounting', 'nn.Module', {})
      function Counting:__init()
         nn.Module.__init(self)
         self.n = 0
      end
      function Counting:updateOutput(input)
         self.n = self.n + 1
         self.odd = self.n % 2 == 1 or nil
         if self.n == 2 then
            self.second = true
         end
         self.output:resizeAs(input):copy(input):mul(self.n)
         return self.output
      end
      function Counting:updateGradInput(_, gradOutput)
         self.gradInput:resizeAs(gradOutput):copy(gradOutput):mul(self.n)
         return self.gradInput
      end
   end)

   for _, class in ipairs { 'RNN', 'GRU', 'LSTM' } do
      for _, lengths in ipairs { false, { 2, 4 } } do
         it(('nn.%s goes on from the newest one%s'):format(class,
            lengths and ', with lengths' or ''), function()
            local net = nn[class](2, 3, 2):remember():requiresGrad()
            local plain = net:clone():requiresGrad(false)
            local held = {}
            for round = 1, 3 do
               for call = 1, 5 do
                  local x = torch.randn(4, 2, 2)
                  local input = lengths and { x, lengths = lengths } or x
                  local y = net:forward(input)
                  assert.is_true(y:isVariable())
                  local expected = torch.noGrad(function() return plain:forward(input):clone() end)
                  assert.is_true(far(y, expected) < 1e-14, ('call %d.%d'):format(round, call))
                  for i, state in ipairs { plain:finalState() } do
                     assert.is_true(far(state, (select(i, net:finalState()))) < 1e-14)
                     assert.is_true(far(state, net:remembered()[i]) < 1e-14)
                  end
                  held[call] = y
                  if call == 3 and round == 2 then
                     net:forget()
                     plain:forget()
                     assert.is_nil(net:remembered())
                  end
               end
               local loss = 0
               for _, y in ipairs(held) do
                  loss = y:sum() + loss
               end
               loss:backward()
            end
         end)
      end
   end

   it('nn.GRU takes the gradients of calls cut off from each other', function()
      local net = nn.GRU(2, 3):remember():requiresGrad()
      local other = net:clone()
      other:requiresGrad(false)
      net:zeroGradParameters()
      other:zeroGradParameters()
      local inputs, held = {}, {}
      for i = 1, 4 do
         inputs[i] = torch.randn(3, 2, 2)
         held[i] = net:forward(inputs[i])
         other:forward(inputs[i])
         other:backward(inputs[i], torch.ones(3, 2, 3)) -- at once, as Torch7 does
      end
      for i = 4, 1, -1 do
         held[i]:sum():backward()
      end
      assert.is_true(far(net.gradWeight, other.gradWeight) < 1e-12)
      assert.is_true(far(net.gradBias, other.gradBias) < 1e-12)
   end)

   it('count on, whoever computes them', function()
      local layer, x = Counting.new(), torch.ones(2):requiresGrad()
      local net = nn.Sequential():add(layer)
      local held = {}
      for i = 1, 3 do
         held[i] = net:forward(x)
         assert.equal(i, held[i][1]:item())
      end
      held[2]:sum():backward()
      assert.same({ 2, 2 }, x.grad:totable())
      held[4] = net:forward(x) -- by the twin that has become idle
      assert.equal(4, held[4][1]:item())
      assert.equal(5, net:forward(torch.ones(1))[1]) -- by the layer, a plain call
      assert.equal(5, layer.n)
      assert.is_true(layer.second) -- which a twin was the first to set
      held[5] = layer:forward(x) -- a part alone
      assert.equal(6, held[5][1]:item())
      held[5]:sum():backward()
      layer.n = 100 -- what the script says counts
      held[6] = net:forward(x)
      assert.equal(101, held[6][1]:item())
      held[7] = net:forward(x)
      assert.equal(102, held[7][1]:item())
      x:zeroGrad()
      for _, i in ipairs { 1, 3, 4, 6, 7 } do
         held[i]:sum():backward()
      end
      assert.equal(1 + 3 + 4 + 101 + 102, x.grad[1])
      assert.equal(103, net:forward(x)[1]:item()) -- by the layer itself
   end)

   it('let go of what they have given', function()
      local layer, x = nn.Linear(4, 1000):requiresGrad(), torch.randn(10, 4)
      local function run(count)
         local loss = 0
         for _ = 1, count do
            loss = layer:forward(x):sum() + loss
         end
         loss:backward()
         collectgarbage()
         collectgarbage()
      end
      run(1)
      local function left(f)
         local bytes = 0
         for _, row in ipairs((torch.profiler(f)):rows 'memory') do
            bytes = bytes + row.left
         end
         return bytes
      end
      local function check(bytes, most)
         assert.is_true(bytes <= most, ('%g kB'):format(bytes / 1e3))
      end
      -- An output is 80 kB. Small buffers of the twins stay, until the state is cleared.
      check(left(function() run(20) end), 20 * 20e3)
      check(left(function()
         run(20)
         nn.Sequential():add(layer):clearState()
         collectgarbage()
         collectgarbage()
      end), 0)
   end)
end)

describe('recall of recurrent layers', function()
   it('is for the next call', function()
      local net, x = nn.GRU(2, 3), torch.randn(4, 2, 2)
      local from_zero = net:forward(x):clone()
      local states = { (net:finalState()) }
      local from_states = net:forward({ x, states[1] }):clone()
      net:recall(states)
      states[1]:fill(7) -- it has taken copies
      assert.is_true(far(net:forward(x), from_states) < 1e-14)
      assert.is_true(far(net:forward(x), from_zero) < 1e-14)
      assert.is_nil(net:remembered())
   end)

   it('gives copies', function()
      local net = nn.LSTM(2, 3):recall { torch.ones(1, 1, 3), torch.ones(1, 1, 3) }
      net:remembered()[1]:fill(5)
      assert.equal(1, net:remembered()[1]:max())
      assert.equal(2, #net:remembered())
   end)

   it('takes states alone', function()
      local net = nn.GRU(2, 3, 2)
      raises("nn.GRU: recall wants what remembered() gave, a table of 1 states", function()
         net:recall 'x'
      end)
      raises('nn.GRU: recall got 2 states, expected 1', function()
         net:recall { torch.ones(2, 1, 3), torch.ones(2, 1, 3) }
      end)
      raises('nn.GRU: state 1 is 1x1x3, expected 2 x 1 x 3', function()
         net:recall { torch.ones(1, 1, 3) }
      end)
      raises('state 1', function()
         net:recall { 3 }
      end)
      raises('state 1', function()
         net:recall { torch.LongTensor(2, 1, 3) }
      end)
      assert.is_nil(net:recall(nil):remembered())
   end)
end)
