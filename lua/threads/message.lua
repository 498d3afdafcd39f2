--- Objects as messages between the threads of a process.
--
--    message := double: number of the parcel, or 0; the object, in the binary form of .t7
--
-- Most are shorter: threads.plain.
-- @module threads.message
local ffi = require 'ffi'
local torch = require 'torch'
local threads = require 'threads.ffi'
local parcels = require 'threads.parcel'
local plain = require 'threads.plain'
local named = require 'threads.named'
local errors = require 'torch.errors'
local class = require 'torch.class'
local reader = require 'torch.serialize.reader'
local writer = require 'torch.serialize.writer'
local MemoryFile = require 'torch.file.MemoryFile'
local Storage = require 'torch.Storage'
local th = require 'torch.ffi'
local memory = require 'torch.io.memory'

local C = threads.C
local HEADER = 8 -- bytes
local LARGE = 2 ^ 20 -- bytes of a file that is not kept
local LABEL = 'a message between threads'
local double = ffi.typeof 'double *'

local M = {}

local function quiet_require(name)
   if package.loaded[name] == nil then
      pcall(require, name)
   end
end

-- One file for all messages that are written, one for all that are read: making one takes longer
-- than a small message does. A class's own `write` may write a message in between; that has
-- its own.
local writing, reading

local function writer_file()
   local file = writing or torch.MemoryFile():binary()
   writing = nil
   file.label_, file.named_ = LABEL, named
   file.stream_.cursor, file.stream_.filled = 0, 0
   return file
end

-- Let go what a file holds of what was written: a job's tensors must not live until the next one.
local function forget(file)
   file.written_, file.anchors_, file.count_, file.upvalueNumbers_ = nil, nil, nil, nil
   file.looked_ = nil
end

local function reader_file(storage)
   local stream = memory.overStorage(storage, #storage, false)
   local file = reading
   reading = nil
   if file then
      file.stream_ = stream
   else
      file = MemoryFile.over(storage):binary()
      file.label_, file.named_, file.require_ = LABEL, named, quiet_require
   end
   return file
end

local function written(file, id)
   local stream = file.stream_
   stream:flush()
   local bytes = Storage.allocate(th.C.TH_CHAR, stream.filled)
   ffi.cast(double, stream.window)[0] = id
   ffi.copy(bytes.store.data, stream.window, stream.filled)
   return bytes
end

--- An object as a message.
-- @param object what torch.save takes, and objects that threads share
-- @bool sharing whether tensors, storages and tds are shared, not copied
-- @string operation for messages of errors
-- @string name of the object, for these
-- @return CharStorage
function M.write(object, sharing, operation, name)
   local short = plain.write(object, sharing)
   if short then
      return short
   end
   local parcel = parcels.new()
   local file = writer_file()
   -- What cannot be copied, a mutex say, goes into the parcel in any message.
   file.parcel_, file.sharing_ = parcel, sharing and parcel or nil
   file.codec_.write.Double(file.stream_, 0)
   local ok, message = pcall(writer.writeObject, file, object, name, nil, operation)
   if not ok then
      C.threads_parcel_drop(parcel.id)
      error(message, 0)
   end
   local bytes = written(file, parcel.id)
   if #bytes < LARGE then
      forget(file)
      writing = file
   end
   return bytes
end

--- The number of a message's parcel.
function M.parcelOf(storage)
   return ffi.cast(double, storage.store.data)[0]
end

--- The object of a message; once, where it shares anything.
-- @raise "threads.serialize.load: expected what save gave, got ..."
function M.read(storage, sharing, operation)
   if th.isStorage(storage) then
      local ok, isPlain, object = pcall(plain.read, storage)
      if not ok then
         C.threads_parcel_drop(M.parcelOf(storage))
         errors.raise(('%s: %s: %s'):format(operation, LABEL, tostring(isPlain)))
      elseif isPlain then
         return object
      end
   end
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
   local parcel = parcels.of(id)
   local file = reader_file(storage)
   file.parcel_, file.sharing_ = parcel, sharing and parcel or nil
   file.stream_.cursor = HEADER
   local ok, result = pcall(reader.readObject, file, operation)
   C.threads_parcel_drop(id)
   if not ok then
      error(result, 0)
   end
   -- They hold the message and what came of it.
   file.stream_, file.objects_, file.sharedUpvalues_ = nil, nil, nil
   reading = file
   return result
end

--- A scheme of messages: what `Threads.serialization` may name.
-- @string name of the module, for messages of errors
-- @bool sharing as for `write`
-- @return table with save, load, parcelOf, and receive as threads.plain has it
function M.scheme(name, sharing)
   return {
      parcelOf = M.parcelOf, receive = plain.receive,
      save = function(object, operation, what)
         return M.write(object, sharing, operation or name .. '.save', what or 'object')
      end,
      load = function(storage)
         return M.read(storage, sharing, name .. '.load')
      end,
   }
end

return M
