--- Copies of objects with all that they refer to; of tensors, what the caller makes of them.
-- @module distributed.copying

local torch = require 'torch'
local th = require 'torch.ffi'

local M = {}

local type = type -- torch puts its own in the global's place
local is_tensor, is_storage = th.isTensor, th.isStorage

local function table_of(value, memo, tensor_of)
   local copy = setmetatable({}, getmetatable(value))
   memo[value] = copy
   for key, entry in pairs(value) do
      if is_tensor(entry) then
         if memo[entry] == nil then
            memo[entry] = tensor_of(entry, value, key)
         end
         entry = memo[entry]
      else
         entry = M.of(entry, memo, tensor_of)
      end
      rawset(copy, key, entry)
   end
   return copy
end

--- A copy of an object or a table: tables in it and storages are its own; functions, plain values
-- and other objects are the source's.
-- @param value no tensor
-- @tab memo what was copied so far: source -> copy
-- @func tensor_of (tensor, the table that it is in, its key) -> tensor; called once for each
function M.of(value, memo, tensor_of)
   if is_storage(value) then
      return torch.deserialize(torch.serialize(value))
   elseif type(value) ~= 'table' then
      return value
   end
   return memo[value] or table_of(value, memo, tensor_of)
end

--- Copies of tensors, those of one storage in one storage again.
-- @func flat_of (a vector of all that a storage has) -> a copy of it
-- @return function(tensor) -> tensor
function M.sharing(flat_of)
   local known = {}
   return function(tensor)
      local storage = tensor:storage()
      if not storage then
         return flat_of(tensor)
      end
      local key = tostring(torch.pointer(storage))
      if not known[key] then -- with the source, lest another storage come to have its address
         known[key] = { source = storage, flat = flat_of(tensor.new(storage)) }
      end
      local flat = known[key].flat
      return flat.new(flat:storage(), tensor:storageOffset(), tensor:size(), tensor:stride())
   end
end

return M
