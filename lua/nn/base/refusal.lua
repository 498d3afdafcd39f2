--- Whether criterions refuse what makes their loss no number (`nn.Criterion.__refuseNaN`): they do,
-- but for who has a use for such a loss, as a training that goes on without the batch.
-- @module nn.base.refusal

local trace = require 'torch.errors.trace'

local M = { stands = true }

--- f(...), in which nothing is refused: such losses are NaN.
function M.without(f, ...)
   local before = M.stands
   M.stands = false
   local ok, first, second = xpcall(f, trace.keep, ...)
   M.stands = before
   if not ok then
      trace.rethrow(first)
   end
   return first, second
end

return M
