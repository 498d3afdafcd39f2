--- Stochastic gradient descent, with momentum, weight decay and a decaying rate.
--
-- v <- momentum v + (1 - dampening) g (v = g at first);  x <- x - lr / (1 + n lrDecay) v
-- With `nesterov`, the step is along g + momentum v.
-- Source of the Nesterov form: Sutskever et al., ICML 2013, "On the importance of initialization
-- and momentum in deep learning".

local on_variables = require 'optim.on_variables'
local options = require 'optim.options'
local step = require 'optim.step'
local ops = require 'optim.ops'
local raise = require('torch.errors').raise

local default = options.declare('sgd', {
   learningRate = 1e-3, learningRateDecay = 0, weightDecay = 0, weightDecays = false,
   momentum = 0, dampening = false, nesterov = false, learningRates = false,
}, 'evalCounter dfdx decayParameters deltaParameters')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (1e-3), learningRateDecay (0), weightDecay (0) or weightDecays
-- (Tensor), momentum (0), dampening (momentum), nesterov (false), learningRates (Tensor of factors)
-- @param[opt] state table: evalCounter (steps), dfdx (v); defaults to config
-- @return x, { loss before the step }
-- @raise "sgd: nesterov needs momentum > 0 and dampening = 0"
-- @example
-- local x, config = torch.Tensor { 4, -2 }, { learningRate = 0.1 }
-- local _, losses = optim.sgd(function(p) return p:dot(p), p * 2 end, x, config)
-- x, losses[1] --> { 3.2, -1.6 }, 20
local function sgd(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(sgd, opfunc, x, config, state)
   end
   config = step.arguments('sgd', opfunc, x, config, state)
   state = state or config
   local momentum = config.momentum or default.momentum
   local dampening = config.dampening or momentum
   local nesterov = config.nesterov or false
   local decay = config.weightDecay or default.weightDecay
   if nesterov and (momentum <= 0 or dampening ~= 0) then
      raise('sgd: nesterov needs momentum > 0 and dampening = 0')
   end
   if decay ~= 0 and config.weightDecays then
      raise('sgd: give either weightDecay or weightDecays, not both')
   end

   local fx, g = step.evaluate('sgd', opfunc, x)
   local steps = state.evalCounter or 0
   local rate = step.rate('sgd', config, default.learningRate, steps)
   if config.weightDecays then
      g = step.decayEach(g, x, config.weightDecays, state)
   end
   local to, along, rates = x, rate, config.learningRates
   if rates then -- the step is taken from 0, then scaled
      if decay ~= 0 then
         g = g:clone():add(decay, x)
         decay = 0
      end
      to, along = state.deltaParameters or step.zeros(x, g), 1
      to:resizeAs(g):zero()
      state.deltaParameters = to
   end
   if momentum == 0 then
      ops.sgd_step('sgd', state, to, g, along, decay)
   else
      local v, take = state.dfdx, 1 - dampening
      if not v then
         v, take = step.zeros(x, g), 1
         state.dfdx = v
      end
      if nesterov then
         ops.momentum_step('sgd', state, to, g, v, along * momentum, along, momentum, take, decay,
            1)
      else
         ops.momentum_step('sgd', state, to, g, v, along, 0, momentum, take, decay, 1)
      end
   end
   if rates then
      x:addcmul(rate, to, rates:typeAs(x))
   end
   state.evalCounter = steps + 1
   return x, { fx }
end

return sgd
