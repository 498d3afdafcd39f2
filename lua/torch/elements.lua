--- Lua functions over elements: apply, map, map2.
--
-- The loops are Lua, so the compiler sees the user's function and the elements at once: no call
-- into C and back per element.
-- @module torch.elements
local ffi = require 'ffi'
local th = require 'torch.ffi'
local types = require 'torch.types'
local class = require 'torch.class'
local indexing = require 'torch.indexing'
local Tensors = require 'torch.Tensor'

local C, raise = th.C, th.raise
local isTensor, badArguments = th.isTensor, th.badArguments

local T = {}

local function wrongResult(name, value)
   raise(('%s: the function must return a number or nil, got %s'):format(name, class.type(value)))
end

-- A compact tensor of numbers that Lua can read and write, and where to copy it back to.
-- The 16-bit types have no C arithmetic: they go through floats.
local function workspace(t)
   local plain = types.sizes[t.dtype] ~= 2 or t.dtype == C.TH_SHORT
   if plain and t.device_type == 0 and C.TH_isContiguous(t) then
      return t
   end
   return Tensors.empty(plain and t.dtype or C.TH_FLOAT):resizeAs(t):copy(t)
end

local function pointer(t)
   return t.store[types.fields[t.dtype]] + t.offset
end

local function at(t, i)
   return indexing.read(t.store, t.dtype, t.offset + i)
end

-- Integer elements wrap as C casts do.
local function storer(t)
   if types.isFloating(t.dtype) then
      return function(p, i, value)
         p[i] = value
      end
   end
   return function(p, i, value)
      p[i] = ffi.cast('int64_t', value)
   end
end

local function finish(t, work)
   if work ~= t then
      t:copy(work)
   end
   return t
end

--- Replace each element by f(element) (row-major order); nil keeps it.
-- @usage t:apply(function(x) -> x|nil) -> self
function T.apply(t, f)
   if type(f) ~= 'function' then
      badArguments('apply', '*T* function', 2, t, f)
   elseif t.ndim == 0 then
      return t
   end
   local work = workspace(t)
   local store = storer(work)
   for i = 0, tonumber(C.TH_nElement(work)) - 1 do
      -- The storage may have moved: f may do anything. The load is hoisted when it cannot.
      local value = f(at(work, i))
      if type(value) == 'number' then
         store(pointer(work), i, value)
      elseif value ~= nil then
         wrongResult('apply', value)
      end
   end
   return finish(t, work)
end

local function sameCount(name, t, other)
   if not isTensor(other) then
      badArguments(name, '*T* T ... function', 2, t, other)
   elseif C.TH_nElement(t) ~= C.TH_nElement(other) then
      raise(('%s: tensors of %d and %d elements; the numbers must agree'):format(
         name, tonumber(C.TH_nElement(t)), tonumber(C.TH_nElement(other))))
   end
end

--- Replace each element x by f(x, y), y from a tensor with as many elements.
-- @usage t:map(t2, function(x, y) -> x|nil) -> self
function T.map(t, t2, f)
   sameCount('map', t, t2)
   if type(f) ~= 'function' then
      badArguments('map', '*T* T function', 3, t, t2, f)
   elseif t.ndim == 0 then
      return t
   end
   local work, second = workspace(t), workspace(t2)
   local store = storer(work)
   for i = 0, tonumber(C.TH_nElement(work)) - 1 do
      local value = f(at(work, i), at(second, i))
      if type(value) == 'number' then
         store(pointer(work), i, value)
      elseif value ~= nil then
         wrongResult('map', value)
      end
   end
   return finish(t, work)
end

--- Replace each element x by f(x, y, z).
-- @usage t:map2(t2, t3, function(x, y, z) -> x|nil) -> self
function T.map2(t, t2, t3, f)
   sameCount('map2', t, t2)
   sameCount('map2', t, t3)
   if type(f) ~= 'function' then
      badArguments('map2', '*T* T T function', 4, t, t2, t3, f)
   elseif t.ndim == 0 then
      return t
   end
   local work, second, third = workspace(t), workspace(t2), workspace(t3)
   local store = storer(work)
   for i = 0, tonumber(C.TH_nElement(work)) - 1 do
      local value = f(at(work, i), at(second, i), at(third, i))
      if type(value) == 'number' then
         store(pointer(work), i, value)
      elseif value ~= nil then
         wrongResult('map2', value)
      end
   end
   return finish(t, work)
end

return { methods = T, functions = {} }
