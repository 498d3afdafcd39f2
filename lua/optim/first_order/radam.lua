--- RAdam: Adam that goes without its denominator while that has seen too little, so that it needs
-- no warm-up.
--
-- m <- b1 m + (1-b1) g;  v <- b2 v + (1-b2) g^2
-- n = 2 / (1-b2) - 1;  n_t = n - 2 t b2^t / (1-b2^t)
-- n_t > 5: x <- x - lr r m / (1-b1^t) sqrt(1-b2^t) / (sqrt(v) + eps),
-- r^2 = (n_t - 4) (n_t - 2) n / ((n - 4) (n - 2) n_t);  otherwise x <- x - lr m / (1-b1^t)
-- Source: Liu et al., "On the variance of the adaptive learning rate and beyond", ICLR 2020
-- (arXiv:1908.03265), Algorithm 2; the limit of 5 is its authors' program's.

local on_variables = require 'optim.on_variables'
local moments = require 'optim.first_order.moments'
local options = require 'optim.options'
local step = require 'optim.step'

local default = options.declare('radam', {
   learningRate = 1e-3, learningRateDecay = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8,
   weightDecay = 0,
}, 't m v')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (1e-3), learningRateDecay (0), beta1 (0.9), beta2 (0.999),
-- epsilon (1e-8), weightDecay (0)
-- @param[opt] state table: t (steps), m, v; defaults to config
-- @return x, { loss before the step }
-- @usage optim.radam(feval, parameters, { learningRate = 1e-3 }, state)
-- @example
-- local x, config = torch.Tensor { 4, -2 }, { learningRate = 0.1 }
-- local function square(p) return p:dot(p), p * 2 end
-- for _ = 1, 500 do optim.radam(square, x, config) end
-- x:norm() < 0.01 --> true
local function radam(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(radam, opfunc, x, config, state)
   end
   config = step.arguments('radam', opfunc, x, config, state)
   state = state or config
   local beta1 = config.beta1 or default.beta1
   local beta2 = config.beta2 or default.beta2
   local root, epsilon = 1, config.epsilon or default.epsilon

   local fx, g = step.evaluate('radam', opfunc, x)
   local steps = moments.of(state, x, g)
   local rate = step.rate('radam', config, default.learningRate, steps)
   local t = steps + 1
   rate = rate / (1 - beta1 ^ t)
   local n = 2 / (1 - beta2) - 1
   local seen = n - 2 * t * beta2 ^ t / (1 - beta2 ^ t)
   if seen > 5 then
      local r = (seen - 4) * (seen - 2) * n / ((n - 4) * (n - 2) * seen)
      rate = rate * math.sqrt(r * (1 - beta2 ^ t))
   else
      root, epsilon = 0, 1
   end
   moments.step('radam', state, x, g, rate, 0, beta1, beta2, root, epsilon,
      config.weightDecay or default.weightDecay, 1)
   state.t = t
   return x, { fx }
end

return radam
