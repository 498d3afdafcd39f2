--- Writing plain messages.
-- @module threads.plain.writer
local ffi = require 'ffi'
local th = require 'torch.ffi'
local threads = require 'threads.ffi'
local class = require 'torch.class'
local Storage = require 'torch.Storage'
local form = require 'threads.plain.form'
local parcels = require 'threads.parcel'

local C = th.C
local isTensor = th.isTensor
local cast, copy = ffi.cast, ffi.copy

local M = {}

local PLAIN, HEADER = form.PLAIN, form.HEADER
local NIL, FALSE, TRUE, NUMBER = form.NIL, form.FALSE, form.TRUE, form.NUMBER
local STRING, TABLE, OBJECT, TENSOR = form.STRING, form.TABLE, form.OBJECT, form.TENSOR
local DEEPEST = 50 -- of nested tables: Lua's stack has room for them
local KEPT = 2 ^ 17 -- words of a buffer that is kept

local longs, doubles = ffi.typeof 'int64_t *', ffi.typeof 'double *'
local release = cast('void (*)(void *)', C.TH_Storage_release)

-- The message that is being written: its words, as integers and as doubles; how many there are.
local memory, integers, numbers
local used, room = 0, 0
local sharing, seen, parcel

local function grow(n)
   room = math.max(2 * room, used + n, 256)
   local larger = ffi.new('int64_t[?]', room)
   if memory ~= nil then
      copy(larger, memory, 8 * used)
   end
   memory, integers, numbers = larger, cast(longs, larger), cast(doubles, larger)
end
jit.off(grow)

local function need(n)
   if used + n > room then
      grow(n)
   end
end

local function putString(text)
   local size = #text
   local n = math.ceil(size / 8)
   need(1 + n)
   integers[used] = size
   copy(integers + used + 1, text, size)
   used = used + 1 + n
end

local function putTensor(x)
   local store, n = x.store, x.ndim
   need(5 + 2 * n)
   integers[used], integers[used + 1] = TENSOR, -1
   if store ~= nil then
      C.TH_Storage_give(store)
      parcel = parcel or parcels.new()
      integers[used + 1] = parcel:add('storage', store, release)
   end
   integers[used + 2], integers[used + 3], integers[used + 4] = x.dtype, x.offset, n
   copy(integers + used + 5, x.sizes, 8 * n)
   copy(integers + used + 5 + n, x.strides, 8 * n)
   used = used + 5 + 2 * n
end

-- Instances whose fields are all there is of them.
local function isBare(methods)
   return methods.__share == nil and methods.__write == nil and methods.write == nil
      and methods.__read == nil and methods.read == nil
end

local putValue

local function putFields(t, depth)
   need(1)
   local place, count = used, 0
   used = used + 1
   for key, value in next, t do
      count = count + 1
      if not putValue(key, depth) or not putValue(value, depth) then
         return false
      end
   end
   integers[place] = count
   return true
end

local function putTable(t, depth)
   local methods = class.classOf(t)
   if depth > DEEPEST or seen[t] or (methods and not isBare(methods)) then
      return false
   end
   seen[t] = true
   need(1)
   integers[used] = methods and OBJECT or TABLE
   used = used + 1
   if methods then
      putString(class.typename(t))
   end
   return putFields(t, depth + 1)
end

-- Write a value unless it, or something in it, is not plain.
-- @return whether it was
putValue = function(value, depth)
   local kind = type(value)
   need(2)
   if kind == 'number' then
      integers[used], numbers[used + 1] = NUMBER, value
      used = used + 2
   elseif kind == 'string' then
      integers[used] = STRING
      used = used + 1
      putString(value)
   elseif kind == 'table' then
      return putTable(value, depth)
   elseif kind == 'userdata' then
      if not (sharing and isTensor(value)) or value.device_type ~= C.TH_CPU or seen[value] then
         return false
      end
      seen[value] = true
      putTensor(value)
   elseif kind == 'boolean' then
      integers[used] = value and TRUE or FALSE
      used = used + 1
   elseif kind == 'nil' then
      integers[used] = NIL
      used = used + 1
   else
      return false
   end
   return true
end

local function put(object)
   if not putValue(object, 0) then
      return nil
   end
   numbers[0], integers[1] = parcel and parcel.id or 0, PLAIN
   local bytes = Storage.allocate(C.TH_CHAR, 8 * used)
   copy(bytes.store.data, memory, 8 * used)
   return bytes
end

--- A plain object as a message.
-- @bool shared whether tensors may be in it, which are shared then
-- @return CharStorage; nil where something in it is not plain
function M.write(object, shared)
   used, sharing, seen, parcel = 0, shared, {}, nil
   need(HEADER)
   used = HEADER
   local ok, bytes = pcall(put, object)
   local sent = parcel
   seen, parcel = nil, nil
   if room > KEPT then
      memory, integers, numbers, room = nil, nil, nil, 0 -- luacheck: ignore 331
   end
   if not bytes or not ok then
      threads.C.threads_parcel_drop(sent and sent.id or 0)
   end
   if not ok then
      error(bytes, 0)
   end
   return bytes
end

return M
