--- A deep Q-network: it learns what each action is worth in each state, from what it tried.
-- Source: Mnih et al., "Human-level control through deep reinforcement learning", Nature 518, 2015.

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local paths = require 'paths'
local Memory = paths.dofile 'memory.lua'

local Agent = {}
Agent.__index = Agent

--- @int states numbers in a state
-- @int actions
-- @tparam table opt hidden, batchSize, memory, warmup, discount, learningRate,
-- sync: see train.lua
function Agent.new(states, actions, opt)
   local self = setmetatable({ actions = actions, opt = opt, learned = 0 }, Agent)
   self.net = nn.Sequential()
      :add(nn.Linear(states, opt.hidden)):add(nn.ReLU(true))
      :add(nn.Linear(opt.hidden, opt.hidden)):add(nn.ReLU(true))
      :add(nn.Linear(opt.hidden, actions)):float()
   self.target = self.net:clone()
   self.parameters, self.gradients = self.net:getParameters()
   self.targetParameters = self.target:getParameters()
   self.criterion = nn.MSECriterion():float()
   self.memory = Memory.new(opt.memory, states, opt.batchSize)
   self.adam = { learningRate = opt.learningRate }
   self.best, self.where = torch.FloatTensor(), torch.LongTensor()
   self.wanted = torch.FloatTensor()
   function self.loss_and_gradient()
      return self:loss(self.memory:sample()), self.gradients
   end
   return self
end

--- What to do: something random with probability epsilon, else what seems worth most.
function Agent:act(state, epsilon)
   if torch.uniform() < epsilon then
      return torch.random(self.actions)
   end
   local worth, action = self.net:forward(state), 1
   for a = 2, self.actions do
      if worth[a] > worth[action] then
         action = a
      end
   end
   return action
end

-- The squared difference between what actions seemed worth and the reward that came plus what the
-- best action afterwards seems worth to an earlier self; and its gradient.
function Agent:loss(step)
   torch.max(self.best, self.where, self.target:forward(step.after), 2)
   self.best:cmul(step.goes_on):mul(self.opt.discount):add(step.reward)
   local worth = self.net:forward(step.before)
   self.wanted:resizeAs(worth):copy(worth):scatter(2, step.action, self.best)
   self.gradients:zero()
   local loss = self.criterion:forward(worth, self.wanted)
   self.net:backward(step.before, self.criterion:backward(worth, self.wanted))
   return loss
end

--- Remember a step, and learn from a batch of the memory.
function Agent:learn(before, action, reward, after, failed)
   self.memory:add(before, action, reward, after, failed)
   if self.memory.size < self.opt.warmup then
      return
   end
   optim.adam(self.loss_and_gradient, self.parameters, self.adam)
   self.learned = self.learned + 1
   if self.learned % self.opt.sync == 0 then
      self.targetParameters:copy(self.parameters)
   end
end

return Agent
