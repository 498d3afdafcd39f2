--- nn.utils: functions over tensors nested in tables, shared by layers and user scripts.

local torch = require 'torch'
local class_number = require('torch.convert').number
local raise = require('torch.errors').raise

local utils = {}

-- Convert a tensor and remember it and its storage, so that whatever shared memory still does.
local function convert(tensor, typename, cache)
   class_number(typename)
   local key = torch.pointer(tensor)
   local converted = cache[key]
   if converted then
      return converted
   end
   converted = torch.getmetatable(typename).new()
   local storage = tensor:storage()
   if storage then
      local storage_key = torch.pointer(storage)
      local whole = cache[storage_key]
      if not whole then
         whole = tensor.new(storage):type(typename)
         cache[storage_key] = whole
      end
      converted:set(whole:storage(), tensor:storageOffset(), tensor:size(), tensor:stride())
   end
   cache[key] = converted
   return converted
end

--- Convert every tensor in `param` to `typename`: a tensor, a module, a criterion, or a table of
-- these. Tensors that share a storage share one afterwards, as far as `cache` reaches.
-- @param param tensor, module, criterion or table (changed in place), or anything else (returned
-- as is)
-- @string typename for example 'torch.FloatTensor'
-- @tparam[opt] table cache old object -> new, to be passed on between calls
-- @return the converted `param`
function utils.recursiveType(param, typename, cache)
   cache = cache or {}
   if torch.isTensor(param) then
      if torch.typename(param) == typename then
         return param
      end
      return convert(param, typename, cache)
   elseif torch.isTypeOf(param, 'nn.Module') or torch.isTypeOf(param, 'nn.Criterion') then
      param:type(typename, cache) -- in place; overridden methods may return nothing
      return param
   elseif type(param) == 'table' then
      for k, v in pairs(param) do
         param[k] = utils.recursiveType(v, typename, cache)
      end
   end
   return param
end

local function mismatch(t1, t2)
   local types = ('Got %s and %s instead'):format(torch.type(t1), torch.type(t2))
   raise('expecting nested tensors or tables. ' .. types)
end

local function drop_extra(t, like)
   for k in pairs(t) do
      if like[k] == nil then
         t[k] = nil
      end
   end
end

--- Give `t1` the structure and sizes of `t2`, both tensors or nested tables of tensors.
-- @return t1 (made anew where it was of another kind), t2
function utils.recursiveResizeAs(t1, t2)
   if type(t2) == 'table' then
      t1 = type(t1) == 'table' and t1 or { t1 }
      for k, v in pairs(t2) do
         t1[k] = utils.recursiveResizeAs(t1[k], v)
      end
      drop_extra(t1, t2)
   elseif torch.isTensor(t2) then
      t1 = torch.isTensor(t1) and t1 or t2.new()
      t1:resize(t2:size())
   else
      mismatch(t1, t2)
   end
   return t1, t2
end

--- Fill all tensors of `t2` with `val`.
function utils.recursiveFill(t2, val)
   if type(t2) == 'table' then
      for _, v in pairs(t2) do
         utils.recursiveFill(v, val)
      end
   elseif torch.isTensor(t2) then
      t2:fill(val)
   else
      raise('expecting tensor or table thereof. Got ' .. torch.type(t2) .. ' instead')
   end
   return t2
end

--- t1 <- t1 + val * t2, tensor by tensor. Tables in `t1` need the keys of `t2`.
-- `recursiveAdd(t1, t2)` adds with val = 1.
-- @return t1, t2
function utils.recursiveAdd(t1, val, t2)
   if t2 == nil then
      val, t2 = 1, val
   end
   if type(t2) == 'table' then
      t1 = type(t1) == 'table' and t1 or { t1 }
      for k, v in pairs(t2) do
         t1[k] = utils.recursiveAdd(t1[k], val, v)
      end
   elseif torch.isTensor(t1) and torch.isTensor(t2) then
      t1:add(val, t2)
   else
      mismatch(t1, t2)
   end
   return t1, t2
end

local function copy_into(t1, t2, async)
   if type(t2) == 'table' then
      for k, v in pairs(t2) do
         copy_into(t1[k], v, async)
      end
   elseif async then
      t1:copyAsync(t2)
   else
      t1:copy(t2)
   end
end

--- Copy `t2` into `t1`, which gets its structure and sizes.
-- @param t1 tensor or nested table of tensors, or nil
-- @param t2 tensor or nested table of tensors
-- @bool[opt=false] async copy with `copyAsync` (between host and device)
-- @return t1 (made anew where it was of another kind), t2
function utils.recursiveCopy(t1, t2, async)
   t1 = utils.recursiveResizeAs(t1, t2)
   copy_into(t1, t2, async)
   return t1, t2
end

--- A view of `tensor` with a dimension of size 1 inserted.
-- `addSingletonDimension([view,] tensor [, dim = 1])`
function utils.addSingletonDimension(view, tensor, dim)
   if not torch.isTensor(tensor) then
      view, tensor, dim = nil, view, tensor
   end
   dim = dim or 1
   if dim < 1 or dim > tensor:dim() + 1 then
      raise(('invalid dimension: %d. Tensor has %d dimensions'):format(dim, tensor:dim()))
   end
   local size, stride = tensor:size():totable(), tensor:stride():totable()
   table.insert(size, dim, 1)
   table.insert(stride, dim, 1)
   view = view or tensor.new()
   return view:set(
      tensor:storage(),
      tensor:storageOffset(),
      torch.LongStorage(size),
      torch.LongStorage(stride)
   )
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
function utils.clear(self, ...)
   local names = type((...)) == 'table' and (...) or { ... }
   for _, name in ipairs(names) do
      local value = self[name]
      if torch.isTensor(value) then
         value:set()
      elseif type(value) == 'table' then
         self[name] = {}
      else
         self[name] = nil
      end
   end
   return self
end

return utils
