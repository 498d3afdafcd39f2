--- Learns to balance a pole by trial and error; see README.md beside this file.

local torch = require 'torch'
local paths = require 'paths'
local options = paths.dofile '../common/options.lua'
local curves = paths.dofile '../common/curves.lua'
local Agent = paths.dofile 'agent.lua'
local CartPole = paths.dofile 'cartpole.lua'

local opt = options.parse('Learn to balance a pole with a deep Q-network.', {
   { 'episodes', 500, 'at most', options.whole(1) },
   { 'goal', 195, 'stop at this average return of the last 100 episodes', options.positive },
   { 'hidden', 64, 'units in each of two hidden layers', options.whole(1) },
   { 'batchSize', 64, 'remembered steps to learn from at each step', options.whole(1) },
   { 'memory', 20000, 'steps that are remembered', options.whole(1) },
   { 'warmup', 500, 'steps before it learns', options.whole(1) },
   { 'discount', 0.99, 'what a reward is worth one step before it comes', options.share },
   { 'learningRate', 3e-4, "Adam's step", options.positive },
   { 'sync', 250, 'learning steps after which the target network is renewed', options.whole(1) },
   { 'epsilon', 0.02, 'share of random actions in the end; it begins at 1', options.share },
   { 'exploration', 5000, 'steps until then', options.whole(1) },
   { 'threads', 1, 'threads (0: one for each core)', options.whole(0) },
   options.seed,
   { 'plot', '', 'picture of the returns (.png or .svg)', options.drawing('.png', '.svg') },
})

local pole = CartPole.new()
local agent = Agent.new(CartPole.STATES, CartPole.ACTIONS, opt)
local before, after = torch.FloatTensor(CartPole.STATES), torch.FloatTensor(CartPole.STATES)
local steps = 0

-- From start to end; returns the sum of rewards.
local function play()
   local total, over = 0, false
   pole:reset():observe(before)
   while not over do
      steps = steps + 1
      local epsilon = math.max(opt.epsilon, 1 - (1 - opt.epsilon) * steps / opt.exploration)
      local action = agent:act(before, epsilon)
      local reward, failed
      reward, failed, over = pole:step(action)
      agent:learn(before, action, reward, pole:observe(after), failed)
      before, after = after, before
      total = total + reward
   end
   return total
end

local timer, returns, averages, sum = torch.Timer(), {}, {}, 0
for episode = 1, opt.episodes do
   returns[episode] = play()
   sum = sum + returns[episode] - (returns[episode - 100] or 0)
   local average = sum / math.min(episode, 100)
   averages[episode] = average
   local solved = episode >= 100 and average >= opt.goal
   if episode % 20 == 0 or solved or episode == opt.episodes then
      local seconds = timer:time().real
      print(('episode %3d  average return %6.2f  %6.1f episodes/s  %6.0f steps/s'):format(
         episode, average, episode / seconds, steps / seconds))
   end
   if solved then
      print(('solved after %d episodes, %d steps'):format(episode, steps))
      break
   end
end
curves.returns(opt.plot, returns, averages)
