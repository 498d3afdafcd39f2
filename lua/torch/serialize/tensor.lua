--- The payload of tensors and storages in .t7 files.
--
--    tensor  := int nDimension, long size[n], long stride[n], long storageOffset (from 1),
--               storage as an object, or nil for a tensor without one
--    storage := long count, then count elements
--
-- Reading checks that a tensor lies within its storage, and takes no more memory than the file can
-- fill. Elements go between the file and the storage's memory without a copy.
-- @module torch.serialize.tensor
local ffi = require 'ffi'
local class = require 'torch.class'
local th = require 'torch.ffi'
local types = require 'torch.io.types'
local names = require('torch.types').names

local M = {}

local C = th.C
local MAX_DIMS = C.TH_MAX_DIMS
local FIRST_PIECE = 1048576 -- elements read at first where the file's size is unknown

local cast = ffi.cast

-- readObject, when it is what called us, adds the place and blames the user's line.
local function fail(file, message, ...)
   message = message:format(...)
   if file.depth_ > 0 then
      error(message, 0)
   end
   th.raise(('%s: %s'):format(file.label_, message))
end

local function ended(file)
   file.ended_ = true
   fail(file, 'read error: the data end inside a tensor or storage')
end

local function elementType(storage)
   return types[names[storage.store.dtype]]
end

local function fits(storage, tensor)
   return th.isStorage(storage) and storage.store.dtype == tensor.dtype
      and storage.store.device_type == tensor.device_type
end

-- Half and bfloat16 are text as floats, and bits otherwise.
local function asFloats(file, T)
   return T.opaque and not file.binary_
end

-- What torch.save does with a storage: its length, then its elements.
function M.writeStorage(storage, file)
   local stream, codec = file:writing(), file.codec_
   local T, n = elementType(storage), #storage
   codec.write.Long(stream, n)
   if asFloats(file, T) then
      local values = ffi.new('float[?]', n)
      for i = 1, n do
         values[i - 1] = storage[i]
      end
      codec.writeBlock(stream, types.Float, values, n)
   else
      codec.writeBlock(stream, T, cast(T.pointer, th.elements(storage)), n)
   end
   file:wrote()
end

-- Fill storage[done + 1 .. n].
local function readElements(file, T, storage, done, n)
   local stream, codec = file.stream_, file.codec_
   storage:resize(n)
   if asFloats(file, T) then
      local cell = types.Float.cell()
      for i = done + 1, n do
         if codec.readBlock(stream, types.Float, cell, 1) < 1 then
            ended(file)
         end
         storage[i] = cell[0]
      end
      return
   end
   local first = cast(T.pointer, th.elements(storage)) + done
   local count = codec.readBlock(stream, T, first, n - done)
   th.written(storage)
   if count < n - done then
      ended(file)
   end
end

-- What torch.load does with a storage: memory is taken for what the file can hold.
function M.readStorage(storage, file)
   local stream, codec = file:reading(), file.codec_
   local T = elementType(storage)
   local n = codec.read.Long(stream) or ended(file)
   if n < 0 then
      fail(file, 'a %s with %.0f elements', T.storage, n)
   end
   local done = 0
   local needed = n * codec.smallest[T.name]
   if needed > stream.filled - stream.cursor then
      local remaining = stream:remaining()
      if remaining and needed > remaining then
         fail(file, 'read error: a %s of %.0f elements does not fit into the %.0f bytes that are '
            .. 'left', T.storage, n, remaining)
      elseif not remaining then
         -- A pipe: believe the count only as far as data come.
         local piece = FIRST_PIECE
         while done + piece < n do
            readElements(file, T, storage, done, done + piece)
            done, piece = done + piece, done + piece
         end
      end
   end
   readElements(file, T, storage, done, n)
end

--- What torch.save does with a tensor: sizes, strides and offset, then its storage.
-- @function write
-- @usage t:write(file)
function M.writeTensor(tensor, file)
   local stream, codec = file:writing(), file.codec_
   local n = tensor:dim()
   local longs = ffi.new('int64_t[?]', MAX_DIMS)
   codec.write.Int(stream, n)
   for d = 1, n do
      longs[d - 1] = tensor:size(d)
   end
   codec.writeBlock(stream, types.Long, longs, n)
   for d = 1, n do
      longs[d - 1] = tensor:stride(d)
   end
   codec.writeBlock(stream, types.Long, longs, n)
   codec.write.Long(stream, tensor:storageOffset())
   file:writeObject(tensor:storage())
