--- Lua values between processes: what `torch.serialize` writes.
-- @module distributed.objects
local torch = require 'torch'
local distributed = require 'distributed.module'
local options = require 'torch.options'

local KNOWN = { root = 'count', group = 'list' }

local function bytes_of(object)
   local text = torch.serialize(object)
   return torch.ByteTensor(torch.ByteStorage():string(text)), #text
end

local function object_of(bytes)
   return torch.deserialize(bytes:contiguous():storage():string():sub(bytes:storageOffset(),
      bytes:storageOffset() + bytes:nElement() - 1))
end

--- Give all ranks a value that one has: nil, number, string, table, torch object.
-- @param object on the root; ignored on the others
-- @tab[opt] settings root (1), group
-- @return the object: on the root itself, on the others a copy
-- @usage distributed.broadcastObject(object [, {root = 1}])
-- @example
-- local distributed = require 'distributed'
-- distributed.broadcastObject({ rate = 0.1 }).rate --> 0.1
function distributed.broadcastObject(object, settings)
   settings = options.check('distributed.broadcastObject', settings, KNOWN)
   if distributed.size(settings.group) == 1 then
      return object
   end
   local root = settings.root or (settings.group and settings.group.ranks[1]) or 1
   local is_root = distributed.rank() == root
   local bytes, length = torch.ByteTensor(), 0
   if is_root then
      bytes, length = bytes_of(object)
   end
   local size = torch.LongTensor { length }
   distributed.broadcast(size, { root = root, group = settings.group })
   if not is_root then
      bytes:resize(size[1])
   end
   distributed.broadcast(bytes, { root = root, group = settings.group })
   if is_root then
      return object
   end
   return object_of(bytes)
end

--- The values of all ranks, on all ranks.
-- @param object of this rank
-- @tab[opt] settings group
-- @return list by rank (by place, in a group)
-- @usage distributed.gatherObjects(object) -> table
-- @example
-- local distributed = require 'distributed'
-- distributed.gatherObjects('mine') --> { 'mine' }
function distributed.gatherObjects(object, settings)
   settings = options.check('distributed.gatherObjects', settings, { group = 'list' })
   if distributed.size(settings.group) == 1 then
      return { object }
   end
   local bytes, length = bytes_of(object)
   local lengths = distributed.allGather(torch.LongTensor { length }, settings)
   local padded = torch.ByteTensor(lengths:max()):zero()
   padded:narrow(1, 1, length):copy(bytes)
   local all, list = distributed.allGather(padded, settings), {}
   for i = 1, all:size(1) do
      list[i] = object_of(all[i]:narrow(1, 1, lengths[i][1]))
   end
   return list
end
