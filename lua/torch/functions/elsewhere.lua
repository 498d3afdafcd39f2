--- PyTorch's names for what Torch7 spells otherwise, where nothing of Torch7's stands against them.
--
-- They do what they do there, in Torch7's ways: positions and dimensions count from 1 (dimension -1
-- is the last), sizes are a table or a LongStorage.
-- Names that mean something else here, or nothing, are answered by `th` with ours. So is `flatten`:
-- autograd's nodes have one, and take torch's functions for methods.
-- @module torch.functions.elsewhere
local torch = _G.torch -- being made
local th = require 'torch.ffi'
local class = require 'torch.class'
local types = require 'torch.types'
local blas = require 'torch.functions.blas'
local Tensors = require 'torch.Tensor'

local isTensor, like, raise, badArguments = th.isTensor, th.like, th.raise, th.badArguments
local numeric = th.numeric

local T, F = {}, {}

local function needsTensor(name, x)
   if not isTensor(x) then
      badArguments(name, 'T', 1, x)
   end
end

-- A dimension from 1, or from -1 for the last one.
local function dimension(name, x, dim)
   dim = numeric(dim) or dim
   local d = type(dim) == 'number' and dim < 0 and x.ndim + 1 + dim or dim
   if type(d) ~= 'number' or not (d >= 1 and d <= x.ndim) then
      raise(('%s: dimension %s out of range of %dD tensor; dimensions count from 1, -1 is the last')
         :format(name, tostring(dim), x.ndim))
   end
   return d
end

local function needsNumber(name, value)
   local found = numeric(value) or value
   if type(found) ~= 'number' then
      raise(('%s: the value must be a number, got %s'):format(name, class.type(value)))
   end
   return found
end

-- --- where the extremes are ---------------------------------------------------------------------

local function extreme(name, pick)
   return function(x, dim, keepdim)
      needsTensor(name, x)
      if dim == nil then
         local row = x:contiguous():view(-1)
         local _, position = row[pick](row, 1)
         return position[1]
      end
      dim = dimension(name, x, dim)
      local _, positions = x[pick](x, dim)
      if keepdim or positions:dim() == 1 then
         return positions
      end
      return positions:select(dim, 1)
   end
end

--- Where the largest element is: its place in row-major order, from 1; along a dimension, the
-- positions as a LongTensor without that dimension.
-- @function argmax
-- @usage torch.argmax(x) -> number
-- x:argmax(dim [, keepdim=false]) -> LongTensor
-- @example torch.Tensor { 3, 9, 5 }:argmax() --> 2
T.argmax = extreme('argmax', 'max')

--- Where the smallest element is; as `argmax`.
-- @function argmin
-- @usage torch.argmin(x) -> number
-- x:argmin(dim [, keepdim=false]) -> LongTensor
-- @example torch.Tensor { 3, 9, 5 }:argmin() --> 1
T.argmin = extreme('argmin', 'min')

--- The positions that put the elements in order: the second result of torch.sort.
-- @usage x:argsort([dim=-1] [, descending=false]) -> LongTensor
-- @example torch.Tensor { 3, 9, 5 }:argsort() --> { 1, 3, 2 }
function T.argsort(x, dim, descending)
   needsTensor('argsort', x)
   local _, positions = x:sort(dimension('argsort', x, dim or -1), descending or false)
   return positions
end

-- --- tensors like another ------------------------------------------------------------------------

local function likes(name, f)
   return function(x, ...)
      needsTensor(name, x)
      return f(like(x):resizeAs(x), ...)
   end
end

--- A tensor of zeros with x's type and sizes.
-- @function zeros_like
-- @usage torch.zeros_like(x) -> res
-- @example torch.zeros_like(torch.ones(2)) --> { 0, 0 }
F.zeros_like = likes('zeros_like', function(r) return r:zero() end)

--- A tensor of ones with x's type and sizes.
-- @function ones_like
-- @usage torch.ones_like(x) -> res
-- @example torch.ones_like(torch.zeros(2)) --> { 1, 1 }
F.ones_like = likes('ones_like', function(r) return r:fill(1) end)

--- A tensor with x's type and sizes whose elements are whatever the memory holds.
-- @function empty_like
-- @usage torch.empty_like(x) -> res
-- @example torch.empty_like(torch.ones(2, 3)):size() --> { 2, 3 }
F.empty_like = likes('empty_like', function(r) return r end)

--- A tensor filled with a number, with x's type and sizes.
-- @function full_like
-- @usage torch.full_like(x, value) -> res
-- @example torch.full_like(torch.zeros(2), 7) --> { 7, 7 }
F.full_like = likes('full_like', function(r, value)
   return r:fill(needsNumber('full_like', value))
end)

--- Random numbers from 0 to 1, with x's type and sizes.
-- @function rand_like
-- @usage torch.rand_like(x) -> res
-- @example torch.rand_like(torch.ones(2, 3)):le(1):sum() --> 6
F.rand_like = likes('rand_like', function(r) return r:uniform() end)

--- Normally distributed random numbers, with x's type and sizes.
-- @function randn_like
-- @usage torch.randn_like(x) -> res
-- @example torch.randn_like(torch.FloatTensor(2)):type() --> 'torch.FloatTensor'
F.randn_like = likes('randn_like', function(r) return r:normal() end)

-- --- tensors of numbers --------------------------------------------------------------------------

-- Sizes as a list or a LongStorage.
local function sized(name, number, sizes)
   if not th.isStorage(sizes) and type(sizes) ~= 'table' then
      raise(('%s: the sizes must be a table or a LongStorage, got %s'):format(name,
         class.type(sizes)))
   end
   local r = Tensors.empty(number)
   return r:resize(unpack(type(sizes) == 'table' and sizes or sizes:totable()))
end

