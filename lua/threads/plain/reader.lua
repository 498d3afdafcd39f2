--- Reading plain messages.
-- @module threads.plain.reader
local ffi = require 'ffi'
local th = require 'torch.ffi'
local class = require 'torch.class'
local types = require 'torch.types'
local names = require 'torch.serialize.names'
local form = require 'threads.plain.form'

local C = th.C
local cast = ffi.cast

local M = {}

local NIL, FALSE, TRUE, NUMBER = form.NIL, form.FALSE, form.TRUE, form.NUMBER
local STRING, TABLE, OBJECT, TENSOR = form.STRING, form.TABLE, form.OBJECT, form.TENSOR

local longs, doubles = ffi.typeof 'int64_t *', ffi.typeof 'double *'
local storages = ffi.typeof 'TH_Storage *'
local holder = th.Storage()

-- The bytes may be anyone's: no word is read that is not there.
local function check(n, size)
   if n > size then
      error('the data end inside an object', 0)
   end
end

local function readString(words, at, size)
   check(at + 1, size)
   local length = tonumber(words[at])
   local n = math.ceil(length / 8)
   check(length >= 0 and at + 1 + n or size + 1, size)
   return ffi.string(words + at + 1, length), at + 1 + n
end

local function readTensor(words, at, size, contents)
   check(at + 4, size)
   local place, dtype = tonumber(words[at]), tonumber(words[at + 1])
   local n = tonumber(words[at + 3])
   if not types.names[dtype] or n < 0 or n > C.TH_MAX_DIMS then
      error(('a tensor of type %d with %d dimensions'):format(dtype, n), 0)
   end
   check(at + 4 + 2 * n, size)
   local x = th.Tensor()
   C.TH_Tensor_init(x, dtype, C.TH_CPU, 0)
   if place >= 0 then
      local store = cast(storages, contents:get(place, 'storage'))
      if store.dtype ~= dtype or store.device_type ~= C.TH_CPU then
         error('a storage of another type is shared here', 0)
      end
      C.TH_StorageRef_set(holder, store)
      local sizes, strides = words + at + 4, words + at + 4 + n
      local status = C.TH_setStorage(x, holder, words[at + 2], n, sizes, strides)
      C.TH_StorageRef_release(holder)
      th.check(status)
   end
   return x, at + 4 + 2 * n
end

local readValue

local function readFields(t, words, values, at, size, contents)
   check(at + 1, size)
   local count = tonumber(words[at])
   at = at + 1
   for _ = 1, count do
      local key, value
      key, at = readValue(words, values, at, size, contents)
      if key == nil or key ~= key then
         error(('a table with %s as a key'):format(tostring(key)), 0)
      end
      value, at = readValue(words, values, at, size, contents)
      rawset(t, key, value)
   end
   return t, at
end

local function instance(name)
   local factory = class.factory(name)
   if not factory then -- another thread has its package
      pcall(require, name:match '^[^.]*')
      factory = class.factory(name) or names.unknown(name)
   end
   return factory()
end

-- `values` are the words as doubles.
readValue = function(words, values, at, size, contents)
   check(at + 1, size)
   local kind = tonumber(words[at])
   at = at + 1
   if kind == NUMBER then
      check(at + 1, size)
      return values[at], at + 1
   elseif kind == STRING then
      return readString(words, at, size)
   elseif kind == TABLE then
      return readFields({}, words, values, at, size, contents)
   elseif kind == TENSOR then
      return readTensor(words, at, size, contents)
   elseif kind == OBJECT then
      local name
      name, at = readString(words, at, size)
      return readFields(instance(name), words, values, at, size, contents)
   elseif kind == TRUE or kind == FALSE then
      return kind == TRUE, at
   elseif kind == NIL then
      return nil, at
   end
   error(('unknown kind of object %d'):format(kind), 0)
end

--- Whether a message is a plain one.
function M.is(storage)
   return #storage >= 8 * form.HEADER and cast(longs, storage.store.data)[1] == form.PLAIN
end

--- The object of a plain message.
-- @param contents its parcel
function M.read(storage, contents)
   local words, values = cast(longs, storage.store.data), cast(doubles, storage.store.data)
   return (readValue(words, values, form.HEADER, math.floor(#storage / 8), contents))
end

return M