end

-- The geometry of a tensor must stay within its storage, or the first use reads foreign memory.
-- @return number of elements
local function check(file, tensor, n, sizes, strides, offset, storage)
   local name, last, elements = class.typename(tensor), offset, 1
   for d = 0, n - 1 do
      local size, stride = tonumber(sizes[d]), tonumber(strides[d])
      if size < 0 then
         fail(file, 'a %s with size %.0f in dimension %d', name, size, d + 1)
      elseif stride < 0 then
         fail(file, 'a %s with stride %.0f in dimension %d', name, stride, d + 1)
      end
      elements = elements * size
      last = last + (size - 1) * stride
   end
   if storage ~= nil and not fits(storage, tensor) then
      fail(file, 'a %s whose storage is a %s', name, class.type(storage))
   elseif n > 0 and elements > 0 and storage == nil then
      fail(file, 'a %s with sizes but without a storage', name)
   elseif offset < 1 or offset > 2 ^ 53 then
      fail(file, 'a %s with storageOffset %.0f', name, offset)
   elseif n > 0 and elements > 0 and (last > #storage or elements > 2 ^ 53) then
      fail(file, 'a %s that reaches to element %.0f of a storage of %.0f', name, last, #storage)
   end
   return elements
end

local function readLongs(file, n)
   local longs = ffi.new('int64_t[?]', MAX_DIMS)
   if file.codec_.readBlock(file.stream_, types.Long, longs, n) < n then
      ended(file)
   end
   return longs
end

--- What torch.load does with a tensor: the geometry is checked against the storage's length.
-- @function read
-- @usage t:read(file)
function M.readTensor(tensor, file)
   local stream, codec = file:reading(), file.codec_
   local name = class.typename(tensor)
   local n = codec.read.Int(stream) or ended(file)
   if n < 0 or n > MAX_DIMS then
      fail(file, 'a %s with %d dimensions; at most %d are supported', name, n, MAX_DIMS)
   end
   local sizes, strides = readLongs(file, n), readLongs(file, n)
   local offset = codec.read.Long(stream) or ended(file)
   local storage = file:readObject()
   if check(file, tensor, n, sizes, strides, offset, storage) == 0 then
      n = 0
   end
   if storage ~= nil then
      th.check(C.TH_setStorage(tensor, storage, offset - 1, n, sizes, strides))
   end
end

-- In a message to another thread of the process a storage can be a reference: its place in the
-- message's parcel (lua/threads/parcel.lua).
local release = cast('void (*)(void *)', C.TH_Storage_release)

local function shareStorage(storage, file)
   C.TH_Storage_give(storage.store)
   file.codec_.write.Int(file.stream_, file.sharing_:add('storage', storage.store, release))
end

-- The storage at a place of the message's parcel, which must be of some type.
local function shared(file, place, dtype, deviceType)
   local store = cast('TH_Storage *', file.sharing_:get(place, 'storage'))
   if store.dtype ~= dtype or store.device_type ~= deviceType then
      fail(file, 'a storage of another type is shared here')
   end
   return store
end

local function unshareStorage(storage, file)
   local place = file.codec_.read.Int(file.stream_) or ended(file)
   local own = storage.store
   C.TH_StorageRef_set(storage, shared(file, place, own.dtype, own.device_type))
end

local function shareTensor(tensor, file)
   file.codec_.write.Int(file.stream_, file.sharing_:addTensor(tensor))
end

local function unshareTensor(tensor, file)
   file.sharing_:tensor(file.codec_.read.Int(file.stream_) or ended(file), tensor)
end

--- Give a class of tensors and its class of storages their read and write methods.
function M.install(tensorMethods, storageMethods)
   tensorMethods.read, tensorMethods.write = M.readTensor, M.writeTensor
   storageMethods.read, storageMethods.write = M.readStorage, M.writeStorage
   tensorMethods.__share, tensorMethods.__unshare = shareTensor, unshareTensor
   storageMethods.__share, storageMethods.__unshare = shareStorage, unshareStorage
end

return M
