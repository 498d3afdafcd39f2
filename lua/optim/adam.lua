--- Adam: per-parameter steps from running moments of the gradient.
--
-- m <- b1 m + (1-b1) g;  v <- b2 v + (1-b2) g^2
-- x <- x - lr sqrt(1-b2^t) / (1-b1^t) * m / (sqrt(v) + eps)
-- Source: Kingma and Ba, ICLR 2015 (arXiv:1412.6980), Algorithm 1 with the order of computation
-- given at the end of its section 2: eps is added to sqrt(v) before the correction of its bias.

local step = require 'optim.step'

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (1e-3), learningRateDecay (0), beta1 (0.9), beta2 (0.999),
-- epsilon (1e-8), weightDecay (0)
-- @param[opt] state table: t (steps), m, v; defaults to config
-- @return x, { loss before the step }
-- @raise "adam: opfunc returned a gradient of 10 elements for x of 12"
-- @example
-- local x, config = torch.Tensor { 4, -2 }, { learningRate = 0.1 }
-- for _ = 1, 500 do -- minimises x . x
--    optim.adam(function(p) return p:dot(p), p * 2 end, x, config)
-- end
-- x:norm() < 1e-6 --> true
local function adam(opfunc, x, config, state)
   config = step.arguments('adam', opfunc, x, config)
   state = state or config
   local lr = config.learningRate or 1e-3
   local lrd = config.learningRateDecay or 0
   local beta1 = config.beta1 or 0.9
   local beta2 = config.beta2 or 0.999
   local epsilon = config.epsilon or 1e-8

   local fx, g = step.evaluate('adam', opfunc, x)
   step.decay(g, x, config.weightDecay)

   if not state.m then
      state.t = state.t or 0
      state.m = step.zeros(x, g)
      state.v = step.zeros(x, g)
      state.denom = step.zeros(x, g)
   end
   local rate = lr / (1 + state.t * lrd)
   local t = state.t + 1
   state.t = t
   state.m:mul(beta1):add(1 - beta1, g)
   state.v:mul(beta2):addcmul(1 - beta2, g, g)
   state.denom:sqrt(state.v):add(epsilon)
   rate = rate * math.sqrt(1 - beta2 ^ t) / (1 - beta1 ^ t)
   x:addcdiv(-rate, state.m, state.denom)
   return x, { fx }
end

return adam
