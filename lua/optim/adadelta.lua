--- Adadelta: steps from running means of squared gradients and of squared steps; no rate to choose.
--
-- s <- rho s + (1-rho) g^2;  d = sqrt(a + eps) / sqrt(s + eps) * g;  x <- x - d
-- a <- rho a + (1-rho) d^2
-- Source: Zeiler, 2012 (arXiv:1212.5701), Algorithm 1.

local step = require 'optim.step'

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: rho (0.9), eps (1e-6), weightDecay (0)
-- @param[opt] state table: evalCounter (steps), paramVariance (s), accDelta (a); defaults to config
-- @return x, { loss before the step }
local function adadelta(opfunc, x, config, state)
   config = step.arguments('adadelta', opfunc, x, config)
   state = state or config
   local rho = config.rho or 0.9
   local eps = config.eps or 1e-6

   local fx, g = step.evaluate('adadelta', opfunc, x)
   step.decay(g, x, config.weightDecay)

   if not state.paramVariance then
      state.paramVariance = step.zeros(x, g)
      state.paramStd = x.new():resizeAs(g)
      state.delta = x.new():resizeAs(g)
      state.accDelta = step.zeros(x, g)
   end
   local s, std, delta, acc = state.paramVariance, state.paramStd, state.delta, state.accDelta
   s:mul(rho):addcmul(1 - rho, g, g)
   std:copy(s):add(eps):sqrt()
   delta:copy(acc):add(eps):sqrt():cdiv(std):cmul(g)
   x:add(-1, delta)
   acc:mul(rho):addcmul(1 - rho, delta, delta)
   state.evalCounter = (state.evalCounter or 0) + 1
   return x, { fx }
end

return adadelta
