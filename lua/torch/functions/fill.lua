--- Filling, copying and joining tensors; constructors such as torch.zeros and torch.range.
-- @module torch.functions.fill
local ffi = require 'ffi'
local th = require 'torch.ffi'
local core = require 'torch.core'
local types = require 'torch.types'
local Tensors = require 'torch.Tensor'
local convert = require 'torch.functions.convert'

local C, raise = th.C, th.raise
local like, isTensor, badArguments = th.like, th.isTensor, th.badArguments
local numeric, withNumbers = th.numeric, th.withNumbers

local T, F = {}, {}

local function fill(r, value)
   if type(value) ~= 'number' then
      return withNumbers(fill, 'fill', '*T* number', 2, r, value)
   end
   core.fill(r, value)
   return r
end

--- Set every element to the number.
-- @function fill
-- @usage torch.fill(res, value) -> res
-- t:fill(value) -> self
-- @example torch.Tensor(3):fill(7) --> { 7, 7, 7 }
T.fill = fill
F.fill = fill

--- Set every element to 0.
-- @usage torch.zero(res) -> res
-- t:zero() -> self
-- @example torch.Tensor(3):zero() --> { 0, 0, 0 }
function T.zero(r)
   if r.ndim > 0 then
      core.fill(r, 0)
   end
   return r
end
F.zero = T.zero

--- Elements of a tensor of any type and shape with as many elements.
-- @usage t:copy(src) -> self (any element type; same element count)
-- @example torch.Tensor(2, 2):copy(torch.range(1, 4)) --> { { 1, 2 }, { 3, 4 } }
function T.copy(r, x)
   if not isTensor(x) or not r then
      badArguments('copy', '*T* Tensor', 2, r, x)
   end
   core.copy(r, x)
   return r
end

--- A compact copy.
-- @usage t:clone() -> copy
-- @example
-- local x = torch.ones(2)
-- local y = x:clone():add(1)
-- x, y --> { 1, 1 }, { 2, 2 }
function T.clone(t)
   local r = like(t)
   core.resizeAs(r, t)
   core.copy(r, t)
   return r
end

--- The tensor itself when its elements lie in row-major order without gaps, a copy otherwise.
-- @usage t:contiguous() -> self view if contiguous else copy
-- @example torch.range(1, 6):view(2, 3):t():contiguous():stride(1) --> 2
function T.contiguous(t)
   th.need('contiguous', t)
   if C.TH_isContiguous(t) then
      return t
   end
   return T.clone(t)
end

--- Where a constructor function writes, and its other arguments.
-- That is its first argument if it is a tensor, otherwise a new tensor: of the type whose name
-- comes last ("torch.zeros(2, 'torch.IntTensor')"), or else of the default type.
local function target(operation, ...)
   local first, count = ..., select('#', ...)
   if isTensor(first) then
      return ...
   end
   local last = count > 0 and select(count, ...)
   if type(last) == 'string' and not numeric(last) then
      local rest = { ... }
      return Tensors.empty(convert.number(last, operation)), unpack(rest, 1, count - 1)
   end
   return Tensors.empty(types.default), ...
end

-- Make functions of methods that fill self: torch.f([res,] ...[, type name]).
local function constructor(name)
   local method = T[name]
   F[name] = function(...)
      return method(target(name, ...))
   end
end

local function resized(name, r, ...)
   local sizes, n = Tensors.givenSizes(name, select('#', ...), ...)
   if n == 0 then
      raise(name .. ': sizes are missing')
   end
   core.resize(r, n, sizes, nil)
   return r
end

local function fillAny(r, value) -- an empty tensor has nothing to fill
   if r.ndim > 0 then
      core.fill(r, value)
   end
   return r
end

--- A tensor of these sizes, all elements 0. As a method it resizes the tensor itself.
-- @usage torch.zeros([res,] sizes...) -> res
-- t:zeros(sizes...) -> self
-- @example
-- torch.zeros(2, 3) --> { { 0, 0, 0 }, { 0, 0, 0 } }
-- torch.zeros(2, 'torch.IntTensor'):type() --> 'torch.IntTensor'
function T.zeros(r, ...)
   return fillAny(resized('zeros', r, ...), 0)
end

--- A tensor of these sizes, all elements 1. As a method it resizes the tensor itself.
-- @usage torch.ones([res,] sizes...) -> res
-- t:ones(sizes...) -> self
-- @example torch.ones(2, 3) --> { { 1, 1, 1 }, { 1, 1, 1 } }
function T.ones(r, ...)
   return fillAny(resized('ones', r, ...), 1)
end

