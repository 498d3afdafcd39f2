--- AdaMax: Adam with the running maximum of |g| in place of the second moment.
--
-- m <- b1 m + (1-b1) g;  u <- max(b2 u, |g| + eps);  x <- x - lr / (1-b1^t) * m / u
-- Source: Kingma and Ba, ICLR 2015 (arXiv:1412.6980), Algorithm 2.

local on_variables = require 'optim.on_variables'
local options = require 'optim.options'
local step = require 'optim.step'
local ops = require 'optim.ops'

local default = options.declare('adamax', {
   learningRate = 2e-3, learningRateDecay = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-38,
   weightDecay = 0,
}, 't m u')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (2e-3), learningRateDecay (0), beta1 (0.9), beta2 (0.999),
-- epsilon (1e-38), weightDecay (0)
-- @param[opt] state table: t (steps), m, u; defaults to config
-- @return x, { loss before the step }
-- @example
-- local x, config = torch.Tensor { 4, -2 }, { learningRate = 0.1 }
-- local function square(p) return p:dot(p), p * 2 end
-- for _ = 1, 500 do optim.adamax(square, x, config) end
-- x:norm() < 0.01 --> true
local function adamax(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(adamax, opfunc, x, config, state)
   end
   config = step.arguments('adamax', opfunc, x, config, state)
   state = state or config
   local beta1 = config.beta1 or default.beta1

   local fx, g = step.evaluate('adamax', opfunc, x)
   local steps = state.t or 0
   local rate = step.rate('adamax', config, default.learningRate, steps)
   if not state.m then
      state.m = step.zeros(x, g)
      state.u = step.zeros(x, g)
   end
   local t = steps + 1
   ops.adamax_step('adamax', state, x, g, state.m, state.u, rate / (1 - beta1 ^ t), beta1,
      config.beta2 or default.beta2, config.epsilon or default.epsilon,
      config.weightDecay or default.weightDecay)
   state.t = t
   return x, { fx }
end

return adamax
