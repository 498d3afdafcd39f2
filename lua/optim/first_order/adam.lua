--- Adam: per-parameter steps from running moments of the gradient.
--
-- m <- b1 m + (1-b1) g;  v <- b2 v + (1-b2) g^2
-- x <- x - lr sqrt(1-b2^t) / (1-b1^t) * m / (sqrt(v) + eps)
-- Source: Kingma and Ba, ICLR 2015 (arXiv:1412.6980), Algorithm 1 with the order of computation
-- given at the end of its section 2: eps is added to sqrt(v) before the correction of its bias.
-- With `amsgrad`, the largest v so far stands below the root (Reddi, Kale and Kumar, ICLR 2018,
-- Algorithm 2).

local on_variables = require 'optim.on_variables'
local moments = require 'optim.first_order.moments'
local options = require 'optim.options'
local step = require 'optim.step'

local default = options.declare('adam', {
   learningRate = 1e-3, learningRateDecay = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8,
   weightDecay = 0, amsgrad = false,
}, 't m v largest')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (1e-3), learningRateDecay (0), beta1 (0.9), beta2 (0.999),
-- epsilon (1e-8), weightDecay (0), amsgrad (false)
-- @param[opt] state table: t (steps), m, v, with amsgrad also largest; defaults to config
-- @return x, { loss before the step }
-- @raise "adam: opfunc returned a gradient of 10 elements for x of 12"
-- @example
-- local x, config = torch.Tensor { 4, -2 }, { learningRate = 0.1 }
-- for _ = 1, 500 do -- minimises x . x
--    optim.adam(function(p) return p:dot(p), p * 2 end, x, config)
-- end
-- x:norm() < 1e-6 --> true
local function adam(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(adam, opfunc, x, config, state)
   end
   config = step.arguments('adam', opfunc, x, config, state)
   state = state or config
   local beta1 = config.beta1 or default.beta1
   local beta2 = config.beta2 or default.beta2
   local epsilon = config.epsilon or default.epsilon

   local fx, g = step.evaluate('adam', opfunc, x)
   local steps = moments.of(state, x, g)
   local rate = step.rate('adam', config, default.learningRate, steps)
   local t = steps + 1
   rate = rate * math.sqrt(1 - beta2 ^ t) / (1 - beta1 ^ t)
   moments.step('adam', state, x, g, rate, 0, beta1, beta2, 1, epsilon,
      config.weightDecay or default.weightDecay, 1, config.amsgrad)
   state.t = t
   return x, { fx }
end

return adam
