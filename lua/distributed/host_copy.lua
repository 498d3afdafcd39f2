--- Copies of networks on the host, for those that a device has no room for twice.
-- @module distributed.host_copy

local copying = require 'distributed.copying'
local types = require 'torch.types'

local M = {}

local function on_host(t)
   return types.tensors[t.dtype].new():resize(t:size()):copy(t)
end

--- A copy of a tensor, or of tables with such, on the host.
function M.nest(nest)
   return copying.of({ nest }, {}, copying.sharing(on_host))[1]
end

--- A function that copies modules, without outputs and buffers: what shared memory, or was the
-- same, is so in the copies too, in whichever call.
-- @return function(module) -> module
function M.copier()
   local memo, converted, tensor_of = {}, {}, copying.sharing(on_host)
   return function(module)
      local copy = copying.of(module, memo, tensor_of):clearState()
      local name = module:type()
      if name and name:find 'Cuda' then
         name = name == 'torch.CudaTensor' and 'torch.FloatTensor' or name:gsub('Cuda', '')
         copy:type(name, converted)
      end
      return copy
   end
end

return M
