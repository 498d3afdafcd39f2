--- What Adam and its kin share: the two moments, and the step that they end in.
-- @module optim.first_order.moments

local ops = require 'optim.ops'
local step = require 'optim.step'

local M = {}

--- The steps that a state with Adam's moments has seen; makes `m` and `v` where there are none.
function M.of(state, x, g)
   if not state.m then
      state.t = state.t or 0
      state.m = step.zeros(x, g)
      state.v = step.zeros(x, g)
   end
   return state.t or 0
end

--- The step of Adam and its kin: `adam_step` of lib/TH/ops/optim.def, with its numbers in that
-- order, or `amsgrad_step`.
-- @string name the optimiser, for errors
-- @tab state its state, with m and v
-- @bool amsgrad take the largest second moment so far, `state.largest`
function M.step(name, state, x, g, along_m, along_g, beta1, beta2, root, epsilon, decay, shrink,
      amsgrad)
   if amsgrad then
      state.largest = state.largest or step.zeros(x, g)
      ops.amsgrad_step(name, state, x, g, state.m, state.v, state.largest, along_m, along_g, beta1,
         beta2, root, epsilon, decay, shrink)
   else
      ops.adam_step(name, state, x, g, state.m, state.v, along_m, along_g, beta1, beta2, root,
         epsilon, decay, shrink)
   end
end

return M
