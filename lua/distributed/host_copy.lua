--- Copies of a network's layers on the host, for networks that a device has no room for twice.
-- @module distributed.host_copy

local copying = require 'distributed.copying'
local types = require 'torch.types'

local M = {}

local function on_host(t)
   return types.tensors[t.dtype].new():resize(t:size()):copy(t)
end

--- A function that copies layers: what shared memory, or was the same, is so in the copies too, in
-- whichever call.
-- @return function(module) -> module
function M.copier()
   local memo, tensor_of = {}, copying.sharing(on_host)
   return function(module)
      return copying.of(module, memo, tensor_of)
   end
end

return M
