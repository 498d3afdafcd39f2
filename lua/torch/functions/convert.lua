--- Types: names, conversion, the default type; tensors as Lua tables.
-- @module torch.functions.convert
local th = require 'torch.ffi'
local core = require 'torch.core'
local types = require 'torch.types'
local class = require 'torch.class'
local registry = require 'torch.class.registry'
local Tensors = require 'torch.Tensor'

local C, raise = th.C, th.raise
local isTensor, isStorage, badArguments = th.isTensor, th.isStorage, th.badArguments

local T, F = {}, {}

local function converted(t, number)
   local r = Tensors.empty(number)
   if t.ndim > 0 then
      core.resizeAs(r, t)
      core.copy(r, t)
   end
   return r
end

-- The class number of a tensor type; raises for what is none.
local function numberOf(name, operation)
   operation = operation or 'type'
   local number = types.numbers[name]
   if number and name:match 'Tensor$' then
      return number
   end
   local text, class_of = tostring(name), registry.constructors[name]
   if class_of then
      raise(("%s: wanted the name of a type, got the class: '%s' is its name"):format(operation,
         registry.names[class_of]))
   elseif text:match '^torch%.Cuda' and not types.numbers['torch.CudaTensor'] then
      raise(("%s: there is no %s yet: require 'cutorch' first (networks: 'cunn')"):format(
         operation, text))
   end
   local near = require('torch.near').hint(text, types.numbers)
   raise(('%s: %s is not a tensor type%s'):format(operation, text,
      near ~= '' and near or '; torch.FloatTensor is one'))
end

--- The type's name; with a name, the tensor in that type: itself when it already is.
-- @usage torch.type(obj) -> string
-- t:type() -> typename
-- t:type(typename) -> converted or self
-- @example
-- torch.zeros(2):type() --> 'torch.DoubleTensor'
-- torch.Tensor { 1.9, -1.9 }:type 'torch.IntTensor' --> { 1, -1 }
function T.type(t, name)
   local own = class.typename(t)
   if name == nil then
      return own
   elseif name == own then
      return t
   end
   return converted(t, numberOf(name))
end

--- The tensor in the type of another: itself when it already is of that type.
-- @usage t:typeAs(t2) -> tensor
-- @example torch.ones(2):typeAs(torch.FloatTensor()):type() --> 'torch.FloatTensor'
function T.typeAs(t, other)
   if not isTensor(other) then
      badArguments('typeAs', 'T Tensor', 2, t, other)
   end
   return T.type(t, class.typename(other))
end

--- The tensor as a CPU tensor of that element type: itself when it already is one, a converted copy
-- otherwise.
-- Floating numbers are cut towards 0 for integer types; integers wrap as in C.
-- @function byte
-- @function char
-- @function short
-- @function int
-- @function long
-- @function half
-- @function bfloat16
-- @function float
-- @function double
-- @usage t:byte() -> torch.ByteTensor (self if already)
-- @example
-- torch.Tensor { 1.9, 300 }:byte() --> { 1, 44 }
-- torch.Tensor { 1 }:float():type() --> 'torch.FloatTensor'

-- t:float() and so on; an element type other than the present one, on the CPU.
for dtype, name in pairs(types.names) do
   T[dtype == C.TH_BFLOAT16 and 'bfloat16' or name:lower()] = function(t)
      if t.device_type == 0 and t.dtype == dtype then
         return t
      end
      return converted(t, dtype)
   end
end

--- The tensor as a CUDA tensor of that element type: itself when it already is one, otherwise a
-- converted copy on the current device. Needs the package cutorch.
-- @function cuda
-- @function cudaByte
-- @function cudaChar
-- @function cudaShort
-- @function cudaInt
-- @function cudaLong
-- @function cudaHalf
-- @function cudaBFloat16
-- @function cudaDouble
-- @usage t:cuda() -> torch.CudaTensor

-- Until cutorch puts its own in their place.
for _, name in pairs(types.names) do
   local method = 'cuda' .. (name == 'Float' and '' or name)
   T[method] = function()
      raise(("%s: there are no CUDA tensors yet: require 'cutorch' first"):format(method))
   end
end

--- The tensor in the default type.
-- @usage t:real() -> default tensor type
-- @example torch.FloatTensor(2):real():type() --> 'torch.DoubleTensor'
function T.real(t)
   return T.type(t, F.getdefaulttensortype())
end

-- --- default type -------------------------------------------------------------------------------

--- Type of torch.Tensor and of what constructors such as torch.zeros make.
-- @usage torch.setdefaulttensortype(typename)
-- @example
-- torch.setdefaulttensortype 'torch.FloatTensor'
-- torch.zeros(2):type() --> 'torch.FloatTensor'
-- torch.setdefaulttensortype 'torch.DoubleTensor'
function F.setdefaulttensortype(name)
   local number = numberOf(name, 'setdefaulttensortype')
   types.default = number
   local torch = rawget(_G, 'torch')
   torch.Tensor = class.getconstructortable(name)
   torch.Storage = class.getconstructortable((name:gsub('Tensor$', 'Storage')))
end

--- Name of the type of torch.Tensor, such as 'torch.DoubleTensor'.
-- @usage torch.getdefaulttensortype() -> string
-- @example torch.getdefaulttensortype() --> 'torch.DoubleTensor'
function F.getdefaulttensortype()
   return class.typename(Tensors.empty(types.default))
end

-- --- Lua tables ---------------------------------------------------------------------------------

local function toTable(t)
   local result = {}
   if t.flags ~= 0 then
      t = t:detach()
   end
   if t.ndim == 0 then
      return result
   end
   for i = 1, tonumber(t.sizes[0]) do
      local item = t[i]
      result[i] = t.ndim > 1 and toTable(item) or item
   end
   return result
end

--- The elements as nested tables.
-- @usage torch.totable(tensor|storage) -> table
-- t:totable() -> nested table
-- @example torch.range(1, 4):view(2, 2):totable() --> { { 1, 2 }, { 3, 4 } }
T.totable = toTable

function F.totable(x)
   if isTensor(x) or isStorage(x) then
      return x:totable()
   end
   raise(('totable: expected a tensor or a storage, got %s'):format(class.type(x)))
end

return { methods = T, functions = F, number = numberOf }
