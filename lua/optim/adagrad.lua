--- Adagrad: each parameter's rate shrinks with the sum of its squared gradients.
--
-- s <- s + g^2;  x <- x - lr / (1 + n lrDecay) * g / (sqrt(s) + 1e-10)
-- Source: Duchi, Hazan and Singer, JMLR 12 (2011), 2121-2159.

local step = require 'optim.step'

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (1e-3), learningRateDecay (0), weightDecay (0)
-- @param[opt] state table: evalCounter (steps), paramVariance (s); defaults to config
-- @return x, { loss before the step }
local function adagrad(opfunc, x, config, state)
   config = step.arguments('adagrad', opfunc, x, config)
   state = state or config
   local lr = config.learningRate or 1e-3
   local lrd = config.learningRateDecay or 0

   local fx, g = step.evaluate('adagrad', opfunc, x)
   step.decay(g, x, config.weightDecay)

   local evalCounter = state.evalCounter or 0
   local rate = lr / (1 + evalCounter * lrd)
   if not state.paramVariance then
      state.paramVariance = step.zeros(x, g)
      state.paramStd = x.new():resizeAs(g)
   end
   state.paramVariance:addcmul(1, g, g)
   state.paramStd:copy(state.paramVariance):sqrt():add(1e-10)
   x:addcdiv(-rate, g, state.paramStd)
   state.evalCounter = evalCounter + 1
   return x, { fx }
end

return adagrad
