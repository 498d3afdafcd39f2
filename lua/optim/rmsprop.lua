--- RMSprop: the gradient divided by the root of the running mean of its squares.
--
-- m <- alpha m + (1-alpha) g^2;  x <- x - lr g / (sqrt(m) + eps)
-- Source: Hinton, Neural Networks for Machine Learning (2012), lecture 6e.

local step = require 'optim.step'

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (1e-2), alpha (0.99), epsilon (1e-8), weightDecay (0),
-- initialMean (0)
-- @param[opt] state table: m; defaults to config
-- @return x, { loss before the step }
local function rmsprop(opfunc, x, config, state)
   config = step.arguments('rmsprop', opfunc, x, config)
   state = state or config
   local lr = config.learningRate or 1e-2
   local alpha = config.alpha or 0.99
   local epsilon = config.epsilon or 1e-8

   local fx, g = step.evaluate('rmsprop', opfunc, x)
   step.decay(g, x, config.weightDecay)

   if not state.m then
      state.m = x.new():resizeAs(g):fill(config.initialMean or 0)
      state.tmp = x.new():resizeAs(g)
   end
   state.m:mul(alpha):addcmul(1 - alpha, g, g)
   state.tmp:copy(state.m):sqrt():add(epsilon)
   x:addcdiv(-lr, g, state.tmp)
   return x, { fx }
end

return rmsprop
