--- Reading and writing elements and regions: t[i], t[{...}], t[LongStorage], t[ByteTensor].
--
-- Positions count from 1; negative ones count from the end, -1 being the last. Fractions are cut
-- off: 2.9 is 2. Regions are views: they share the tensor's elements. A mask selects a copy.
--
--    t[i]                     element i of a vector as a number; of anything else the view of slice
--                             i of dimension 1, which has one dimension less
--    t[{ i, j, ... }]         with a number for each dimension: an element, as a number
--    t[{ a, b, ... }]         a view. Each entry is about one dimension: a number selects a slice
--                             and removes the dimension; { first, last } keeps positions first to
--                             last; { i } keeps position i alone; {} keeps all. Dimensions without
--                             an entry are kept whole
--    t[LongStorage]           the element at these positions, one for each dimension
--    t[mask]                  the elements where a ByteTensor (a CudaByteTensor for a tensor on a
--                             device) of as many elements is not 0: a vector, a copy
--
-- Each form can be assigned to: a number fills the region; a tensor of as many elements, of any
-- type, is copied into it. t[mask] = tensor takes the tensor's elements one after the other
-- (maskedCopy).
-- @module torch.indexing
-- @usage local t = torch.range(1, 12):resize(3, 4)
-- print(t[2][3], t[{ 2, 3 }], t[{ -1, -1 }])   --> 7   7   12
-- print(t[{ {}, 2 }])                          --> column 2: 2, 6, 10
-- print(t[{ { 1, 2 }, { 3, 4 } }])             --> 2x2: 3, 4 and 7, 8
-- t[{ 2, {} }] = 0                             -- row 2
-- t[t:gt(10)] = 10                             -- 11 and 12
local ffi = require 'ffi'
local tobit = require('bit').tobit
local th = require 'torch.ffi'
local class = require 'torch.class'
local stretch = require 'torch.variables.stretch'
local access = require 'torch.tensor.access'
local tracked = require('torch.variables.tracked').tracked

local C, Tensor, check, raise = th.C, th.Tensor, th.check, th.raise
local isTensor, isStorage, numeric, cut = th.isTensor, th.isStorage, th.numeric, th.cut
local ceil = math.ceil
local BYTE = C.TH_BYTE

local M = {}

local value = ffi.new 'double[1]'
local indices = ffi.new('int64_t[?]', C.TH_MAX_DIMS)

local function outOfRange(t, dim, index)
   if t.ndim == 0 then
      raise('index: cannot index an empty tensor')
   end
   local zero = index == 0 or type(index) == 'string' and index:find '^{0[,}]'
   raise(('index: %s is out of range: dimension %d has size %d%s'):format(
      tostring(index), dim, tonumber(t.sizes[dim - 1]),
      zero and '; positions count from 1, and -1 is the last' or ''))
end

local POSITIONS = 'x:index(dim, positions) has the slices at the positions of a LongTensor, '
   .. 'x:indexFill(dim, positions, value) and x:indexCopy(dim, positions, y) assign to them'

-- t[tensor of positions], which Torch7 has not.
local function refuseTensor(key)
   if key.dtype ~= BYTE and key.device_type == 0 then
      raise(('index: a mask must be a ByteTensor, got %s; %s'):format(class.type(key), POSITIONS))
   end
   raise(('index: a mask must be a ByteTensor on the same device, got %s'):format(class.type(key)))
end

local function load(t, position)
   return access.read(t.store, t.dtype, position)
end

local function store(t, position, x)
   local s = t.store
   s.version[0] = tobit(s.version[0] + 1)
   access.write(s, t.dtype, position, x)
end

-- Read or write through the core, wherever the memory is. `indices` is filled.
local function remoteLoad(t)
   check(C.TH_get(value, t, indices))
   return value[0]
end

-- t[k] for a number k: an element of a vector, a view of anything else.
function M.element(t, k)
   local n = tonumber(t.sizes[0])
   local i = k < 0 and n + ceil(k) or k - 1
   if not (i >= 0 and i < n) or t.ndim == 0 then
      outOfRange(t, 1, k)
   end
   if t.ndim > 1 then
      local r = Tensor()
      check(C.TH_select(r, t, 0, i))
      return r
   elseif t.flags ~= 0 and tracked(t) then -- a Variable's element is a Variable
      local r = Tensor()
      check(C.TH_narrow(r, t, 0, i, 1))
      return r
   elseif t.device_type == 0 then
      return load(t, t.offset + t.strides[0] * i)
   end
   indices[0] = i
   return remoteLoad(t)
