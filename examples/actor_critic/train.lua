--- Learns to balance a pole from whole episodes; see README.md beside this file.

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local paths = require 'paths'
local options = paths.dofile '../common/options.lua'
local curves = paths.dofile '../common/curves.lua'
local CartPole = paths.dofile '../dqn/cartpole.lua'

local opt = options.parse('Learn to balance a pole with an actor and a critic.', {
   { 'episodes', 1500, 'at most', options.whole(1) },
   { 'goal', 195, 'stop at this average return of the last 100 episodes', options.positive },
   { 'hidden', 64, 'units of the hidden layer', options.whole(1) },
   { 'batchSize', 4, 'episodes from which a step learns', options.whole(1) },
   { 'discount', 0.99, 'what a reward is worth one step before it comes', options.share },
   { 'learningRate', 1e-2, "Adam's step", options.positive },
   { 'entropy', 0.01, 'what it is worth to stay undecided', options.finite },
   { 'threads', 1, 'threads (0: one for each core)', options.whole(0) },
   options.seed,
   { 'plot', '', 'picture of the returns (.png or .svg)',
      options.drawing('.png', '.svg') },
})

local SCALE = 1e-3 -- of the critic's loss, whose returns reach 87

local body = nn.Sequential():add(nn.Linear(CartPole.STATES, opt.hidden)):add(nn.Tanh()):float()
local actor = nn.Sequential()
   :add(nn.Linear(opt.hidden, CartPole.ACTIONS)):add(nn.LogSoftMax()):float()
local critic = nn.Linear(opt.hidden, 1):float()
local parameters, gradients = nn.Sequential():add(body):add(actor):add(critic):getParameters()
for _, net in ipairs { body, actor, critic } do
   net:requiresGrad()
end

local pole = CartPole.new()

-- What the actor thinks of actions, and the critic of the future; N x 4 -> N x 2, N x 1.
local function judge(states)
   local seen = body:forward(states)
   return actor:forward(seen), critic:forward(seen)
end

-- An episode: states, actions, and the discounted sum of the rewards that came from each on.
local function play()
   local states, actions, over, steps = {}, {}, false, 0
   pole:reset()
   while not over do
      steps = steps + 1
      states[steps] = torch.FloatTensor(1, CartPole.STATES)
      pole:observe(states[steps][1])
      local logs = judge(states[steps])
      actions[steps] = torch.uniform() < math.exp(logs[1][1]) and 1 or 2
      over = select(3, pole:step(actions[steps]))
   end
   local returns, sum = torch.FloatTensor(steps, 1), 0
   for i = steps, 1, -1 do -- each step's reward is 1
      sum = 1 + opt.discount * sum
      returns[i] = sum
   end
   return torch.cat(states, 1), torch.LongTensor(actions):view(-1, 1), returns
end

-- Actions that led to more than the critic foresaw become likelier, by the gradient of
-- -log p (return - value); the critic learns the returns.
-- Source: Williams, "REINFORCE", Machine Learning 8 (1992), with a baseline that is learnt.
local function loss(states, actions, returns)
   local logs, values = judge(states)
   local advantage = returns - values:detach()
   advantage:add(-advantage:mean()):div(advantage:std() + 1e-6)
   local chosen = torch.gather(logs, 2, actions)
   local undecided = -torch.cmul(torch.exp(logs), logs):sum() / states:size(1)
   return -torch.cmul(chosen, advantage):mean() + SCALE * torch.pow(values - returns, 2):mean()
      - opt.entropy * undecided
end

local adam = { learningRate = opt.learningRate }
local averages, all, sum, solved = {}, {}, 0, false
while #all < opt.episodes and not solved do
   local parts = { {}, {}, {} }
   for i = 1, opt.batchSize do
      parts[1][i], parts[2][i], parts[3][i] = torch.noGrad(play)
      all[#all + 1] = parts[1][i]:size(1)
      sum = sum + all[#all] - (all[#all - 100] or 0)
      averages[#all] = sum / math.min(#all, 100)
   end
   solved = #all >= 100 and averages[#all] >= opt.goal
   optim.adam(function()
      gradients:zero()
      local value = loss(torch.cat(parts[1], 1), torch.cat(parts[2], 1), torch.cat(parts[3], 1))
      value:backward()
      return value:item(), gradients
   end, parameters, adam)
   if #all % 100 < opt.batchSize or solved then
      print(('episode %4d  average return %6.2f'):format(#all, averages[#all]))
   end
end
if solved then
   print(('solved after %d episodes'):format(#all))
end
curves.returns(opt.plot, all, averages)
