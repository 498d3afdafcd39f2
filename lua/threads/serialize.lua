--- Serialisation between threads that copies everything: the default.
-- `Threads.serialization` chooses; any module with these two functions will do.
-- @module threads.serialize
local message = require 'threads.message'
require('torch.errors').library()

local M = { parcelOf = message.parcelOf }

--- An object as a message for another thread of the process.
-- @param object nil, number, string, boolean, table, function with its upvalues, torch object,
-- nested at will
-- @return torch.CharStorage
-- @raise "threads.serialize.save: a message between threads: Unwritable object <thread> at <object.x>"
-- @usage require('threads.serialize').save(object) -> CharStorage
-- @example
-- local serialize = require 'threads.serialize'
-- serialize.load(serialize.save { 1, 'two' }) --> { 1, 'two' }
function M.save(object, operation, name)
   return message.write(object, false, operation or 'threads.serialize.save', name or 'object')
end

--- The object of a message. A message that shares something (a mutex, a queue) is loaded once.
-- @param storage torch.CharStorage that `save` gave
-- @usage require('threads.serialize').load(storage) -> object
function M.load(storage)
   return message.read(storage, false, 'threads.serialize.load')
end

return M
