--- Objects as messages between the threads of a process.
--
--    message := double: number of the parcel, or 0; the object, in the binary form of .t7
-- @module threads.message
local ffi = require 'ffi'
local torch = require 'torch'
local threads = require 'threads.ffi'
local parcels = require 'threads.parcel'
local named = require 'threads.named'
local errors = require 'torch.errors'
local class = require 'torch.class'
local reader = require 'torch.serialize.reader'
local writer = require 'torch.serialize.writer'
local MemoryFile = require 'torch.MemoryFile'

local C = threads.C
local HEADER = 8 -- bytes
local LABEL = 'a message between threads'
local double = ffi.typeof 'double *'

local M = {}

local function quiet_require(name)
   if package.loaded[name] == nil then
      pcall(require, name)
   end
end

-- What a package's own objects need in any message: a mutex cannot be copied.
local function prepare(file, parcel, sharing)
   file.label_, file.named_, file.parcel_ = LABEL, named, parcel
   file.sharing_ = sharing and parcel or nil
end

--- An object as a message.
-- @param object what torch.save takes, and objects that threads share
-- @bool sharing whether tensors, storages and tds are shared, not copied
-- @string operation for messages of errors
-- @string name of the object, for these
-- @return CharStorage
function M.write(object, sharing, operation, name)
   local file = torch.MemoryFile():binary()
   local parcel = parcels.new()
   prepare(file, parcel, sharing)
   file.codec_.write.Double(file.stream_, 0)
   local ok, message = pcall(writer.writeObject, file, object, name, nil, operation)
   if not ok then
      C.threads_parcel_drop(parcel.id)
      error(message, 0)
   end
   local storage = file:storage()
   ffi.cast(double, storage.store.data)[0] = parcel.id
   return storage
end

--- The number of a message's parcel.
function M.parcelOf(storage)
   return ffi.cast(double, storage.store.data)[0]
end

--- The object of a message; once, where it shares anything.
-- @raise "threads.serialize.load: expected what save gave, got ..."
function M.read(storage, sharing, operation)
   if class.typename(storage) ~= 'torch.CharStorage' or #storage < HEADER then
      errors.raise(('%s: expected the CharStorage that `save` gave, got %s'):format(operation,
         class.typename(storage) == 'torch.CharStorage' and 'one of other bytes'
         or class.type(storage)))
   end
   local id = M.parcelOf(storage)
   if id ~= 0 and not C.threads_parcel_claim(id) then
      errors.raise(('%s: the objects that this message shares are gone: it has been loaded before, '
         .. 'or it is of another process'):format(operation))
   end
   local file = MemoryFile.over(storage):binary()
   prepare(file, parcels.of(id), sharing)
   file.require_ = quiet_require
   file.codec_.read.Double(file.stream_)
   local ok, result = pcall(reader.readObject, file, operation)
   C.threads_parcel_drop(id)
   if not ok then
      error(result, 0)
   end
   return result
end

return M