--- first, first + step, ... up to last, which is included when it is reached.
-- @usage torch.range([res,] first, last [, step=1]) -> res
-- t:range(first, last [, step=1]) -> self
-- @example
-- torch.range(1, 4) --> { 1, 2, 3, 4 }
-- torch.range(0, 1, 0.25) --> { 0, 0.25, 0.5, 0.75, 1 }
function T.range(r, first, last, step)
   step = step or 1
   if type(first) ~= 'number' or type(last) ~= 'number' or type(step) ~= 'number' then
      return withNumbers(T.range, 'range', '*T* first last [step = 1]', 4, r, first, last, step)
   end
   core.range(r, first, last, step)
   return r
end

local function spaced(name, call)
   T[name] = function(r, first, last, count)
      count = count or 100
      if type(first) ~= 'number' or type(last) ~= 'number' or type(count) ~= 'number' then
         return withNumbers(T[name], name, '*T* first last [count = 100]', 4, r, first, last, count)
      end
      call(r, first, last, count)
      return r
   end
end

--- `count` numbers (default 100), evenly spaced from first to last.
-- @function linspace
-- @usage torch.linspace([res,] start, end [, n=100]) -> res
-- t:linspace(start, end [, n=100]) -> self
-- @example torch.linspace(0, 1, 5) --> { 0, 0.25, 0.5, 0.75, 1 }
spaced('linspace', core.linspace)

--- 10^first to 10^last, exponents evenly spaced.
-- @function logspace
-- @usage torch.logspace([res,] start, end [, n=100]) -> res
-- t:logspace(start, end [, n=100]) -> self
-- @example torch.logspace(0, 2, 3) --> { 1, 10, 100 }
spaced('logspace', core.logspace)

--- The identity matrix of n rows and m (default n) columns.
-- @usage torch.eye([res,] n [, m=0]) -> res
-- t:eye(n [, m=0]) -> self
-- @example torch.eye(2, 3) --> { { 1, 0, 0 }, { 0, 1, 0 } }
function T.eye(r, n, m)
   m = (m == nil or m == 0) and n or m
   if type(n) ~= 'number' or type(m) ~= 'number' then
      return withNumbers(T.eye, 'eye', '*T* n [m = n]', 3, r, n, m)
   end
   core.eye(r, n, m)
   return r
end

for _, name in ipairs { 'zeros', 'ones', 'range', 'linspace', 'logspace', 'eye' } do
   constructor(name)
end

-- diag, tril, triu: `t:f([k])` or `res:f(t[, k])`.
local function ofDiagonal(name, call)
   T[name] = function(a, b, c)
      local r, x, k = nil, a, b
      if isTensor(b) then
         r, x, k = a, b, c
      end
      k = k or 0
      if not isTensor(x) or type(k) ~= 'number' then
         return withNumbers(T[name], name, '[*T*] T [k = 0]', 3, a, b, c)
      end
      r = r or like(x)
      call(r, x, k)
      return r
   end
   F[name] = T[name]
end

--- Of a matrix the k-th diagonal as a vector; of a vector a square matrix with it as k-th diagonal.
-- k > 0 is above the main diagonal, k < 0 below.
-- @usage torch.diag([res,] t [, k=0]) -> res
-- t:diag([k=0]) -> res
-- res:diag(t [, k=0])
-- @example
-- torch.diag(torch.Tensor { 1, 2 }) --> { { 1, 0 }, { 0, 2 } }
-- torch.diag(torch.range(1, 9):view(3, 3), 1) --> { 2, 6 }
ofDiagonal('diag', core.diag)

--- The lower triangle up to the k-th diagonal; zeros above.
-- @usage torch.tril([res,] t [, k=0]) -> res
-- t:tril([k=0]) -> res
-- res:tril(t [, k=0])
-- @example torch.tril(torch.ones(3, 3)) --> { { 1, 0, 0 }, { 1, 1, 0 }, { 1, 1, 1 } }
ofDiagonal('tril', core.tril)

--- The upper triangle from the k-th diagonal on; zeros below.
-- @usage torch.triu([res,] t [, k=0]) -> res
-- t:triu([k=0]) -> res
-- res:triu(t [, k=0])
-- @example torch.triu(torch.ones(3, 3), 1) --> { { 0, 1, 1 }, { 0, 0, 1 }, { 0, 0, 0 } }
ofDiagonal('triu', core.triu)

-- --- joining ------------------------------------------------------------------------------------

local tensorPointers = ffi.typeof 'const TH_Tensor *[?]'

