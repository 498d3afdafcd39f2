--- RMSprop: the gradient divided by the root of the running mean of its squares.
--
-- m <- alpha m + (1-alpha) g^2;  x <- x - lr g / (sqrt(m) + eps)
-- Source: Hinton, Neural Networks for Machine Learning (2012), lecture 6e.

local step = require 'optim.step'
local ops = require 'optim.ops'
local like = require('torch.ffi').like

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (1e-2), alpha (0.99), epsilon (1e-8), weightDecay (0),
-- initialMean (0)
-- @param[opt] state table: m; defaults to config
-- @return x, { loss before the step }
local function rmsprop(opfunc, x, config, state)
   config = step.arguments('rmsprop', opfunc, x, config)
   state = state or config
   local alpha = config.alpha or 0.99

   local fx, g = step.evaluate('rmsprop', opfunc, x)
   local m, steps = state.m, state.evalCounter or 0
   local rate = step.rate('rmsprop', config, 1e-2, steps)
   if not m then
      m = like(x):resizeAs(g):fill(config.initialMean or 0)
      state.m = m
   end
   ops.rms_step('rmsprop', state, x, g, m, rate, alpha, 1 - alpha, config.epsilon or 1e-8,
      config.weightDecay or 0)
   state.evalCounter = steps + 1
   return x, { fx }
end

return rmsprop