end

-- Position of the element that a list of ndim numbers names, or nil if it is no such list.
-- Errors for indices out of range.
local function position(t, list)
   local ndim = t.ndim
   local offset = t.offset
   for d = 1, ndim do
      local k = list[d]
      if type(k) ~= 'number' then
         return nil
      end
      local n = tonumber(t.sizes[d - 1])
      local i = k < 0 and n + ceil(k) or k - 1
      if not (i >= 0 and i < n) then
         outOfRange(t, d, k)
      end
      indices[d - 1] = i
      offset = offset + t.strides[d - 1] * i
   end
   return offset
end

-- The list with numbers where strings stand for such; nil when it has none.
local function withNumbers(list)
   local changed, found = {}, false
   for d = 1, #list do
      local x = numeric(list[d])
      changed[d], found = x or list[d], found or x ~= nil
   end
   return found and changed or nil
end

-- Entry d of t[{...}], which keeps its dimension (dim of r, from 0): {}, {i} or {first, last}.
local narrow
function narrow(r, dim, range, t, d)
   local first, last = range[1], range[2]
   local size = tonumber(t.sizes[d - 1])
   if first == nil then
      return
   end
   last = last == nil and first or last
   if type(first) ~= 'number' or type(last) ~= 'number' then
      if withNumbers(range) then
         return narrow(r, dim, withNumbers(range), t, d)
      end
      raise(('index: a range is {}, {i} or {first, last}, got {%s, %s}'):format(
         tostring(first), tostring(last)))
   end
   first, last = cut(first), cut(last)
   first = first < 0 and size + first + 1 or first
   last = last < 0 and size + last + 1 or last
   if first < 1 or last > size then
      outOfRange(t, d, ('{%s, %s}'):format(tostring(range[1]), tostring(range[2])))
   elseif last < first then
      raise(('index: range {%d, %d} of dimension %d ends before it begins'):format(
         first, last, d))
   end
   check(C.TH_narrow(r, r, dim, first - 1, last - first + 1))
end

-- The view that t[{...}] names; when every dimension is given as a number, the position of the
-- element instead (and no view), unless a view is wanted of it, too.
local function region(t, list, whole)
   if t.ndim == 0 then
      raise('index: cannot index an empty tensor')
   elseif #list > t.ndim then
      raise(('index: too many indices provided: %d for a %dD tensor%s'):format(#list, t.ndim,
         t.ndim == 1 and #list == 2
            and '; first to last is a table of its own, as in x[{ { 1, 2 } }]' or ''))
   elseif #list == t.ndim and not whole then
      local where = position(t, list)
      if where then
         return nil, where
      end
   end
   local r = Tensor()
   C.TH_alias(r, t)
   local dim = 0
   for d = 1, #list do
      local entry = list[d]
      if type(entry) == 'number' then
         local n = tonumber(r.sizes[dim])
         local i = entry < 0 and n + ceil(entry) or entry - 1
         if not (i >= 0 and i < n) then
            outOfRange(t, d, entry)
         end
         if r.ndim == 1 then
            check(C.TH_narrow(r, r, 0, i, 1))
         else
            check(C.TH_select(r, r, dim, i))
         end
      elseif type(entry) == 'table' then
         narrow(r, dim, entry, t, d)
         dim = dim + 1
      elseif numeric(entry) then
         return region(t, withNumbers(list), whole)
      else
         raise(('index: index %d is a %s, wanted a number or a table'):format(d, class.type(entry)))
      end
   end
   return r
end

local function isByteMask(key)
   return isTensor(key) and key.dtype == BYTE
end

