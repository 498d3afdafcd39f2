--- Serialisation between threads that shares tensors, storages and tds, and copies everything else.
--
-- The memory of a shared storage stays where it is: it cannot grow any more. Who writes while
-- others read has to lock (threads.Mutex, threads.safe).
-- @module threads.sharedserialize
local message = require 'threads.message'
require('torch.errors').library()

local M = message.scheme('threads.sharedserialize', true)

--- An object as a message for another thread of the process, which is loaded once. Tensors in it
-- are the same memory there.
-- @function save
-- @param object as for threads.serialize.save
-- @return torch.CharStorage
-- @usage require('threads.sharedserialize').save(object) -> CharStorage
-- @example
-- local serialize = require 'threads.sharedserialize'
-- local x = torch.zeros(2)
-- serialize.load(serialize.save(x)):fill(1)
-- x[1] --> 1

--- The object of a message.
-- @function load
-- @param storage torch.CharStorage that `save` gave
-- @usage require('threads.sharedserialize').load(storage) -> object

return M
