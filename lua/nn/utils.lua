--- nn.utils: functions over tensors nested in tables, shared by layers and user scripts.

local torch = require 'torch'
local nested = require 'nn.nested'
local types = require 'torch.types'
local th = require 'torch.ffi'
local class_number = require('torch.functions.convert').number
local raise = require('torch.errors').raise

local utils = {}

-- What was converted, by address. An entry keeps its source, so that no other object can come to
-- have that address while the cache lives.
local function remembered(cache, typename, object, make)
   local ofType = cache[typename]
   if not ofType then
      ofType = {}
      cache[typename] = ofType
   end
   local key = torch.pointer(object)
   local entry = ofType[key]
   if not entry then
      entry = { source = object, result = make(object, typename, cache) }
      ofType[key] = entry
   end
   return entry.result
end

local function convert_storage(storage, typename)
   local store = storage.store
   local own = types.tensors[16 * store.device_type + store.dtype]
   return own.new(storage):type(typename):storage()
end

-- Whatever shared memory still does.
local function convert(tensor, typename, cache)
   local converted, storage = torch.getmetatable(typename).new(), tensor:storage()
   if storage then
      converted:set(remembered(cache, typename, storage, convert_storage), tensor:storageOffset(),
         tensor:size(), tensor:stride())
   end
   return converted
end

local function change_type(leaf, typename, cache)
   if torch.isTensor(leaf) then
      if torch.typename(leaf) == typename then
         return leaf
      end
      class_number(typename)
      return remembered(cache, typename, leaf, convert)
   elseif torch.isTypeOf(leaf, 'nn.Module') or torch.isTypeOf(leaf, 'nn.Criterion') then
      leaf:type(typename, cache) -- in place; overridden methods may return nothing
   end
   return leaf
end

--- Convert every tensor in `param` to `typename`: a tensor, a module, a criterion, or a table of
-- these. Tensors that share a storage share one afterwards, as far as `cache` reaches.
-- @param param tensor, module, criterion or table (changed in place), or anything else, objects of
-- other classes too (returned as they are)
-- @string typename for example 'torch.FloatTensor'
-- @tparam[opt] table cache what was converted so far, to be passed on between calls
-- @return the converted `param`
-- @example
-- nn.utils.recursiveType({ torch.ones(2) }, 'torch.FloatTensor')[1]:type() --> 'torch.FloatTensor'
function utils.recursiveType(param, typename, cache)
   return nested.change(change_type, param, typename, cache or {})
end

local function mismatch(t1, t2)
   raise(('expecting nested tensors or tables. Got %s and %s instead'):format(torch.type(t1),
      torch.type(t2)))
end

local function resize_as(old, x)
   if not torch.isTensor(x) then
      mismatch(old, x)
   end
   return (torch.isTensor(old) and old or x.new()):resize(x:size())
end

--- Give `t1` the structure and sizes of `t2`, both tensors or nested tables of tensors.
-- @return t1 (made anew where it was of another kind), t2
function utils.recursiveResizeAs(t1, t2)
   return nested.into(resize_as, t1, t2), t2
end

local function fill(x, val)
   if not torch.isTensor(x) then
      raise('expecting tensor or table thereof. Got ' .. torch.type(x) .. ' instead')
   end
   x:fill(val)
end

--- Fill all tensors of `t2` with `val`.
function utils.recursiveFill(t2, val)
   return nested.each(fill, t2, val)
end

local function add(old, x, val)
   if not torch.isTensor(old) or not torch.isTensor(x) then
      mismatch(old, x)
   end
   return old:add(val, x)
end

--- t1 <- t1 + val * t2, tensor by tensor, in tables of one structure.
-- `recursiveAdd(t1, t2)` adds with val = 1.
-- @return t1, t2
function utils.recursiveAdd(t1, val, t2)
   if t2 == nil then
      val, t2 = 1, val
   end
   return nested.onto(add, t1, t2, val), t2
end

local function copy(old, x, async)
   old = resize_as(old, x)
   return async and old:copyAsync(x) or old:copy(x)
end

--- Copy `t2` into `t1`, which gets its structure and sizes.
-- @param t1 tensor or nested table of tensors, or nil
-- @param t2 tensor or nested table of tensors
-- @bool[opt=false] async copy with `copyAsync` (between host and device)
-- @return t1 (made anew where it was of another kind), t2
-- @example (nn.utils.recursiveCopy(torch.zeros(2), torch.ones(2))) --> { 1, 1 }
function utils.recursiveCopy(t1, t2, async)
   return nested.into(copy, t1, t2, async), t2
end

--- A view of `tensor` with a dimension of size 1 inserted.
-- `addSingletonDimension([view,] tensor [, dim = 1])`
-- @example #nn.utils.addSingletonDimension(torch.zeros(2, 3), 1) --> { 1, 2, 3 }
function utils.addSingletonDimension(view, tensor, dim)
   if not torch.isTensor(tensor) then
      view, tensor, dim = nil, view, tensor
   end
   dim = dim or 1
   if dim < 1 or dim > tensor:dim() + 1 then
      raise(('invalid dimension: %d. Tensor has %d dimensions'):format(dim, tensor:dim()))
   end
   view = view or tensor.new()
   th.check(th.C.TH_unsqueeze(view, tensor, dim - 1))
   return view
end

--- `input` seen with other sizes; copied into `output` where its memory does not allow a view.
-- @tparam[opt] Tensor output
-- @tparam Tensor input
-- @param ... sizes, or one LongStorage
function utils.contiguousView(output, input, ...)
   output = output or input.new()
   if input:isContiguous() then
      return output:view(input, ...)
   end
   output:resize(input:size()):copy(input)
   return output:view(output, ...)
end

--- Empty the named fields of `self`: tensors lose their memory, tables their entries, others
-- become nil. `clear(self, 'output', 'gradInput')` or `clear(self, { 'output', 'gradInput' })`
-- @return self
-- @example nn.utils.clear({ a = 1, b = 2 }, 'a').a --> nil
function utils.clear(self, ...)
   if types.variables and torch.isTypeOf(self, 'nn.Module') then
      require('nn.base.twins').clear(self)
   end
   local names = type((...)) == 'table' and (...) or { ... }
   for _, name in ipairs(names) do
      local value = self[name]
      if torch.isTensor(value) then
         value:set()
      elseif torch.type(value) == 'table' then
         self[name] = {}
      else
         self[name] = nil
      end
   end
   return self
end

return utils