-- t[LongStorage]: a full list of numbers.
local function storagePosition(t, key)
   if t.ndim == 0 then
      raise('index: cannot index an empty tensor')
   elseif key.store.dtype ~= C.TH_LONG or tonumber(key.store.length) ~= t.ndim then
      raise(('index: a LongStorage of %d indices is wanted, got a %s of %d'):format(
         t.ndim, class.type(key), #key))
   end
   return position(t, key)
end

local function loadAt(t, where)
   if t.device_type == 0 then
      return load(t, where)
   end
   return remoteLoad(t)
end

local function storeAt(t, where, x)
   local number = tonumber(x)
   if number == nil then
      raise(('index: an element must be a number, got %s'):format(class.type(x)))
   elseif t.device_type == 0 then
      store(t, where, number)
   else
      check(C.TH_put(t, indices, number))
   end
end

-- t[key] for anything but a number or a string.
function M.select(t, key)
   if type(key) == 'table' then
      if t.ndim == 2 and t.flags == 0 then -- by far the commonest case, spelled out for LuaJIT
         local k, l = key[1], key[2]
         if type(k) == 'number' and type(l) == 'number' and t.device_type == 0 then
            local rows, columns = tonumber(t.sizes[0]), tonumber(t.sizes[1])
            local i = k < 0 and rows + ceil(k) or k - 1
            local j = l < 0 and columns + ceil(l) or l - 1
            if i >= 0 and i < rows and j >= 0 and j < columns and key[3] == nil then
               return load(t, t.offset + t.strides[0] * i + t.strides[1] * j)
            end
         end
      end
      local r, where = region(t, key, t.flags ~= 0 and tracked(t))
      return r or loadAt(t, where)
   elseif isStorage(key) then
      return loadAt(t, storagePosition(t, key))
   elseif isByteMask(key) then
      return t:maskedSelect(key)
   elseif isTensor(key) then
      refuseTensor(key)
   end
   raise(('index: cannot index a tensor with a %s'):format(class.type(key)))
end

local core = require 'torch.core'
local copy, fill = core.copy, core.fill -- a look-up in each assignment would show

-- A Variable of one element, where a number would go into each element of t.
local function everywhere(x, t)
   if x.flags ~= 0 then
      local _, all = stretch(t, x)
      return all or x
   end
   return x
end

-- Assign to a view: a number fills it, a tensor of any type is copied into it.
local function assignView(r, x)
   if type(x) == 'number' then
      fill(r, x)
   elseif isTensor(x) then
      copy(r, everywhere(x, r))
   elseif numeric(x) then
      fill(r, numeric(x))
   else
      raise(('index: can only assign a number or a tensor, got %s'):format(class.type(x)))
   end
end

-- Whether writing x into t goes by a view: one of them is a Variable. A plain tensor learns that it
-- is written into.
local function isRecorded(t, x)
   if isTensor(x) and x.flags ~= 0 and tracked(x) then
      if t.flags == 0 then
         check(C.TH_Variable_learn(t))
      end
      return true
   end
   return t.flags ~= 0
end

-- t[key] = x.
function M.assign(t, key, x)
   local recorded = isRecorded(t, x)
   if type(key) == 'number' then
      local n = tonumber(t.sizes[0])
      local i = key < 0 and n + ceil(key) or key - 1
      if not (i >= 0 and i < n) or t.ndim == 0 then
         outOfRange(t, 1, key)
      end
      if t.ndim == 1 and type(x) == 'number' and not recorded then
         if t.device_type == 0 then
            store(t, t.offset + t.strides[0] * i, x)
         else
            indices[0] = i
            check(C.TH_put(t, indices, x))
         end
         return
      end
      local r = Tensor()
      if t.ndim == 1 then
         check(C.TH_narrow(r, t, 0, i, 1))
      else
         check(C.TH_select(r, t, 0, i))
      end
      assignView(r, x)
   elseif type(key) == 'table' then
      local r, where = region(t, key, recorded)
      if r then
         assignView(r, x)
      elseif isTensor(x) and C.TH_nElement(x) == 1 then
         storeAt(t, where, x:view(1)[1])
      else
         storeAt(t, where, x)
      end
   elseif isStorage(key) then
      storeAt(t, storagePosition(t, key), x)
   elseif isByteMask(key) then
      if type(x) == 'number' then
         t:maskedFill(key, x)
      elseif isTensor(x) then
         t:maskedCopy(key, everywhere(x, t))
      elseif numeric(x) then
         t:maskedFill(key, numeric(x))
      else
         assignView(t, x) -- raises
      end
   elseif isTensor(key) then
      refuseTensor(key)
   else
      raise(('index: cannot index a tensor with a %s; numbers, tables, LongStorages and byte masks '
         .. 'of its device can (x:byte(), x:cudaByte())'):format(class.type(key)))
   end
end

return M
