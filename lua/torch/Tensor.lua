--- Tensor objects: the classes, construction, and what the handle's metatable does.
--
-- A tensor is a C struct in Lua's own memory (see docs/architecture.md). One C type serves all
-- classes; the struct's dtype says which class's methods apply.
-- @module torch.Tensor
local ffi = require 'ffi'
local th = require 'torch.ffi'
local types = require 'torch.types'
local class = require 'torch.class'
local operators = require 'torch.class.operators'
local indexing = require 'torch.indexing'

local C, Tensor, check, raise = th.C, th.Tensor, th.check, th.raise
local isTensor, isStorage, relieve, numeric = th.isTensor, th.isStorage, th.relieve, th.numeric
local classes = types.tensors
local element, pick, assign = indexing.element, indexing.select, indexing.assign

local M = {}

-- --- sizes --------------------------------------------------------------------------------------

local MAX_DIMS = C.TH_MAX_DIMS
local sizes = ffi.new('int64_t[?]', MAX_DIMS) -- scratch: filled, passed to C, forgotten
local strides = ffi.new('int64_t[?]', MAX_DIMS)

-- Names among the sizes, as other libraries give types (`{3, dtype = 'float'}`): refused.
-- (table.pack's n is a count.)
local function refuseNames(name, list, n)
   local key = next(list, n > 0 and n or nil)
   if type(key) == 'string' and key ~= 'n' then
      raise(("%s: sizes have a field '%s'; a type is given behind them, as in "
         .. "torch.zeros(2, 3, 'torch.FloatTensor')"):format(name, key))
   end
end

-- A size that is no number: one as a string, or a mistake.
local function toSize(name, position, size)
   if numeric(size) then
      return numeric(size)
   end
   if type(size) == 'table' then
      refuseNames(name, size, #size)
   end
   raise(('%s: size %d is %s, wanted a number'):format(name, position,
      size == nil and 'nil' or 'a ' .. class.type(size)))
end

--- Write a list of sizes into a scratch array.
-- @param list LongStorage, LongTensor's sizes as numbers, or a table of numbers
-- @return the array and its length
local function readList(into, list, name)
   local n = isStorage(list) and tonumber(list.store == nil and 0 or list.store.length) or #list
   if n > MAX_DIMS then
      raise(('%s: at most %d dimensions, got %d'):format(name, MAX_DIMS, n))
   end
   for i = 1, n do
      local size = list[i]
      if type(size) ~= 'number' then
         size = toSize(name, i, size)
      end
      into[i - 1] = size
   end
   if type(list) == 'table' then
      refuseNames(name, list, n)
   end
   return into, n
end

--- Write a list of n strides into a scratch array.
function M.readStrides(name, n, list)
   if not isStorage(list) and type(list) ~= 'table' then
      raise(('%s: strides must be a LongStorage, got %s'):format(name, class.type(list)))
   end
   local _, m = readList(strides, list, name)
   if m ~= n then
      raise(('%s: %d sizes but %d strides'):format(name, n, m))
   end
   return strides
end

-- A size that may be left out.
local function optional(name, position, size)
   if size ~= nil and type(size) ~= 'number' then
      return toSize(name, position, size)
   end
   return size or 0
end

local MAX_SIZES = 8 -- that are given as numbers

local function isList(sizes_)
   return isStorage(sizes_) or type(sizes_) == 'table'
end

--- Sizes given as numbers (at most MAX_SIZES) or as one LongStorage.
-- @return int64_t array (scratch) and count
function M.readSizes(name, a, b, c, d, e, f, g, h)
   if type(a) ~= 'number' then
      if a == nil and b == nil then
         return sizes, 0
      elseif a == nil then -- of a variable that does not exist
         toSize(name, 1, a)
      elseif numeric(a) then
         return M.readSizes(name, numeric(a), b, c, d, e, f, g, h)
      elseif not (isStorage(a) and a:type() == 'torch.LongStorage') and type(a) ~= 'table' then
         raise(('%s: sizes must be numbers or a LongStorage, got %s'):format(name, class.type(a)))
      end
      return readList(sizes, a, name)
   end
   sizes[0] = a
   if b == nil then
      return sizes, 1
   end
   sizes[1] = optional(name, 2, b)
   if c == nil then
      return sizes, 2
   end
   sizes[2], sizes[3] = optional(name, 3, c), optional(name, 4, d)
   sizes[4], sizes[5] = optional(name, 5, e), optional(name, 6, f)
   sizes[6], sizes[7] = optional(name, 7, g), optional(name, 8, h)
   return sizes, d == nil and 3 or e == nil and 4 or f == nil and 5 or g == nil and 6
      or h == nil and 7 or 8
end

--- The same, where a nil among the numbers, or at their end, is a variable that does not exist: for
-- what makes a tensor as large as it is told. (Views say by their elements when a size is missing.)
-- @param name string
-- @param count number of the arguments that follow: select('#', ...)
function M.givenSizes(name, count, a, b, c, d, e, f, g, h)
   local array, n = M.readSizes(name, a, b, c, d, e, f, g, h)
   if n < count and n < MAX_SIZES and not isList(a) then
      toSize(name, n + 1, nil)
   end
   return array, n
end

-- --- construction -------------------------------------------------------------------------------

local function empty(number)
   relieve()
   local r = Tensor()
   local dtype, deviceType = types.split(number)
   C.TH_Tensor_init(r, dtype, deviceType, types.currentDevice[deviceType]())
   return r
end
M.empty = empty

-- Shape of nested tables, which must be rectangular; false when they are not.
local function tableShape(t)
   local shape = {}
   local level = t
   while type(level) == 'table' and #shape <= MAX_DIMS do -- a table may hold itself
      if #level == 0 then
         return {}
      end
      shape[#shape + 1] = #level
      level = level[1]
   end
   return shape
end

local function fillFromTable(values, shape, depth, target, position)
   if type(values) ~= 'table' or #values ~= shape[depth] then
      raise('Tensor: invalid tensor sizes: every table of one depth must have the same length')
   end
   for i = 1, #values do
      local value = values[i]
      if depth < #shape then
         position = fillFromTable(value, shape, depth + 1, target, position)
      else
         local number = type(value) ~= 'table' and tonumber(value)
         if type(value) == 'table' then
            raise('Tensor: invalid tensor sizes: a table stands where others have numbers')
         elseif isTensor(value) then
            raise(('Tensor: invalid element (not a number): element %d is a tensor; torch.stack(t) '
               .. 'and torch.cat(t, 1) join tensors%s'):format(i, C.TH_nElement(value) == 1
               and ', x:item() is the number of one element' or ''))
         elseif not number or type(value) == 'boolean' then
            raise(('Tensor: invalid element (not a number): %s'):format(tostring(value)))
         end
         target[position] = number
         position = position + 1
      end
   end
   return position
end

local function fromTable(number, values)
   local r = empty(number)
   local shape = tableShape(values)
   if #shape == 0 then
      return r
   end
   local array, n = readList(sizes, shape, 'Tensor')
   if C.TH_resize(r, n, array, nil) ~= 0 then
      th.recover()
      check(C.TH_resize(r, n, array, nil))
   end
   local flat = Tensor()
   C.TH_alias(flat, r)
   array[0] = tonumber(C.TH_nElement(r))
   check(C.TH_view(flat, r, 1, array))
   if r.device_type == 0 then
      fillFromTable(values, shape, 1, flat, 1)
   else -- element by element would be a transfer each
      local host = fromTable(r.dtype, values)
      require('torch.core').copy(r, host)
   end
   return r
end

-- set(storage [, offset [, sizes [, strides]]]), sizes and strides as LongStorages or pairwise
-- numbers size1, stride1, size2, stride2, ...
local function setStorage(r, storage, offset, a, b, c, d, e, f, g, h)
   if type(offset) == 'string' or type(a) == 'string' then
      offset, a = numeric(offset) or offset, numeric(a) or a
   end
   if type(offset) ~= 'number' and offset ~= nil then
      raise(('set: the storage offset must be a number, got %s'):format(class.type(offset)))
   end
   local n = 0
   if type(a) == 'number' then
      local list = { a, b or -1, c, d or -1, e, f or -1, g, h or -1 }
      for i = 1, 8, 2 do
         if list[i] == nil then
            break
         end
         local size, stride = list[i], list[i + 1]
         if type(size) == 'string' or type(stride) == 'string' then
            size, stride = numeric(size) or size, numeric(stride) or stride
         end
         if type(size) ~= 'number' or type(stride) ~= 'number' then
            raise(('set: sizes and strides must be numbers, got %s and %s'):format(
               class.type(size), class.type(stride)))
         end
         sizes[n], strides[n] = size, stride
         n = n + 1
      end
   elseif a ~= nil then
      local _
      _, n = readList(sizes, a, 'set')
      for i = 0, n - 1 do
         strides[i] = -1
      end
      if b ~= nil then
         M.readStrides('set', n, b)
      end
   end
   if C.TH_setStorage(r, storage, (offset or 1) - 1, n, sizes, strides) ~= 0 then
      th.recover()
      check(C.TH_setStorage(r, storage, (offset or 1) - 1, n, sizes, strides))
   end
   return r
end
M.setStorage = setStorage

--- A tensor of the class: of given sizes (elements undefined), with the numbers of nested tables,
-- as another view of a tensor of that type, or as a view of a storage.
-- @function Tensor
-- @usage torch.Tensor()
-- torch.Tensor(d1 [, d2 ...])
-- torch.Tensor(LongStorage sizes [, LongStorage strides])
-- torch.Tensor(table)
-- torch.Tensor(tensor)
-- torch.Tensor(storage [, offset=1] [, sizes, strides | size1 [, stride1] ...])
-- @example
-- #torch.Tensor(2, 3) --> { 2, 3 }
-- torch.Tensor { { 1, 2 }, { 3, 4 } }:size(1) --> 2
-- local x = torch.Tensor { 1, 2 }
-- torch.Tensor(x):fill(7)
-- x --> { 7, 7 }
local function construct(number, count, a, b, c, d, e, f, g, h, i, j)
   if type(a) == 'number' then
      relieve()
      local r = Tensor()
      local dtype, deviceType = number % 16, number < 16 and 0 or 1
      local device = deviceType == 0 and 0 or types.currentDevice[deviceType]()
      if count == 1 then
         if C.TH_new1d(r, dtype, deviceType, device, a) ~= 0 then
            th.recover()
            check(C.TH_new1d(r, dtype, deviceType, device, a))
         end
         return r
      end
      local array, n = M.givenSizes('Tensor', count, a, b, c, d, e, f, g, h)
      if C.TH_new(r, dtype, deviceType, device, n, array) ~= 0 then
         th.recover()
         check(C.TH_new(r, dtype, deviceType, device, n, array))
      end
      return r
   elseif count == 0 then
      return empty(number)
   elseif a == nil then
      return M.givenSizes('Tensor', count, a, b) -- which refuses it
   elseif type(a) == 'table' then
      return fromTable(number, a)
   elseif isTensor(a) then
      if a.device_type * 16 + a.dtype ~= number then
         raise(('%s: cannot be made from a %s; convert that first, as in x:type(%q)'):format(
            class.type(empty(number)), class.type(a), class.type(empty(number))))
      end
      local r = Tensor()
      check(C.TH_alias(r, a))
      return r
   elseif isStorage(a) then
      local r = empty(number)
      if a.store.dtype == C.TH_LONG and a.store.device_type == 0
         and (number ~= C.TH_LONG or (b ~= nil and isStorage(b))) then
         local array, n = readList(sizes, a, 'Tensor')
         local steps = nil
         if b ~= nil then
            steps = M.readStrides('Tensor', n, b)
         end
         if C.TH_resize(r, n, array, steps) ~= 0 then
            th.recover()
            check(C.TH_resize(r, n, array, steps))
         end
         return r
      end
      if b == nil then -- LongTensor(LongStorage): the whole storage
         return setStorage(r, a, 1, tonumber(a.store.length), 1)
      end
      return setStorage(r, a, b, c, d, e, f, g, h, i, j)
   elseif numeric(a) then
      return construct(number, count, numeric(a), b, c, d, e, f, g, h, i, j)
   end
   raise(('%s: invalid arguments: %s; expected sizes, a table, a storage or a tensor of that type')
      :format(class.type(empty(number)), class.type(a)))
end

-- --- the handle's metatable ---------------------------------------------------------------------

local metatable = {}

--- What a tensor has besides methods: name -> function that computes it
-- (torch.functions.elsewhere fills it).
-- A class's own field of that name comes first.
M.properties = {}

--- The same for x.name = value: name -> function(x, value).
M.assignable = {}

function metatable.__index(self, key)
   if type(key) == 'number' then
      return element(self, key)
   end
   local value = classes[self.device_type * 16 + self.dtype][key]
   if value ~= nil then
      return value
   elseif type(key) == 'string' then
      local property = M.properties[key] -- before numbers: LuaJIT compiles no tonumber that fails
      if property then
         return property(self)
      end
      local i = numeric(key)
      if i and i - i == 0 then -- x.inf and x.nan are names
         return element(self, i)
      end
      return nil
   end
   return pick(self, key)
end

function metatable.__newindex(self, key, value)
   if type(key) == 'string' then
      local set = M.assignable[key]
      if set then
         return set(self, value)
      end
      key = numeric(key)
      if not key then
         raise(('the class %s cannot be indexed'):format(class.typename(self)))
      end
   end
   assign(self, key, value)
end

-- Operators and conversions are methods under Torch7's names (`__add__`), so that a class may
-- redefine them. A function put under Lua's own name (`__add`) comes before: that is what Lua calls
-- in Torch7.
local dispatchers = operators.dispatchers

local function implementation(t, event, method)
   local own = classes[t.device_type * 16 + t.dtype]
   local f = rawget(own, event)
   if f == dispatchers[event] then
      return own[method]
   end
   return f
end

-- What to write instead of an operator that tensors have not. Losses are Variables of one element.
local ITEM = 'x:item() is the number of a tensor of one element'
local COMPARISONS = 'x:lt(y), x:le(y), x:gt(y), x:ge(y) and x:eq(y) compare each element with a '
   .. 'number or with those of another tensor, and give a ByteTensor'
local INSTEAD = {
   __pow = 'torch.pow(x, n) is the power of each element, torch.pow(n, x) that of the number n',
   __lt = COMPARISONS,
   __le = COMPARISONS,
   __concat = 'tostring(x) is the text of a tensor; torch.cat(x, y, dim) joins tensors',
}

local function insteadOf(event, a, b)
   local advice = INSTEAD[event]
   if not advice then
      return ''
   end
   local single = isTensor(a) and C.TH_nElement(a) == 1 or isTensor(b) and C.TH_nElement(b) == 1
   return '; ' .. (single and ITEM .. '; ' or '') .. advice
end

for event, method in pairs {
   __add = '__add__', __sub = '__sub__', __mul = '__mul__', __div = '__div__', __mod = '__mod__',
   __pow = '__pow__', __lt = '__lt__', __le = '__le__', __concat = '__concat__',
} do
   metatable[event] = function(a, b)
      local f = implementation(isTensor(a) and a or b, event, method)
      if not f then
         raise(('%s and %s have no %s operator%s'):format(class.type(a), class.type(b),
            event:sub(3), insteadOf(event, a, b)))
      end
      return f(a, b)
   end
end
function metatable.__unm(a)
   return implementation(a, '__unm', '__unm__')(a)
end
function metatable.__len(a)
   return implementation(a, '__len', '__len__')(a)
end
function metatable.__tostring(a)
   return implementation(a, '__tostring', '__tostring__')(a)
end
function metatable.__call(a, ...)
   local f = implementation(a, '__call', '__call__')
   if not f then
      raise(('a %s cannot be called'):format(class.type(a)))
   end
   return f(a, ...)
end
metatable.__gc = th.finalizer

ffi.metatype(Tensor, metatable)

-- --- __index__ and __newindex__ -----------------------------------------------------------------
-- Scripts may put functions of their own in the place of a class's __index__ and __newindex__:
-- torch.getmetatable('torch.FloatTensor').__index__ = f. Until the first does, no access pays for
-- it.

local plainIndex, plainNewindex = metatable.__index, metatable.__newindex

local hooks = {}

--- What t[key] does: the value and true; false for the name of a method, which is looked up then.
-- @usage t[key]
function hooks.__index__(t, key)
   if type(key) == 'string' and not numeric(key) then
      return false
   end
   return plainIndex(t, key), true
end

--- What t[key] = value does; true, or false for a name, which cannot be assigned.
-- @usage t[key] = value
function hooks.__newindex__(t, key, value)
   if type(key) == 'string' and not numeric(key) then
      return false
   end
   plainNewindex(t, key, value)
   return true
end

local function hookedIndex(t, key)
   local own = classes[t.device_type * 16 + t.dtype]
   local hook = rawget(own, '__index__')
   if hook then
      local value, handled = hook(t, key)
      if handled then
         return value
      end
   end
   return plainIndex(t, key)
end

local function hookedNewindex(t, key, value)
   local hook = rawget(classes[t.device_type * 16 + t.dtype], '__newindex__')
   if not hook then
      plainNewindex(t, key, value)
   elseif not hook(t, key, value) then
      raise(('the class %s cannot be indexed'):format(class.typename(t)))
   end
end

-- LuaJIT looks into the metatable at each access, except in code that it has compiled.
local function assigned(_, key)
   if hooks[key] and metatable.__index ~= hookedIndex then
      metatable.__index, metatable.__newindex = hookedIndex, hookedNewindex
      jit.flush()
   end
end
class.assigned = assigned -- by way of the constructor: torch.FloatTensor.__index__ = f

local classMetatable = {
   __index = hooks,
   __newindex = function(methods, key, value)
      rawset(methods, key, value)
      assigned(methods, key)
   end,
}

-- --- classes ------------------------------------------------------------------------------------

--- Register the class of an element type on a device type.
-- @param prefix string: '' for the CPU, 'Cuda' for CUDA
-- @return the class table
function M.register(dtype, deviceType, name)
   local number = deviceType * 16 + dtype
   local typename = 'torch.' .. name .. 'Tensor'
   local function new(...)
      return construct(number, select('#', ...), ...)
   end
   local function factory()
      return empty(number)
   end
   local methods = class.newmetatable(typename, nil, new, nil, factory)

   --- A new tensor of the same type; the arguments are those of the constructor.
   -- @function new
   -- @usage t.new(...)
   -- @example #torch.FloatTensor(5).new(2, 3) --> { 2, 3 }
   methods.new = new

   --- Bytes of one element; also of the class: `torch.FloatTensor.elementSize()`.
   -- @function elementSize
   -- @usage t:elementSize() -> bytes
   -- @example torch.FloatTensor():elementSize() --> 4
   local bytes = types.sizes[dtype]
   methods.elementSize = function()
      return bytes
   end

   --- A handle of the tensor at an address that torch.pointer gave; the tensor must still live.
   -- @function __pushudata__
   -- @usage torch.pushudata(torch.pointer(t), 'torch.FloatTensor') -> t
   methods.__pushudata__ = function(address)
      local t = ffi.cast('TH_Tensor *', ffi.cast('void *', address))
      if t.device_type * 16 + t.dtype ~= number then
         raise(('torch.pushudata: there is no %s at this address'):format(typename))
      end
      local r = Tensor()
      check(C.TH_alias(r, t))
      return r
   end
   setmetatable(methods, classMetatable)
   classes[number] = methods
   types.numbers[typename] = number
   return methods
end

for dtype, name in pairs(types.names) do
   M.register(dtype, 0, name)
end

class.cdataclass = function(x)
   if ffi.istype(Tensor, x) then
      return classes[x.device_type * 16 + x.dtype]
   elseif ffi.istype(th.Storage, x) and x.store ~= nil then
      return types.storages[x.store.device_type * 16 + x.store.dtype]
   end
end

class.cdatapointer = function(x)
   if ffi.istype(th.Storage, x) then
      return tonumber(ffi.cast('intptr_t', x.store))
   end
end

return M
