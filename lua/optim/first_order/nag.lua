--- Nesterov's accelerated gradient: the gradient is taken after the momentum's step.
--
-- y = x + momentum v;  g = gradient at y;  v <- momentum v - lr g;  x <- y - lr g
-- opfunc is therefore called with y; x holds y meanwhile.
-- Source: Sutskever et al., ICML 2013, "On the importance of initialization and momentum".

local torch = require 'torch'
local on_variables = require 'optim.on_variables'
local options = require 'optim.options'
local step = require 'optim.step'
local ops = require 'optim.ops'
local trace = require 'torch.errors.trace'
local raise = require('torch.errors').raise
local like = require('torch.ffi').like

-- Evaluate with x at y, where it stays; from an error of opfunc x comes back, but for rounding.
local function look_ahead(opfunc, x, v, momentum)
   x:add(momentum, v)
   local ok, fx, g = xpcall(step.evaluate, trace.keep, 'nag', opfunc, x)
   if not ok then
      x:add(-momentum, v)
      trace.rethrow(fx)
   end
   return fx, g
end

local default = options.declare('nag', {
   learningRate = 1e-3, learningRateDecay = 0, momentum = 0.9, weightDecay = 0,
   weightDecays = false, learningRates = false,
}, 'evalCounter dfdx decayParameters deltaParameters')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (1e-3), learningRateDecay (0), momentum (0.9), weightDecay
-- (0) or weightDecays (Tensor), learningRates (Tensor of factors)
-- @param[opt] state table: evalCounter (steps), dfdx (v); defaults to config
-- @return x, { loss at y }
-- @raise "nag: momentum must be positive"
-- @example
-- local x, config = torch.Tensor { 4, -2 }, { learningRate = 0.1, momentum = 0.5 }
-- local function square(p) return p:dot(p), p * 2 end
-- for _ = 1, 100 do optim.nag(square, x, config) end
-- x:norm() < 0.01 --> true
local function nag(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(nag, opfunc, x, config, state)
   end
   config = step.arguments('nag', opfunc, x, config, state)
   state = state or config
   local momentum = config.momentum or default.momentum
   if momentum <= 0 then
      raise(('nag: momentum must be positive, got %g'):format(momentum))
   end

   local v, steps = state.dfdx, state.evalCounter or 0
   local decay = config.weightDecay or default.weightDecay
   local rate = step.rate('nag', config, default.learningRate, steps)
   local fx, g
   if v then
      if v:nElement() ~= x:nElement() or torch.type(v) ~= torch.type(x) then
         step.explain('nag', state, x, x, v)
      end
      fx, g = look_ahead(opfunc, x, v, momentum)
   else
      fx, g = step.evaluate('nag', opfunc, x)
   end
   if config.weightDecays then
      g = step.decayEach(g, x, config.weightDecays, state)
   end
   if config.learningRates then
      local scaled = state.deltaParameters or like(x)
      state.deltaParameters = scaled
      scaled:resizeAs(g):copy(g):add(decay, x):cmul(config.learningRates:typeAs(x))
      g, decay = scaled, 0
   end
   if not v then
      v = step.zeros(x, g)
      state.dfdx = v
   end
   ops.momentum_step('nag', state, x, g, v, 0, rate, momentum, -rate, decay, 1)
   state.evalCounter = steps + 1
   return x, { fx }
end

return nag
