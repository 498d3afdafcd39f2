--- Adagrad: each parameter's rate shrinks with the sum of its squared gradients.
--
-- s <- s + g^2;  x <- x - lr / (1 + n lrDecay) * g / (sqrt(s) + 1e-10)
-- Source: Duchi, Hazan and Singer, JMLR 12 (2011), 2121-2159.

local on_variables = require 'optim.on_variables'
local options = require 'optim.options'
local step = require 'optim.step'
local ops = require 'optim.ops'

local default = options.declare('adagrad', {
   learningRate = 1e-3, learningRateDecay = 0, weightDecay = 0,
}, 'evalCounter paramVariance')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (1e-3), learningRateDecay (0), weightDecay (0)
-- @param[opt] state table: evalCounter (steps), paramVariance (s); defaults to config
-- @return x, { loss before the step }
-- @example
-- local x, config = torch.Tensor { 4, -2 }, { learningRate = 1 }
-- local function square(p) return p:dot(p), p * 2 end
-- for _ = 1, 200 do optim.adagrad(square, x, config) end
-- x:norm() < 0.01 --> true
local function adagrad(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(adagrad, opfunc, x, config, state)
   end
   config = step.arguments('adagrad', opfunc, x, config, state)
   state = state or config
   local fx, g = step.evaluate('adagrad', opfunc, x)
   local sum, steps = state.paramVariance, state.evalCounter or 0
   local rate = step.rate('adagrad', config, default.learningRate, steps)
   if not sum then
      sum = step.zeros(x, g)
      state.paramVariance = sum
   end
   ops.rms_step('adagrad', state, x, g, sum, rate, 1, 1, 1e-10,
      config.weightDecay or default.weightDecay)
   state.evalCounter = steps + 1
   return x, { fx }
end

return adagrad
