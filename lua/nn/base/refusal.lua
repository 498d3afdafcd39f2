--- Whether criterions refuse what makes their loss no number (`nn.Criterion.__refuseNaN`): they do,
-- but for who has a use for such a loss, as a training that goes on without the batch.
-- @module nn.base.refusal

local trace = require 'torch.errors.trace'

local M = { stands = true }

--- f(...), in which nothing is refused: such losses are NaN.
function M.without(f, ...)
   local before = M.stands
   M.stands = false
   return trace.finally(function() M.stands = before end, f, ...)
end

return M
