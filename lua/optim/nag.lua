--- Nesterov's accelerated gradient: the gradient is taken after the momentum's step.
--
-- y = x + momentum v;  g = gradient at y;  v <- momentum v - lr g;  x <- y - lr g
-- opfunc is therefore called with y; x holds y meanwhile.
-- Source: Sutskever et al., ICML 2013, "On the importance of initialization and momentum".

local step = require 'optim.step'
local raise = require('torch.errors').raise

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (1e-3), learningRateDecay (0), momentum (0.9), weightDecay
-- (0) or
-- weightDecays (Tensor), learningRates (Tensor of factors)
-- @param[opt] state table: evalCounter (steps), dfdx (v); defaults to config
-- @return x, { loss at y }
-- @raise "nag: momentum must be positive"
local function nag(opfunc, x, config, state)
   config = step.arguments('nag', opfunc, x, config)
   state = state or config
   local lr = config.learningRate or 1e-3
   local lrd = config.learningRateDecay or 0
   local momentum = config.momentum or 0.9
   if momentum <= 0 then
      raise(('nag: momentum must be positive, got %g'):format(momentum))
   end

   local v = state.dfdx
   if v then
      x:add(momentum, v)
   end
   local fx, g = step.evaluate('nag', opfunc, x)
   step.decay(g, x, config.weightDecay)
   if config.weightDecays then
      step.decayEach(g, x, config.weightDecays, state)
   end

   local evalCounter = state.evalCounter or 0
   local rate = lr / (1 + evalCounter * lrd)
   if not v then
      v = step.zeros(x, g)
      state.dfdx = v
   else
      v:mul(momentum)
   end
   if config.learningRates then
      state.deltaParameters = state.deltaParameters or x.new():resizeAs(g)
      g = state.deltaParameters:copy(config.learningRates):cmul(g)
   end
   v:add(-rate, g)
   x:add(-rate, g)
   state.evalCounter = evalCounter + 1
   return x, { fx }
end

return nag
