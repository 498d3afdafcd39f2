--- Adadelta: steps from running means of squared gradients and of squared steps; no rate to choose.
--
-- s <- rho s + (1-rho) g^2;  d = sqrt(a + eps) / sqrt(s + eps) * g;  x <- x - d
-- a <- rho a + (1-rho) d^2
-- Source: Zeiler, 2012 (arXiv:1212.5701), Algorithm 1.

local on_variables = require 'optim.on_variables'
local options = require 'optim.options'
local step = require 'optim.step'
local ops = require 'optim.ops'

local default = options.declare('adadelta', {
   rho = 0.9, eps = 1e-6, weightDecay = 0, learningRate = 1, learningRateDecay = 0,
}, 'evalCounter paramVariance accDelta')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: rho (0.9), eps (1e-6), weightDecay (0), learningRate (1: a factor),
-- learningRateDecay (0)
-- @param[opt] state table: evalCounter (steps), paramVariance (s), accDelta (a); defaults to config
-- @return x, { loss before the step }
-- @example
-- local x, config = torch.Tensor { 4, -2 }, {}
-- local function square(p) return p:dot(p), p * 2 end
-- local before = x:norm()
-- for _ = 1, 100 do optim.adadelta(square, x, config) end
-- x:norm() < before, config.evalCounter --> true, 100
local function adadelta(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(adadelta, opfunc, x, config, state)
   end
   config = step.arguments('adadelta', opfunc, x, config, state)
   state = state or config
   local fx, g = step.evaluate('adadelta', opfunc, x)
   local steps = state.evalCounter or 0
   local rate = step.rate('adadelta', config, default.learningRate, steps)
   if not state.paramVariance then
      state.paramVariance = step.zeros(x, g)
      state.accDelta = step.zeros(x, g)
   end
   ops.adadelta_step('adadelta', state, x, g, state.paramVariance, state.accDelta, rate,
      config.rho or default.rho, config.eps or default.eps,
      config.weightDecay or default.weightDecay)
   state.evalCounter = steps + 1
   return x, { fx }
end

return adadelta
