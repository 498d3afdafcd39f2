--- Serialisation between threads that shares tensors, storages and tds, and copies everything else.
--
-- The memory of a shared storage stays where it is: it cannot grow any more. Who writes while others
-- read has to lock (threads.Mutex, threads.safe).
-- @module threads.sharedserialize
local message = require 'threads.message'
require('torch.errors').library()

local M = { parcelOf = message.parcelOf }

--- An object as a message for another thread of the process, which is loaded once. Tensors in it
-- are the same memory there.
-- @param object as for threads.serialize.save
-- @return torch.CharStorage
-- @usage require('threads.sharedserialize').save(object) -> CharStorage
-- @example
-- local serialize = require 'threads.sharedserialize'
-- local x = torch.zeros(2)
-- serialize.load(serialize.save(x)):fill(1)
-- x[1] --> 1
function M.save(object, operation, name)
   return message.write(object, true, operation or 'threads.sharedserialize.save', name or 'object')
end

--- The object of a message.
-- @param storage torch.CharStorage that `save` gave
-- @usage require('threads.sharedserialize').load(storage) -> object
function M.load(storage)
   return message.read(storage, true, 'threads.sharedserialize.load')
end

return M
