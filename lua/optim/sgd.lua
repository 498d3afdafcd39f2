--- Stochastic gradient descent, with momentum, weight decay and a decaying rate.
--
-- v <- momentum v + (1 - dampening) g (v = g at first);  x <- x - lr / (1 + n lrDecay) v
-- With `nesterov`, the step is along g + momentum v.
-- Source of the Nesterov form: Sutskever et al., ICML 2013, "On the importance of initialization
-- and momentum in deep learning".

local step = require 'optim.step'
local raise = require('torch.errors').raise

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (1e-3), learningRateDecay (0), weightDecay (0) or weightDecays
-- (Tensor), momentum (0), dampening (momentum), nesterov (false), learningRates (Tensor of factors)
-- @param[opt] state table: evalCounter (steps), dfdx (v); defaults to config
-- @return x, { loss before the step }
-- @raise "sgd: nesterov needs momentum > 0 and dampening = 0"
local function sgd(opfunc, x, config, state)
   config = step.arguments('sgd', opfunc, x, config)
   state = state or config
   local lr = config.learningRate or 1e-3
   local lrd = config.learningRateDecay or 0
   local momentum = config.momentum or 0
   local dampening = config.dampening or momentum
   local nesterov = config.nesterov or false
   if nesterov and (momentum <= 0 or dampening ~= 0) then
      raise('sgd: nesterov needs momentum > 0 and dampening = 0')
   end
   if config.weightDecay and config.weightDecay ~= 0 and config.weightDecays then
      raise('sgd: give either weightDecay or weightDecays, not both')
   end

   local fx, g = step.evaluate('sgd', opfunc, x)
   step.decay(g, x, config.weightDecay)
   if config.weightDecays then
      step.decayEach(g, x, config.weightDecays, state)
   end

   if momentum ~= 0 then
      local v = state.dfdx
      if not v then
         v = x.new():resizeAs(g):copy(g)
         state.dfdx = v
      else
         v:mul(momentum):add(1 - dampening, g)
      end
      if nesterov then
         g:add(momentum, v)
      else
         g = v
      end
   end

   local evalCounter = state.evalCounter or 0
   local rate = lr / (1 + evalCounter * lrd)
   if config.learningRates then
      if not state.deltaParameters then
         state.deltaParameters = x.new():resizeAs(g)
      end
      x:add(-rate, state.deltaParameters:copy(config.learningRates):cmul(g))
   else
      x:add(-rate, g)
   end
   state.evalCounter = evalCounter + 1
   return x, { fx }
end

return sgd