local function joined(r, list, dim)
   if dim ~= nil and type(dim) ~= 'number' then
      return withNumbers(joined, 'cat', '[*T*] T T [dim] | [*T*] {T...} [dim]', 3, r, list, dim)
   elseif #list == 0 then
      raise('cat: the list of tensors is empty')
   end
   local xs = tensorPointers(#list)
   for i = 1, #list do
      if not isTensor(list[i]) then
         badArguments('cat', '[*T*] {T...} [dim]', 1, list[i])
      end
      xs[i - 1] = list[i]
   end
   dim = dim or -1
   if dim ~= -1 and dim < 1 then
      raise(('cat: dimension %s out of range; dimensions count from 1, -1 is the last'):format(dim))
   end
   r = r or like(list[1])
   local place = dim == -1 and -1 or dim - 1
   core.cat(r, xs, #list, place)
   return r
end

--- Tensors one after the other along dim (default: the last one).
-- @usage torch.cat([res,] t1, t2 [, dim=last]) -> res
-- torch.cat([res,] {tensors} [, dim=last]) -> res
-- t:cat(t2 [, dim=last]) -> res
-- res:cat(t1, t2 [, dim=last])
-- res:cat({tensors} [, dim=last]) -> res
-- @example
-- torch.cat(torch.ones(2), torch.zeros(1)) --> { 1, 1, 0 }
-- #torch.cat({ torch.ones(2, 3), torch.zeros(4, 3) }, 1) --> { 6, 3 }
function F.cat(a, b, c, d)
   if type(a) == 'table' then
      return joined(nil, a, b)
   elseif type(b) == 'table' then
      return joined(a, b, c)
   elseif isTensor(c) then
      return joined(a, { b, c }, d)
   end
   return joined(nil, { a, b }, c)
end
T.cat = F.cat

-- --- same elements, other shape -----------------------------------------------------------------

--- A row-major copy with other sizes: t:reshape(sizes), res:reshape(t, sizes).
-- @usage torch.reshape([res,] t, sizes...) -> res
-- t:reshape(sizes...) -> res
-- res:reshape(t, sizes...)
-- @example torch.reshape(torch.range(1, 6), 2, 3) --> { { 1, 2, 3 }, { 4, 5, 6 } }
function T.reshape(a, b, ...)
   local r, x = like(a), a
   local sizes, n
   if isTensor(b) then
      r, x = a, b
      sizes, n = Tensors.readSizes('reshape', ...)
   else
      sizes, n = Tensors.readSizes('reshape', b, ...)
   end
   local count = 1
   for i = 0, n - 1 do
      count = count * tonumber(sizes[i])
   end
   if n == 0 or count ~= tonumber(C.TH_nElement(x)) then
      local shape, open = {}, false
      for i = 0, n - 1 do
         shape[i + 1] = tonumber(sizes[i])
         open = open or shape[i + 1] == -1
      end
      local all = tonumber(C.TH_nElement(x))
      raise(('reshape: a tensor of %d elements cannot become %s%s'):format(all,
         table.concat(shape, 'x'), not open and '' or all % count ~= 0
         and (': %d is no multiple of %d'):format(all, -count)
         or '; x:contiguous():view(...) finds the size that is -1'))
   end
   if rawequal(r, x) then -- a handle that keeps its sizes
      x = th.Tensor()
      core.alias(x, r)
   end
   core.resize(r, n, sizes, nil)
   core.copy(r, x)
   return r
end
F.reshape = T.reshape

--- Copies side by side: sizes say how many along each dimension; more than dim() add leading ones.
-- @usage torch.repeatTensor([res,] t, sizes...) -> res
-- t:repeatTensor(sizes...|LongStorage) -> res
-- res:repeatTensor(t, sizes...)
-- @example torch.repeatTensor(torch.Tensor { 1, 2 }, 2, 2) --> { { 1, 2, 1, 2 }, { 1, 2, 1, 2 } }
function T.repeatTensor(a, b, ...)
   local r, x = nil, a
   local sizes, n
   if isTensor(b) then
      r, x = a, b
      sizes, n = Tensors.readSizes('repeatTensor', ...)
   else
      sizes, n = Tensors.readSizes('repeatTensor', b, ...)
   end
   if n < x.ndim then
      raise(('repeatTensor: got %d repetitions for a %dD tensor, wanted at least %d'):format(
         n, x.ndim, x.ndim))
   end
   -- As an interleaved tensor (n1, s1, n2, s2, ...) whose repetitions have stride 0.
   local lead = n - x.ndim
   local total, spread = ffi.new('int64_t[?]', n), ffi.new('int64_t[?]', 2 * n)
   local single = ffi.new('int64_t[?]', 2 * n)
   for d = 0, n - 1 do
      local size = d < lead and 1 or x.sizes[d - lead]
      spread[2 * d], spread[2 * d + 1] = sizes[d], size
      single[2 * d], single[2 * d + 1] = 1, size
      total[d] = sizes[d] * size
   end
   local view = th.Tensor()
   core.view(view, T.contiguous(x), 2 * n, single)
   core.expand(view, view, 2 * n, spread)
   r = r or like(x)
   core.resize(r, n, total, nil)
   core.copy(r, view)
   return r
end
F.repeatTensor = T.repeatTensor

return { methods = T, functions = F, target = target }
