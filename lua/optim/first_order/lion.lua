--- Lion: every parameter moves by the rate, in the direction of a mean of gradients.
--
-- x <- (1 - lr weightDecay) x - lr sign(b1 m + (1-b1) g);  m <- b2 m + (1-b2) g
-- Steps are larger than Adam's: take a third to a tenth of its rate, and three to ten times its
-- decay.
-- Source: Chen et al., "Symbolic discovery of optimization algorithms", NeurIPS 2023
-- (arXiv:2302.06675), Algorithm 2.

local on_variables = require 'optim.on_variables'
local options = require 'optim.options'
local step = require 'optim.step'
local ops = require 'optim.ops'

local default = options.declare('lion', {
   learningRate = 1e-4, learningRateDecay = 0, beta1 = 0.9, beta2 = 0.99, weightDecay = 0,
}, 't m')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (1e-4), learningRateDecay (0), beta1 (0.9), beta2 (0.99),
-- weightDecay (0)
-- @param[opt] state table: t (steps), m; defaults to config
-- @return x, { loss before the step }
-- @usage optim.lion(feval, parameters, { learningRate = 1e-4, weightDecay = 0.1 }, state)
-- @example
-- local x, config = torch.Tensor { 4, -2 }, { learningRate = 0.05 }
-- local function square(p) return p:dot(p), p * 2 end
-- for _ = 1, 200 do optim.lion(square, x, config) end
-- x:norm() < 0.5 --> true
local function lion(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(lion, opfunc, x, config, state)
   end
   config = step.arguments('lion', opfunc, x, config, state)
   state = state or config
   local fx, g = step.evaluate('lion', opfunc, x)
   local m, steps = state.m, state.t or 0
   local rate = step.rate('lion', config, default.learningRate, steps)
   if not m then
      m = step.zeros(x, g)
      state.m = m
   end
   ops.lion_step('lion', state, x, g, m, rate, config.beta1 or default.beta1,
      config.beta2 or default.beta2, 1 - rate * (config.weightDecay or default.weightDecay))
   state.t = steps + 1
   return x, { fx }
end

return lion
