--- What containers hold, and how it goes in and out: `require 'tds.elem'`.
--
-- Numbers, strings, booleans, functions (with their upvalues, as torch.serialize writes them),
-- tensors, storages, containers; and what a script teaches it.
-- @module tds.elem
require 'torch' -- whose hooks for FFI objects come first
local ffi = require 'ffi'
local C = require 'tds.ffi'
local th = require 'torch.ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local Storage = require 'torch.Storage'

local type = type
local raise = errors.raise
local Tensor = th.Tensor
local NUMBER, STRING, BOOLEAN = C.TDS_NUMBER, C.TDS_STRING, C.TDS_BOOLEAN
local FUNCTION, OBJECT, NIL = C.TDS_FUNCTION, C.TDS_OBJECT, C.TDS_NIL
local SHORT = C.TDS_SHORT

local M = {}

local function noMemory(operation)
   raise(operation .. ': not enough memory')
end
M.noMemory = noMemory

--- The class of an object, by which it is known how to store it; a script may put another
-- function in its place.
-- @usage elem.type(obj) -> string
M.type = class.type

-- --- kinds of objects ----------------------------------------------------------------------------

local setters = {} -- type -> function(object): number of the kind, pointer with a reference
local getters = {} -- number of a kind -> function(pointer): object

local function addKind(name, retain, release, share, get)
   local kind = C.tds_kind(name, retain, release, share)
   if kind < 0 then
      raise('tds: there are too many kinds of objects')
   end
   getters[kind] = get
   return kind
end

--- Make a class of the tds package, whose objects are a struct with a counted pointer. They go into
-- containers, and into messages between threads that share them (threads.parcel).
-- @tab mt its metatable; gets how objects are freed, compared, and made for a file
-- @tab calls struct, pointer: C types of an object and of its handle; create, retain, release and,
-- optionally, share: C functions of the handle; gone: the handle of objects that have been freed
-- @return function that makes an empty object
function M.container(mt, calls)
   local ref -- C type of the objects
   local retain, release, share = calls.retain, calls.release, calls.share
   local name = mt.__typename
   local kind = addKind(name, retain, release, share, function(handle)
      retain(handle)
      local self = ref()
      self.__tds_handle = handle
      return self
   end)
   setters[name] = function(object)
      retain(object.__tds_handle)
      return kind, object.__tds_handle
   end

   -- Each look into a container gives a new handle; what it is of is the same object.
   local former = class.cdatapointer
   class.cdatapointer = function(x)
      if ffi.istype(ref, x) then
         return tonumber(ffi.cast('uintptr_t', x.__tds_handle))
      end
      return former(x)
   end
   function mt.__eq(a, b) -- LuaJIT asks where one is of the class; the other may be anything
      return ffi.istype(ref, a) and ffi.istype(ref, b) and a.__tds_handle == b.__tds_handle
   end

   local giveBack = ffi.cast('void (*)(void *)', release)
   function mt.__share(self, file)
      if share then
         share(self.__tds_handle)
      end
      retain(self.__tds_handle)
      file:writeInt(file.sharing_:add(name, self.__tds_handle, giveBack))
   end
   function mt.__unshare(self, file)
      local shared = file.sharing_:get(file:readInt(), name)
      retain(shared)
      giveBack(self.__tds_handle) -- of the empty one that reading begins with
      self.__tds_handle = ffi.cast(calls.pointer, shared)
   end

   function mt.__gc(self)
      release(self.__tds_handle)
      self.__tds_handle = calls.gone -- when a Lua state ends, other finalizers may still use it
   end

   function mt.__factory()
      local handle = calls.create()
      if handle == nil then
         noMemory(name)
      end
      local self = ref()
      self.__tds_handle = handle
      return self
   end

   ref = ffi.metatype(calls.struct, mt)
   class.metatype(name, mt, ref)
   return mt.__factory
end

--- Let objects of a C type into containers.
-- @string ttype the type, as elem.type calls it
-- @param free_p C function that gives a reference to the C object back
-- @param setfunc function(object): pointer to the C object, with one more reference, and free_p
-- @param getfunc function(pointer): object, with a reference of its own
-- @usage elem.addctype(ttype, free_p, setfunc, getfunc)
function M.addctype(ttype, free_p, setfunc, getfunc)
   local release = ffi.cast('void (*)(void *)', free_p)
   local kind = addKind(ttype, nil, release, nil, getfunc)
   setters[ttype] = function(object)
      return kind, (setfunc(object))
   end