--- A tensor of the default type, filled with a number.
-- @usage torch.full(sizes, value) -> res
-- @example torch.full({ 2 }, 7) --> { 7, 7 }
function F.full(sizes, value)
   return sized('full', types.default, sizes):fill(needsNumber('full', value))
end

--- The numbers from `first` (default 0) in steps up to, and without, `last`; torch.range has it.
-- @usage torch.arange([first=0,] last [, step=1]) -> res
-- @example torch.arange(3) --> { 0, 1, 2 }
function F.arange(first, last, step)
   if last == nil then
      first, last = 0, first
   end
   step = step or 1
   first, last, step = numeric(first) or first, numeric(last) or last, numeric(step) or step
   if type(first) ~= 'number' or type(last) ~= 'number' or type(step) ~= 'number' or step == 0 then
      badArguments('arange', '[first = 0] last [step = 1]', 3, first, last, step)
   end
   local r = Tensors.empty(types.default)
   local n = math.ceil((last - first) / step)
   return n > 0 and r:range(first, first + (n - 1) * step, step) or r
end

--- Integers from `low` (default 0) up to, and without, `high`; x:random(a, b) has both ends.
-- @usage torch.randint([low=0,] high, sizes) -> LongTensor
-- @example torch.randint(5, 6, { 2 }) --> { 5, 5 }
function F.randint(low, high, sizes)
   if sizes == nil then
      low, high, sizes = 0, low, high
   end
   low, high = numeric(low) or low, numeric(high) or high
   if type(low) ~= 'number' or type(high) ~= 'number' or sizes == nil then
      badArguments('randint', '[low = 0] high sizes', 3, low, high, sizes)
   elseif high <= low then
      raise(('randint: there is no integer from %s up to, and without, %s'):format(low, high))
   end
   return sized('randint', th.C.TH_LONG, sizes):random(low, high - 1)
end

--- A tensor of the default type with the numbers of nested tables, or a number: torch.Tensor(table)
-- @usage torch.tensor(table | number) -> res
-- @example torch.tensor { { 1, 2 } } --> { { 1, 2 } }
function F.tensor(values)
   if type(values) == 'number' or numeric(values) then
      values = { values }
   elseif type(values) ~= 'table' then
      badArguments('tensor', '(table | number)', 1, values)
   end
   return torch.Tensor(values)
end

-- --- products ------------------------------------------------------------------------------------

local function sizesOf(x)
   local sizes = {}
   for d = 1, x.ndim do
      sizes[d] = tostring(x:size(d))
   end
   return table.concat(sizes, ' x ')
end

-- What does not go together is told in the words of the call, not of the product that it becomes.
local function checkProduct(x, y)
   local inner, first = x:size(x.ndim), y:size(math.max(y.ndim - 1, 1))
   if inner ~= first then
      raise(('matmul: size mismatch, x: [%s], y: [%s]; the %s of x (%d) must equal the %s of y '
         .. '(%d)'):format(sizesOf(x), sizesOf(y), x.ndim > 1 and 'columns' or 'elements', inner,
         y.ndim > 1 and 'rows' or 'elements', first))
   elseif x.ndim == 3 and x:size(1) ~= y:size(1) then
      raise(('matmul: size mismatch, x: [%s], y: [%s]; there are %d matrices and %d'):format(
         sizesOf(x), sizesOf(y), x:size(1), y:size(1)))
   end
end

--- Product of vectors (a number), of a matrix and a vector either way, of matrices, of batches of
-- matrices.
-- @usage torch.matmul(x, y) -> res | number
-- @example
-- local a = torch.Tensor { { 1, 2 }, { 3, 4 } }
-- torch.matmul(a, torch.Tensor { 1, 1 }) --> { 3, 7 }
function T.matmul(x, y)
   if not isTensor(x) or not isTensor(y) then
      badArguments('matmul', 'T T', 2, x, y)
   end
   local m, n = x.ndim, y.ndim
   if m > 0 and n > 0 and (m == n and m <= 3 or m + n == 3) then
      checkProduct(x, y)
   end
   if m == 1 and n == 1 then
      return x:dot(y)
   elseif m == 2 and n == 1 then
      return blas.functions.mv(x, y)
   elseif m == 1 and n == 2 then
      return blas.functions.mv(y:t(), x)
   elseif m == 2 and n == 2 then
      return blas.functions.mm(x, y)
   elseif m == 3 and n == 3 then
      return blas.functions.bmm(x, y)
   end
   raise(('matmul: no product of a %dD and a %dD tensor: there are those of vectors, matrices and '
      .. 'batches of as many matrices (both 3D)'):format(m, n))
end

--- The product of each element of one vector with each of the other: torch.ger.
-- @usage torch.outer(x, y) -> res
-- @example torch.outer(torch.Tensor { 1, 2 }, torch.Tensor { 3, 4 }) --> { { 3, 4 }, { 6, 8 } }
function T.outer(x, y)
   return blas.functions.ger(x, y)
end

-- --- shapes --------------------------------------------------------------------------------------

--- The elements as nested tables: totable.
-- @usage x:tolist() -> table
-- @example torch.Tensor { 1, 2 }:tolist() --> { 1, 2 }
function T.tolist(x)
   needsTensor('tolist', x)
   return x:totable()
end

for name, f in pairs(T) do
   F[name] = f
end

-- x.shape, x.T and x.is_cuda: no methods, but what Torch7 gives nil for.
Tensors.properties.shape = function(x)
   return x:size()
end

Tensors.properties.T = function(x)
   if x.ndim <= 2 then -- nil beyond, as in Torch7
      return x.ndim == 2 and x:t() or x
   end
end

Tensors.properties.is_cuda = function(x)
   return x.device_type ~= th.C.TH_CPU
end

return { methods = T, functions = F }
