--- Rprop: steps whose size grows while a gradient keeps its sign and shrinks when it changes.
--
-- The size of the gradient does not matter, so it is for full batches.
-- Source: Riedmiller and Braun, IEEE ICNN 1993 (the variant that skips the step after a change of
-- sign, iRprop-: Igel and Hüsken, NC 2000).

local torch = require 'torch'
local on_variables = require 'optim.on_variables'
local options = require 'optim.options'
local step = require 'optim.step'
local ops = require 'optim.ops'
local like = require('torch.ffi').like

local default = options.declare('rprop', {
   stepsize = 0.1, etaplus = 1.2, etaminus = 0.5, stepsizemin = 1e-6, stepsizemax = 50,
   niter = 1,
}, 'delta stepsizes')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: stepsize (0.1), etaplus (1.2), etaminus (0.5), stepsizemin (1e-6),
-- stepsizemax (50), niter (1: steps per call)
-- @param[opt] state table: delta (last gradient), stepsizes (Tensor); defaults to config
-- @return x, { loss before each step }
-- @example
-- local x, config = torch.Tensor { 4, -2 }, {}
-- local function square(p) return p:dot(p), p * 2 end
-- for _ = 1, 100 do optim.rprop(square, x, config) end
-- x:norm() < 0.01 --> true
local function rprop(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(rprop, opfunc, x, config, state)
   end
   config = step.arguments('rprop', opfunc, x, config, state)
   state = state or config
   local etaplus = config.etaplus or default.etaplus
   local etaminus = config.etaminus or default.etaminus
   local smallest = config.stepsizemin or default.stepsizemin
   local largest = config.stepsizemax or default.stepsizemax

   if torch.isTensor(state.stepsize) then -- Torch7's state, or config in its place
      state.stepsizes, state.stepsize = state.stepsizes or state.stepsize, nil
   end

   local losses = {}
   for i = 1, config.niter or default.niter do
      local fx, g = step.evaluate('rprop', opfunc, x)
      losses[i] = fx
      if not state.delta then
         local first = type(config.stepsize) == 'number' and config.stepsize or default.stepsize
         state.delta = step.zeros(x, g)
         state.stepsizes = like(x):resizeAs(g):fill(first)
      end
      ops.rprop_step('rprop', state, x, g, state.delta, state.stepsizes, etaplus, etaminus,
         smallest, largest)
   end
   return x, losses
end

return rprop