end

--- A value as a container's constructor takes it: tables become containers.
function M.converted(value)
   if type(value) ~= 'table' or class.typename(value) then
      return value
   end
   for key in pairs(value) do
      if type(key) ~= 'number' or key < 1 or key % 1 ~= 0 then
         return require 'tds.Hash'(value)
      end
   end
   return require 'tds.Vec'(value)
end

local tensorKind = C.tds_tensor_kind()
getters[tensorKind] = function(box)
   local t = Tensor()
   ffi.copy(t, C.tds_tensor_get(box), ffi.sizeof(t))
   th.C.TH_Tensor_retain(t)
   return t
end

local function setTensor(t)
   local box = C.tds_tensor_new(t)
   if box == nil then
      noMemory 'tds'
   end
   return tensorKind, box
end

local storageKind = C.tds_storage_kind()
getters[storageKind] = function(store)
   return Storage.wrap(ffi.cast('TH_Storage *', store))
end

local function setStorage(s)
   th.C.TH_Storage_retain(s.store)
   return storageKind, ffi.cast('void *', s.store)
end

local function setterOf(object)
   if th.isTensor(object) then
      return setTensor
   elseif th.isStorage(object) then
      return setStorage
   end
   return setters[M.type(object)]
end

--- A value into an element, for a call of the library.
-- @return what has to stay alive until then
function M.set(e, value, operation)
   local kind = type(value)
   if kind == 'number' then
      e.type, e.number = NUMBER, value
   elseif kind == 'string' then
      e.type, e.string, e.size = STRING, value, #value
   elseif kind == 'boolean' then
      e.type, e.number = BOOLEAN, value and 1 or 0
   elseif kind == 'nil' then
      e.type = NIL
   elseif kind == 'function' then
      local text = require('torch.serialize').serialize(value)
      e.type, e.string, e.size = FUNCTION, text, #text
      return text
   else
      local set = setterOf(value)
      if not set then
         raise(('%s: a %s cannot be stored; numbers, strings, booleans, functions, tensors, '
            .. 'storages and tds objects can%s'):format(operation, M.type(value),
            kind == 'table' and ': make a tds.Hash or tds.Vec of the table' or ''))
      end
      local number, pointer = set(value)
      e.type, e.kind, e.object = OBJECT, number, pointer
   end
   return value
end

-- Lua's object takes a reference; the one that came with the element goes back.
local function getObject(kind, pointer)
   local get = getters[kind]
   if not get then -- stored by another thread, which knows more packages
      local name = ffi.string(C.tds_kind_name(kind))
      C.tds_return_object(kind, pointer)
      raise(('tds: a %s is stored here, which this thread does not know: require its package')
         :format(name))
   end
   local object = get(pointer)
   C.tds_return_object(kind, pointer)
   return object
end

local function getText(pointer, size)
   local text = ffi.string(pointer, size)
   C.tds_return_text(pointer)
   return text
end

--- What a call reads numbers, booleans and short texts into. It serves for all calls: a finalizer
-- that runs behind one's own call may have read something else into it.
-- @usage local calls = reading.calls
-- local known, value = elem.known(C.tds_vec_read(handle, place, reading), calls)
local reading = ffi.new 'tds_reading'
M.reading = reading

--- The value that a call has read.
-- @int kind what the call answered
-- @number calls reading.calls before it
-- @return whether it is known; the value. Otherwise it is to be read as an element
function M.known(kind, calls)
   local value
   if kind == NUMBER then
      value = reading.number
   elseif kind == STRING then
      value = ffi.string(reading.text, reading.size)
   elseif kind == BOOLEAN then
      value = reading.number ~= 0
   elseif kind ~= NIL then
      return false
   end
   return reading.calls == calls + 1, value
end

--- The value of an element that a call has filled.
function M.get(e)
   local kind = e.type
   if kind == NUMBER then
      return e.number
   elseif kind == STRING then
      local size = e.size
      return getText(e.string, size)
   elseif kind == BOOLEAN then
      return e.number ~= 0
   elseif kind == FUNCTION then
      local size = e.size
      return require('torch.serialize').deserialize(getText(e.string, size))
   elseif kind == OBJECT then
      local number = e.kind
      return getObject(number, e.object)
   elseif kind == SHORT then
      noMemory 'tds'
   end
   return nil
end

return M
