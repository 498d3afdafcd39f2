-- A step of the agent of examples/dqn: it acts, the pole moves, and the agent learns from 64
-- remembered steps.
local torch = require 'torch'
local bench = require 'bench.harness'
local Agent = dofile 'examples/dqn/agent.lua'
local CartPole = dofile 'examples/dqn/cartpole.lua'

torch.manualSeed(1)
local pole = CartPole.new()
local agent = Agent.new(CartPole.STATES, CartPole.ACTIONS, {
   hidden = 64, batchSize = 64, memory = 20000, warmup = 500, discount = 0.99,
   learningRate = 1e-3, sync = 250,
})
local before, after = torch.FloatTensor(CartPole.STATES), torch.FloatTensor(CartPole.STATES)
pole:observe(before)

local function step()
   local action = agent:act(before, 0.02)
   local reward, failed, over = pole:step(action)
   agent:learn(before, action, reward, pole:observe(after), failed)
   before, after = after, before
   if over then
      pole:reset():observe(before)
   end
end

for _ = 1, 500 do
   step()
end
bench.case('DQN on a cart-pole, step b64', bench.loop(step))
