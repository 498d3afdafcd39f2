--- Serialisation between threads that copies everything: the default.
-- `Threads.serialization` chooses; any module with these two functions will do.
-- @module threads.serialize
local message = require 'threads.message'
require('torch.errors').library()

local M = message.scheme('threads.serialize', false)

--- An object as a message for another thread of the process.
-- @param object nil, number, string, boolean, table, function with its upvalues, torch object,
-- nested at will
-- @function save
-- @return torch.CharStorage
-- @raise "threads.serialize.save: ... Unwritable object <thread> at object.x"
-- @usage require('threads.serialize').save(object) -> CharStorage
-- @example
-- local serialize = require 'threads.serialize'
-- serialize.load(serialize.save { 1, 'two' }) --> { 1, 'two' }

--- The object of a message. A message that shares something (a mutex, a queue) is loaded once.
-- @function load
-- @param storage torch.CharStorage that `save` gave
-- @usage require('threads.serialize').load(storage) -> object

return M
