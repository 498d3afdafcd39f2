--- Storages: flat, reference-counted memory, torch.FloatStorage and its kin.
-- @module torch.Storage
local ffi = require 'ffi'
local floor = math.floor
local tobit = require('bit').tobit
local th = require 'torch.ffi'
local types = require 'torch.types'
local class = require 'torch.class'
local access = require 'torch.tensor.access'
local structs = require 'torch.tensor.structs'

local type = type -- torch puts its own in the global's place

local C, Storage, check, raise = th.C, th.Storage, th.check, th.raise
local isStorage, numeric = th.isStorage, th.numeric
local classes, fields = types.storages, types.fields

local M = {}
local methods = {}

local function allocate(number, length)
   th.relieve()
   local s = Storage()
   local dtype, deviceType = types.split(number)
   local device = types.currentDevice[deviceType]()
   if C.TH_Storage_new(s, dtype, deviceType, device, length) ~= 0 then
      th.recover()
      check(C.TH_Storage_new(s, dtype, deviceType, device, length))
   end
   return s
end
M.allocate = allocate

-- The storage as a vector, for what tensors do better; nil when it has no elements.
local function asTensor(s)
   if s.store.length == 0 then
      return nil
   end
   local t = th.Tensor()
   C.TH_Tensor_init(t, s.store.dtype, s.store.device_type, s.store.device)
   local n = ffi.new('int64_t[1]', s.store.length)
   check(C.TH_setStorage(t, s, 0, 1, n, nil))
   return t
end

--- Elements of any type in a storage's memory, from a byte on (counted from 0) that such elements
-- may begin at.
function M.viewAs(number, base, byte, length)
   local s = Storage()
   local dtype = types.split(number)
   check(C.TH_Storage_viewAs(s, dtype, base, byte, length))
   return s
end

-- Shared memory is a file in /dev/shm that lives as long as the storage that made it.
local function mapFile(number, path, shared, length, sharedMemory)
   local s = Storage()
   local dtype = types.split(number)
   if sharedMemory then
      path, shared = '/dev/shm/' .. path, true
   end
   shared, sharedMemory = shared and true or false, sharedMemory and true or false
   length = length or 0
   if C.TH_Storage_map(s, dtype, path, shared, sharedMemory, length) ~= 0 then
      th.recover()
      check(C.TH_Storage_map(s, dtype, path, shared, sharedMemory, length))
   end
   return s
end

-- Storages over memory that an FFI object owns, and that object: it has to live as long as they do.
-- An entry holds a reference of its own and goes when only that is left, which is looked for at
-- each of the collector's cycles.
local owners = {} -- list of { storage, object }

local function forgetOwners()
   for i = #owners, 1, -1 do
      local store = owners[i][1].store
      if store == nil or store.references == 1 then -- nil when the process ends
         table.remove(owners, i)
      end
   end
end

local function watchOwners()
   getmetatable(newproxy(true)).__gc = function()
      forgetOwners()
      if #owners > 0 then
         watchOwners()
      end
   end
end

local LOWEST = 4096 -- address that memory may have: the first page belongs to no program

