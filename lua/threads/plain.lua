--- Plain messages: tables of numbers, strings and tensors, which most jobs and results are. They
-- take a tenth of the time of others. lib/threads/core/plain.h says what they are, and does it.
-- @module threads.plain
local th = require 'torch.ffi'
local class = require 'torch.class'
local names = require 'torch.serialize.names'
local threads = require 'threads.ffi'

local Tensor = th.Tensor
local write = assert(package.loadlib(threads.path, 'threads_plain_write'))
local read = assert(package.loadlib(threads.path, 'threads_plain_read'))
local receive = assert(package.loadlib(threads.path, 'threads_pool_receive'))

local M = {}

-- Of an object with a metatable: its class's name where its fields are all there is of it.
-- @return nil for a table that is no instance, false for an instance with ways of its own
local function nameOf(object)
   local methods = class.classOf(object)
   if not methods then
      return nil
   elseif methods.__share or methods.__write ~= nil or methods.write ~= nil
      or methods.__read ~= nil or methods.read ~= nil then
      return false
   end
   return class.typename(object)
end

--- A plain object as a message.
-- @bool sharing whether tensors may be in it, which are shared then
-- @return CharStorage; nil where something in it is not plain
function M.write(object, sharing)
   local bytes = th.Storage()
   return write(object, bytes, nameOf, sharing and th.isTensor or nil) and bytes or nil
end

local function newTensor()
   return Tensor()
end

-- Another thread may have packages that this one has not.
local function load_package(name)
   if package.loaded[name] == nil then
      pcall(require, name)
   end
end

local function newInstance(name)
   local factory = class.factory(name)
   if not factory then
      load_package(name:match '^[^.]*')
      factory = class.factory(name) or names.unknown(name)
   end
   return factory()
end

--- The object of a plain message. After an error its parcel is there still.
-- @param bytes storage handle
-- @return true and the object; false where this is none, or was read before
function M.read(bytes)
   return read(bytes, newTensor, newInstance)
end

--- A pool's next result, where that is a plain message.
-- @param job which is told about it
-- @return true and the result, which is taken, or false and why it cannot be loaded; nothing where
-- it is another message, or not there
function M.receive(handle, job)
   return receive(handle, newTensor, newInstance, job)
end

return M
