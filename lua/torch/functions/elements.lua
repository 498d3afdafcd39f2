--- Lua functions over elements: apply, map, map2.
--
-- The loop is Lua, so the compiler sees the user's function and the elements at once: no call
-- into C and back per element.
-- @module torch.functions.elements
local ffi = require 'ffi'
local tobit = require('bit').tobit
local th = require 'torch.ffi'
local types = require 'torch.types'
local class = require 'torch.class'
local access = require 'torch.tensor.access'
local Tensors = require 'torch.Tensor'

local tracked = require('torch.variables.tracked').tracked

local C, raise = th.C, th.raise
local isTensor, badArguments, numeric = th.isTensor, th.badArguments, th.numeric

local T = {}

-- What the function returned when it was no number: one as a string, or a mistake.
local function asNumber(name, value)
   if numeric(value) then
      return numeric(value)
   end
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
   return access.read(t.store, t.dtype, t.offset + i)
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

-- A version for what f sees, and for what is there when it fails half-way.
local function begin(t, work)
   if work == t then
      t.store.version[0] = tobit(t.store.version[0] + 1)
   end
end

local function finish(t, work)
   if work ~= t then
      t:copy(work)
   else
      t.store.version[0] = tobit(t.store.version[0] + 1)
   end
   return t
end

-- The storage may have moved after every call of f, which may do anything. The compiler hoists the
-- loads when it cannot.
local LOOP = [[
local at, pointer, asNumber = ...
return function(name, n, f, store, work, second, third)
   for i = 0, n - 1 do
      local value = f(at(work, i)%s)
      if type(value) == 'number' then
         store(pointer(work), i, value)
      elseif value then
         store(pointer(work), i, asNumber(name, value))
      end
   end
end]]

-- The loop for functions of `count` elements.
local function compile(count)
   local others = (count > 1 and ', at(second, i)' or '') .. (count > 2 and ', at(third, i)' or '')
   local chunk = loadstring(LOOP:format(others), debug.getinfo(1, 'S').source)
   return chunk(at, pointer, asNumber)
end

-- From so many elements on a call gets a loop of its own. Compiled code is made for the function
-- and the type that a loop met first, and takes ten times as long for others; making a loop takes
-- as long as 50,000 elements.
local LARGE = 1e5
local loops = {} -- number of tensors -> a loop for the small ones

-- What f does to an element is nobody's to differentiate.
local function checkPlain(name, t)
   if t and t.flags ~= 0 and tracked(t) then
      raise(('%s: the tensor is a Variable, and the derivative of a Lua function is not known; '
         .. 'write it with operations on tensors, give x:detach(), or say torch.noGrad(f)'):format(
         name))
   end
end

local function run(name, f, t, t2, t3)
   checkPlain(name, t)
   checkPlain(name, t2)
   checkPlain(name, t3)
   local work, second, third = workspace(t), t2 and workspace(t2), t3 and workspace(t3)
   local count, n = t3 and 3 or t2 and 2 or 1, tonumber(C.TH_nElement(work))
   local store = storer(work)
   local loop = n < LARGE and loops[count] or compile(count)
   loops[count] = loops[count] or loop
   begin(t, work)
   loop(name, n, f, store, work, second, third)
   return finish(t, work)
end

--- Replace each element by f(element) (row-major order); nil and false keep it.
-- @usage t:apply(function(x) -> x|nil) -> self
-- @example torch.Tensor { 1, 2, 3 }:apply(function(v) return v * v end) --> { 1, 4, 9 }
function T.apply(t, f)
   if type(f) ~= 'function' then
      badArguments('apply', '*T* function', 2, t, f)
   elseif t.ndim == 0 then
      return t
   end
   return run('apply', f, t)
end

local function sameCount(name, t, other)
   if not isTensor(other) or not t then
      badArguments(name, '*T* T ... function', 2, t, other)
   elseif C.TH_nElement(t) ~= C.TH_nElement(other) then
      raise(('%s: tensors of %d and %d elements; the numbers must agree'):format(
         name, tonumber(C.TH_nElement(t)), tonumber(C.TH_nElement(other))))
   end
end

--- Replace each element x by f(x, y), y from a tensor with as many elements.
-- @usage t:map(t2, function(x, y) -> x|nil) -> self
-- @example
-- local y = torch.Tensor { 1, 2 }:map(torch.Tensor { 10, 20 }, function(a, b) return a + b end)
-- y --> { 11, 22 }
function T.map(t, t2, f)
   sameCount('map', t, t2)
   if type(f) ~= 'function' then
      badArguments('map', '*T* T function', 3, t, t2, f)
   elseif t.ndim == 0 then
      return t
   end
   return run('map', f, t, t2)
end

--- Replace each element x by f(x, y, z).
-- @usage t:map2(t2, t3, function(x, y, z) -> x|nil) -> self
-- @example
-- local x, y = torch.Tensor { 1, 2 }, torch.Tensor { 10, 20 }
-- torch.zeros(2):map2(x, y, function(_, a, b) return a * b end) --> { 10, 40 }
function T.map2(t, t2, t3, f)
   sameCount('map2', t, t2)
   sameCount('map2', t, t3)
   if type(f) ~= 'function' then
      badArguments('map2', '*T* T T function', 4, t, t2, t3, f)
   elseif t.ndim == 0 then
      return t
   end
   return run('map2', f, t, t2, t3)
end

return { methods = T, functions = {} }