local function overMemory(number, length, memory)
   local dtype, deviceType = types.split(number)
   if deviceType ~= 0 or (type(memory) ~= 'number' and type(memory) ~= 'cdata') then
      raise(('Storage: %s; expected a size, and an address of the host for a storage of the CPU')
         :format(deviceType ~= 0 and 'a storage on a device cannot use memory of the host'
            or 'the memory is a ' .. class.type(memory)))
   end
   if type(memory) == 'number' and memory < LOWEST and length ~= 0 then
      raise(('Storage: %s is no address of memory; a storage of several elements is made of a '
         .. 'table, as in torch.LongStorage { %s, %s }'):format(memory, length, memory))
   end
   local s = Storage()
   local address = ffi.cast('void *', memory)
   if C.TH_Storage_in(s, dtype, address, length) ~= 0 then
      th.recover()
      check(C.TH_Storage_in(s, dtype, address, length))
   end
   if type(memory) == 'cdata' then
      owners[#owners + 1] = { M.wrap(s.store), memory }
      if #owners == 1 then
         watchOwners()
      end
   end
   return s
end

--- A storage of the class: of so many elements (undefined), of a table's numbers, as a view of part
-- of another storage, or over a file. Changes reach the file when it is `shared`; a missing one is
-- made then, of `size` elements. With `sharedMemory` it is a name in shared memory, no file. A file
-- must keep its length: a use of elements that were cut off ends the process ("Bus error").
-- Memory of the caller's is an address: a number, or an FFI object, which is kept as long as it is
-- needed (one that owns its memory: an array, not a pointer into it). Such a storage cannot grow.
-- @function Storage
-- @usage torch.Storage([size])
-- torch.Storage(size, address)
-- torch.Storage(allocator, size)
-- torch.Storage(table)
-- torch.Storage(storage [, first=1 [, size]])
-- torch.Storage(filename [, shared=false [, size [, sharedMemory=false]]])
-- @raise "Storage: element 2 is a string, wanted a number"
-- @example
-- local s = torch.DoubleStorage { 1, 2, 3, 4 }
-- local view = torch.DoubleStorage(s, 2, 2)
-- view[1] = 20
-- s, #view --> { 1, 20, 3, 4 }, 2
local function construct(number, a, b, c, d)
   if a == nil then
      return allocate(number, 0)
   elseif type(a) == 'number' then
      if type(b) ~= 'nil' then -- a null pointer equals nil
         return overMemory(number, a, b)
      end
      return allocate(number, a)
   elseif class.typename(a) == 'torch.Allocator' then
      local dtype, deviceType = types.split(number)
      return a.__allocate(dtype, deviceType, numeric(b) or b or 0)
   elseif type(a) == 'table' then
      local s = allocate(number, #a)
      for i = 1, #a do
         local value = tonumber(a[i])
         if value == nil or type(a[i]) == 'cdata' then
            raise(('Storage: element %d is a %s, wanted a number'):format(i, class.type(a[i])))
         end
         s[i] = value
      end
      return s
   elseif type(a) == 'string' then
      return mapFile(number, a, b, c, d)
   elseif isStorage(a) then
      if a.store.device_type * 16 + a.store.dtype ~= number then
         raise(('Storage: a view must have the type of its base, got %s'):format(class.type(a)))
      end
      local first = numeric(b) or b or 1
      local length = numeric(c) or c or tonumber(a.store.length) - first + 1
      local s = Storage()
      if C.TH_Storage_view(s, a, first - 1, length) ~= 0 then
         th.recover()
         check(C.TH_Storage_view(s, a, first - 1, length))
      end
      return s
   end
   raise(('Storage: invalid arguments: %s; expected a size, a table, a storage or a file name')
      :format(class.type(a)))
end

-- --- elements -----------------------------------------------------------------------------------

local function position(s, k)
   if not (k >= 1 and k < tonumber(s.store.length) + 1) then
      raise(('index: %s is out of bounds of a storage of %d elements%s'):format(
         tostring(k), tonumber(s.store.length), k == 0 and '; positions count from 1' or ''))
   end
   return floor(k) - 1
end

local metatable = { __gc = C.TH_StorageRef_release }

function metatable.__index(self, key)
   local store = self.store
   if type(key) == 'number' then
      local i, dtype = position(self, key), store.dtype
      if store.device_type ~= 0 then
         return asTensor(self)[key]
      end
      return access.read(store, dtype, i)
   end
   local value = classes[store.device_type * 16 + store.dtype][key]
   if value == nil then
      local i = numeric(key)
      return i and i - i == 0 and self[i] or nil -- s.inf and s.nan are names
   end
   return value
end

function metatable.__newindex(self, key, value)
   if type(key) ~= 'number' or type(value) ~= 'number' then
      key, value = numeric(key) or key, numeric(value) or value
      if type(key) ~= 'number' then
         raise(('the class %s cannot be indexed'):format(class.typename(self)))
      elseif type(value) ~= 'number' then
         raise(('index: an element must be a number, got %s'):format(class.type(value)))
      end
   end
   local store, i = self.store, position(self, key)
   local dtype = store.dtype
   store.version[0] = tobit(store.version[0] + 1)
   if store.device_type ~= 0 then
      asTensor(self)[key] = value
   else
      access.write(store, dtype, i, value)
   end
end

function metatable.__len(self)
   return tonumber(self.store.length)
end

function metatable.__tostring(self)
   return self:__tostring__()
end

--- Two handles of one storage are equal.
function metatable.__eq(a, b)
   return isStorage(a) and isStorage(b) and a.store == b.store
end

ffi.metatype(Storage, metatable)

-- --- methods ------------------------------------------------------------------------------------

--- Number of elements, as the `#` operator.
-- @example torch.LongStorage { 5, 6 }:size() --> 2
function methods.size(self)
   return tonumber(self.store.length)
end

methods.__len__ = methods.size

--- Pointer to the first element; valid while the storage lives and is not resized.
-- @example torch.LongStorage({ 5, 6 }):data()[1] == 6 --> true
function methods.data(self, asNumber)
   C.TH_Storage_expose(self.store)
   if asNumber then
      return tonumber(ffi.cast('intptr_t', self.store.data))
   end
   return self.store[fields[self.store.dtype]]
end

--- Pointer to the storage as a C struct with Torch7's fields: data, size, refcount.
-- It is valid while the storage lives.
function methods.cdata(self, asNumber)
   C.TH_Storage_expose(self.store)
   if asNumber then
      return tonumber(ffi.cast('intptr_t', self.store))
   end
   return ffi.cast(structs.storages[self.store.device_type * 16 + self.store.dtype], self.store)
end

--- Change the number of elements; the leading ones stay, new ones are undefined.
-- @example torch.LongStorage(2):resize(5):size() --> 5
function methods.resize(self, length)
   length = numeric(length) or length
   if type(length) ~= 'number' then
      raise(('resize: the size of a storage is a number, got %s'):format(class.type(length)))
   end
   th.need('resize', self, 'Storage length')
   if C.TH_Storage_resize(self, length) ~= 0 then
      th.recover()
      check(C.TH_Storage_resize(self, length))
   end
   return self
end

--- Set every element.
-- @number value
-- @return self
-- @raise "fill: the value must be a number, got nil"
-- @example torch.LongStorage(2):fill(7) --> { 7, 7 }
function methods.fill(self, value)
   value = numeric(value) or value
   if type(value) ~= 'number' then
      raise(('fill: the value must be a number, got %s'):format(class.type(value)))
   end
   th.need('fill', self, 'Storage number')
   if C.TH_Storage_fill(self, value) ~= 0 then
      th.recover()
      check(C.TH_Storage_fill(self, value))
   end
   return self
end

--- Copy a storage of the same length and any type.
-- @example torch.LongStorage(2):copy(torch.DoubleStorage { 1.5, 2 }) --> { 1, 2 }
function methods.copy(self, source)
   if not isStorage(source) then
      raise(('copy: expected a storage, got %s'):format(class.type(source)))
   end
   if C.TH_Storage_copy(self, source) ~= 0 then
      th.recover()
      check(C.TH_Storage_copy(self, source))
   end
   return self
end

--- The elements as a table.
-- @example torch.IntStorage(3):fill(7):totable() --> { 7, 7, 7 }
function methods.totable(self)
   local result = {}
   for i = 1, #self do
      result[i] = self[i]
   end
   return result
end

--- Name of the storage's type; with a name, the storage converted to that type.
-- @example torch.LongStorage(2):type() --> 'torch.LongStorage'
function methods.type(self, name)
   local own = class.typename(self)
   if name == nil or name == own then
      return name == nil and own or self
   end
   local number = types.numbers[name]
   if not number or not name:match('Storage$') then
      raise(('type: %s is not a storage type'):format(tostring(name)))
   end
   return allocate(number, #self):copy(self)
end

--- The storage in that element type: itself when it already is, a converted copy otherwise.
-- @function byte
-- @function char
-- @function short
-- @function int
-- @function long
-- @function half
-- @function bfloat16
-- @function float
-- @function double
-- @example torch.DoubleStorage { 1.9, -1.9 }:int() --> { 1, -1 }

-- s:float() and so on.
for dtype, name in pairs(types.names) do
   methods[dtype == C.TH_BFLOAT16 and 'bfloat16' or name:lower()] = function(self)
      return self:type('torch.' .. name .. 'Storage')
   end
end

--- The storage in the type of another storage.
-- @param other storage
-- @example torch.LongStorage({ 5 }):typeAs(torch.FloatStorage()):type() --> 'torch.FloatStorage'
function methods.typeAs(self, other)
   return self:type(class.typename(other))
end

--- Take a reference, as C code that keeps the storage's struct does; `free` gives it back.
function methods.retain(self)
   th.need('retain', self, 'Storage')
   local keep = Storage()
   C.TH_StorageRef_set(keep, self.store)
   ffi.gc(keep, nil) -- the reference is the caller's from now on
end

--- Give back a reference taken by retain().
function methods.free(self)
   if not isStorage(self) then
      th.badArguments('free', 'Storage', 1, self)
   end
   local mine = Storage()
   ffi.copy(mine, self, ffi.sizeof(mine))
   -- mine's finalizer releases the reference that retain() took
end

-- Bytes of text, for the two types whose elements are bytes.
local textMethods = {}

--- The storage's bytes as a Lua string; with a string, the storage becomes its bytes.
-- @example torch.CharStorage():string('ab') --> { 97, 98 }
function textMethods.string(self, text)
   if text == nil then
      return ffi.string(self.store.data, self.store.length)
   end
   self:resize(#text)
   ffi.copy(self.store.data, text, #text)
   self.store.version[0] = tobit(self.store.version[0] + 1)
   return self
end

-- --- classes ------------------------------------------------------------------------------------

function M.register(dtype, deviceType, name)
   local number = deviceType * 16 + dtype
   local typename = 'torch.' .. name .. 'Storage'
   local own = class.newmetatable(typename, nil, function(...)
      return construct(number, ...)
   end, nil, function()
      return allocate(number, 0)
   end)
   for key, value in pairs(methods) do
      own[key] = value
   end
   if dtype <= C.TH_CHAR and deviceType == 0 then
      own.string = textMethods.string
   end
   own.new = function(...)
      return construct(number, ...)
   end

   --- Bytes of one element; also of the class.
   -- @function elementSize
   -- @example torch.FloatStorage.elementSize() --> 4
   local bytes = types.sizes[dtype]
   own.elementSize = function()
      return bytes
   end
   structs.declare(dtype, deviceType, name)
   own.__pushudata__ = function(address)
      local store = isStorage(address) and address.store
         or ffi.cast('TH_Storage *', ffi.cast('void *', address))
      if store.device_type * 16 + store.dtype ~= number then
         raise(('torch.pushudata: there is no %s at this address'):format(typename))
      end
      return M.wrap(store)
   end
   classes[number] = own
   types.numbers[typename] = number
   return own
end

for dtype, name in pairs(types.names) do
   M.register(dtype, 0, name)
end

--- Handle of a TH_Storage.
function M.wrap(store)
   local s = Storage()
   C.TH_StorageRef_set(s, store)
   return s
end

return M
