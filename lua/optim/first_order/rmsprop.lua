--- RMSprop: the gradient divided by the root of the running mean of its squares.
--
-- m <- alpha m + (1-alpha) g^2;  x <- x - lr g / (sqrt(m) + eps)
-- Source: Hinton, Neural Networks for Machine Learning (2012), lecture 6e.

local on_variables = require 'optim.on_variables'
local options = require 'optim.options'
local step = require 'optim.step'
local ops = require 'optim.ops'
local like = require('torch.ffi').like

local default = options.declare('rmsprop', {
   learningRate = 1e-2, learningRateDecay = 0, alpha = 0.99, epsilon = 1e-8, weightDecay = 0,
   initialMean = 0,
}, 'm evalCounter')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (1e-2), learningRateDecay (0), alpha (0.99), epsilon (1e-8),
-- weightDecay (0), initialMean (0)
-- @param[opt] state table: m; defaults to config
-- @return x, { loss before the step }
-- @example
-- local x, config = torch.Tensor { 4, -2 }, { learningRate = 0.05 }
-- local function square(p) return p:dot(p), p * 2 end
-- for _ = 1, 500 do optim.rmsprop(square, x, config) end
-- x:norm() < 0.1 --> true
local function rmsprop(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(rmsprop, opfunc, x, config, state)
   end
   config = step.arguments('rmsprop', opfunc, x, config, state)
   state = state or config
   local alpha = config.alpha or default.alpha

   local fx, g = step.evaluate('rmsprop', opfunc, x)
   local m, steps = state.m, state.evalCounter or 0
   local rate = step.rate('rmsprop', config, default.learningRate, steps)
   if not m then
      m = like(x):resizeAs(g):fill(config.initialMean or default.initialMean)
      state.m = m
   end
   ops.rms_step('rmsprop', state, x, g, m, rate, alpha, 1 - alpha,
      config.epsilon or default.epsilon, config.weightDecay or default.weightDecay)
   state.evalCounter = steps + 1
   return x, { fx }
end

return rmsprop
