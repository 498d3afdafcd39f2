--- Copies of a network's parts on the host, for networks that a device has no room for twice.
-- @module distributed.host_copy

local torch = require 'torch'
local th = require 'torch.ffi'
local types = require 'torch.types'

local M = {}

local type = type -- torch puts its own in the global's place
local is_tensor, is_storage = th.isTensor, th.isStorage

--- What copies that belong together have in common: what shared memory shares it in them, whatever
-- came between.
function M.memo()
   return { storages = {}, tensors = {}, objects = {} }
end

-- What `make` gives, made once for each tensor or storage.
-- An entry keeps its source, so that no other object can come to have that address.
local function remembered(list, source, make)
   local key = tostring(torch.pointer(source))
   if not list[key] then
      list[key] = { source = source, result = make() }
   end
   return list[key].result
end

local function storage_of(tensor, memo)
   return remembered(memo.storages, tensor:storage(), function()
      local all = tensor.new(tensor:storage())
      return types.tensors[tensor.dtype].new(all:nElement()):copy(all):storage()
   end)
end

local function tensor_of(tensor, memo)
   local copy = types.tensors[tensor.dtype].new()
   if tensor:storage() then
      copy:set(storage_of(tensor, memo), tensor:storageOffset(), tensor:size(), tensor:stride())
   end
   return copy
end

--- A copy: tables, objects and tensors are its own, functions and plain values are the source's.
-- @param value
-- @tab memo of M.memo
function M.of(value, memo)
   if is_tensor(value) then
      return remembered(memo.tensors, value, function() return tensor_of(value, memo) end)
   elseif type(value) ~= 'table' then
      return is_storage(value) and torch.deserialize(torch.serialize(value)) or value
   elseif not memo.objects[value] then
      local copy = setmetatable({}, getmetatable(value))
      memo.objects[value] = copy
      for key, entry in pairs(value) do
         rawset(copy, key, M.of(entry, memo))
      end
   end
   return memo.objects[value]
end

return M
