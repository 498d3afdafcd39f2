--- Whether an operation on a tensor is recorded, for functions that give numbers otherwise.
-- @module torch.variables.tracked
local th = require 'torch.ffi'

local C, like = th.C, th.like

local M = {}

--- Whether calls with t are recorded now: it needs a gradient, and nobody has said noGrad.
local function tracked(t)
   return t.flags ~= 0 and C.TH_Gradient_recording() and C.TH_Variable_needsGradient(t)
end
M.tracked = tracked

--- Where a reduction of t puts its number for the record: a tensor of one element, into which the
-- next call goes; nil for a tensor that is not tracked, whose result is the number itself.
--
--    local r = t.flags ~= 0 and asTensor(t)
--    core.sum_all(number, t)
--    return r or number[0]
function M.asTensor(t)
   if not tracked(t) then
      return nil
   end
   local r = like(t)
   C.TH_Variable_number(r)
   return r
end

return M
