--- AdaMax: Adam with the running maximum of |g| in place of the second moment.
--
-- m <- b1 m + (1-b1) g;  u <- max(b2 u, |g| + eps);  x <- x - lr / (1-b1^t) * m / u
-- Source: Kingma and Ba, ICLR 2015 (arXiv:1412.6980), Algorithm 2.

local step = require 'optim.step'

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (2e-3), beta1 (0.9), beta2 (0.999), epsilon (1e-38)
-- @param[opt] state table: t (steps), m, u; defaults to config
-- @return x, { loss before the step }
local function adamax(opfunc, x, config, state)
   config = step.arguments('adamax', opfunc, x, config)
   state = state or config
   local lr = config.learningRate or 2e-3
   local beta1 = config.beta1 or 0.9
   local beta2 = config.beta2 or 0.999
   local epsilon = config.epsilon or 1e-38

   local fx, g = step.evaluate('adamax', opfunc, x)
   if not state.m then
      state.t = state.t or 0
      state.m = step.zeros(x, g)
      state.u = step.zeros(x, g)
      state.absolute = x.new():resizeAs(g)
   end
   state.t = state.t + 1
   state.m:mul(beta1):add(1 - beta1, g)
   state.absolute:abs(g):add(epsilon)
   state.u:mul(beta2):cmax(state.absolute)
   x:addcdiv(-lr / (1 - beta1 ^ state.t), state.m, state.u)
   return x, { fx }
end

return adamax
