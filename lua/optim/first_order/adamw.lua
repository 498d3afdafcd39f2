--- AdamW: Adam whose weight decay goes past the moments.
--
-- m <- b1 m + (1-b1) g;  v <- b2 v + (1-b2) g^2
-- x <- (1 - lr weightDecay) x - lr mhat / (sqrt(vhat) + eps)
-- mhat = m / (1-b1^t), vhat = v / (1-b2^t)
-- Source: Loshchilov and Hutter, "Decoupled weight decay regularization", ICLR 2019
-- (arXiv:1711.05101), Algorithm 2.

local on_variables = require 'optim.on_variables'
local moments = require 'optim.first_order.moments'
local options = require 'optim.options'
local step = require 'optim.step'

local default = options.declare('adamw', {
   learningRate = 1e-3, learningRateDecay = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8,
   weightDecay = 0.01, amsgrad = false,
}, 't m v largest')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (1e-3), learningRateDecay (0), beta1 (0.9), beta2 (0.999),
-- epsilon (1e-8), weightDecay (0.01), amsgrad (false)
-- @param[opt] state table: t (steps), m, v, with amsgrad also largest; defaults to config
-- @return x, { loss before the step }
-- @example
-- local x, config = torch.Tensor { 4, -2 }, { learningRate = 0.1, weightDecay = 0 }
-- for _ = 1, 500 do -- minimises x . x
--    optim.adamw(function(p) return p:dot(p), p * 2 end, x, config)
-- end
-- x:norm() < 1e-6 --> true
local function adamw(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(adamw, opfunc, x, config, state)
   end
   config = step.arguments('adamw', opfunc, x, config, state)
   state = state or config
   local beta1 = config.beta1 or default.beta1
   local beta2 = config.beta2 or default.beta2
   local epsilon = config.epsilon or default.epsilon
   local weightDecay = config.weightDecay or default.weightDecay

   local fx, g = step.evaluate('adamw', opfunc, x)
   local steps = moments.of(state, x, g)
   local rate = step.rate('adamw', config, default.learningRate, steps)
   local t = steps + 1
   local root = 1 / math.sqrt(1 - beta2 ^ t)
   moments.step('adamw', state, x, g, rate / (1 - beta1 ^ t), 0, beta1, beta2, root, epsilon, 0,
      1 - rate * weightDecay, config.amsgrad)
   state.t = t
   return x, { fx }
end

return adamw
