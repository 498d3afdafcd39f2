--- Operations that Torch7 does not have, made of those it has: where, stack, logsumexp, item,
-- allclose, and clamp with one bound.
-- @module torch.functions.compose
local th = require 'torch.ffi'
local gen = require 'torch.operations'
local shapes = require 'torch.functions.shapes'
local types = require 'torch.types'
local fill = require 'torch.functions.fill'
local Tensors = require 'torch.Tensor'

local C, raise = th.C, th.raise
local like, isTensor, badArguments = th.like, th.isTensor, th.badArguments
local withNumbers = th.withNumbers

local T, F = {}, {}

-- --- choosing -----------------------------------------------------------------------------------

--- r[i] = mask[i] is 1 ? a[i] : b[i].
-- Sizes that differ are broadcast (see torch.broadcast), for this function always.
-- @function where
-- @param mask ByteTensor of 0 and 1, as comparisons give it
-- @param a tensor or number
-- @param b tensor of a's type, or number
-- @return a new tensor of the type of a and b; of the default type when both are numbers
-- @raise "where: sizes 2x3 and 4 do not agree ..."
-- @example
-- local x = torch.Tensor { -1, 2 }
-- torch.where(x:gt(0), x, 0) --> { 0, 2 }
function F.where(mask, a, b)
   if not isTensor(mask) or not (isTensor(a) or type(a) == 'number')
      or not (isTensor(b) or type(b) == 'number') then
      return withNumbers(F.where, 'where', 'ByteTensor (T | number) (T | number)', 3, mask, a, b)
   end
   local list = { mask }
   list[#list + 1] = isTensor(a) and a or nil
   list[#list + 1] = isTensor(b) and b or nil
   local expanded, shape = shapes.agree('where', list)
   mask = expanded[1]
   local r
   if isTensor(b) then
      r = fill.methods.clone(expanded[#expanded])
   else
      r = (isTensor(a) and like(a) or Tensors.empty(types.default)):resize(unpack(shape)):fill(b)
   end
   if isTensor(a) then
      return r:maskedCopy(mask, expanded[2]:maskedSelect(mask))
   end
   return r:maskedFill(mask, a)
end

--- x limited to [min, max]; nil for one of them leaves that side open.
-- @function clamp
-- @param[opt] res result; t:clamp(min, max) works in place
-- @param x tensor
-- @param min number or nil
-- @param max number or nil
-- @return res
-- @example torch.Tensor { -1, 2 }:clamp(0, nil) --> { 0, 2 }
function T.clamp(r, a, b, c)
   local x, low, high = r, a, b
   if isTensor(a) then
      x, low, high = a, b, c
   end
   if type(low) == 'number' and type(high) == 'number' then
      return gen.methods.clamp(r, x, low, high)
   elseif type(low) == 'number' and high == nil then
      return gen.methods.cmax_value(r, x, low)
   elseif type(high) == 'number' and low == nil then
      return gen.methods.cmin_value(r, x, high)
   end
   return withNumbers(T.clamp, 'clamp', '*T* [T] (number | nil) (number | nil)', 4, r, a, b, c)
end

function F.clamp(a, b, c, d)
   if not isTensor(a) then
      badArguments('clamp', '[*T*] T (number | nil) (number | nil)', 4, a, b, c, d)
   elseif isTensor(b) then
      return T.clamp(a, b, c, d)
   end
   return T.clamp(like(a), a, b, c)
end

-- --- joining ------------------------------------------------------------------------------------

--- Tensors of equal sizes joined along a new dimension: r:select(dim, i) equals list[i].
-- @function stack
-- @param[opt] res result; also r:stack(list, dim)
-- @param list table of tensors
-- @param[opt] dim number: place of the new dimension, 1 (default) to dim() + 1; -1 is the last
-- @return res
-- @raise "stack: tensor 2 is 3x2, the first is 2x3; ..."
-- @example
-- torch.stack({ torch.Tensor { 1, 2 }, torch.Tensor { 3, 4 } }) --> { { 1, 2 }, { 3, 4 } }
-- torch.stack({ torch.Tensor { 1, 2 }, torch.Tensor { 3, 4 } }, 2) --> { { 1, 3 }, { 2, 4 } }
function F.stack(a, b, c)
   local r, list, dim = nil, a, b
   if isTensor(a) then
      r, list, dim = a, b, c
   end
   dim = dim or 1
   if type(list) ~= 'table' or not isTensor(list[1]) or type(dim) ~= 'number' then
      return withNumbers(F.stack, 'stack', '[*T*] {T...} [dim = 1]', 3, a, b, c)
   end
   local first = list[1]
   local n = first.ndim + 1
   local place = dim < 0 and n + 1 + dim or dim
   if not (place >= 1 and place <= n) then
      raise(('stack: dimension %s out of range; for %dD tensors it is 1 to %d, or -%d to -1')
         :format(tostring(dim), n - 1, n, n))
   end
   local slices = {}
   for i = 1, #list do
      local t = list[i]
      if not isTensor(t) then
         badArguments('stack', '[*T*] {T...} [dim = 1]', 1, t)
      elseif not C.TH_isSameSize(t, first) then
         raise(('stack: tensor %d is %s, the first is %s; all must have the same sizes'):format(
            i, shapes.text(t), shapes.text(first)))
      end
      slices[i] = t:unsqueeze(place)
   end
   if r then
      return fill.functions.cat(r, slices, place)
   end
   return fill.functions.cat(slices, place)
end
T.stack = F.stack

-- --- numbers ------------------------------------------------------------------------------------

--- log of the sum of e^x, without overflow: m + log(sum(e^(x - m))) with m = max(x).
-- @function logsumexp
-- @param[opt] res result
-- @param x tensor of floating type
-- @param[opt] dim number: reduce this dimension, which keeps size 1; without it, everything
-- @return res; a number without dim
-- @example
-- torch.logsumexp(torch.Tensor { 1000, 1000 }) --> 1000.7
-- torch.logsumexp(torch.zeros(2, 3), 2) --> { { 1.0986 }, { 1.0986 } }
function F.logsumexp(a, b, c)
   local r, x, dim = nil, a, b
   if isTensor(b) then
      r, x, dim = a, b, c
   end
   if not isTensor(x) or (dim ~= nil and type(dim) ~= 'number') then
      return withNumbers(F.logsumexp, 'logsumexp', 'T | [*T*] T dim', 3, a, b, c)
   elseif dim == nil then
      if x.ndim == 0 then
         return -math.huge -- of nothing: log 0
      end
      local flat = x:contiguous():view(-1)
      r = F.logsumexp(flat, 1)
      return r[1]
   end
   dim = dim < 0 and x.ndim + 1 + dim or dim
   local shift = x:max(dim)
   -- e^(x - m) of an infinite m would be NaN; unshifted, the sum is 0 or infinite as it should be.
   shift:maskedFill(gen.functions.abs(shift):eq(math.huge), 0)
   local parts = x:clone():add(-1, shift:expandAs(x)):exp()
   -- Not in place: the derivative of log reads the sum.
   r = gen.functions.log(r or like(x), parts.sum(like(x), parts, dim))
   return r:add(shift)
end
T.logsumexp = F.logsumexp

--- The one element of a tensor, as a number; a number is itself.
--
-- A sum is a number, and of Variables one of them: `torch.item(x:sum())` is a number of both.
-- @usage torch.item(x) -> number
-- @usage t:item() -> number
-- @raise "item: a tensor of 6 elements (2x3) is no single number; ..."
-- @example torch.Tensor { 7 }:item() --> 7
-- torch.item(torch.ones(3):sum()) --> 3
function F.item(t)
   if type(t) == 'number' then
      return t
   elseif not th.isTensor(t) then
      badArguments('item', 'T | number', 1, t)
   end
   if C.TH_nElement(t) ~= 1 then
      raise(('item: a tensor of %d elements (%s) is no single number; index one, as in t[1]')
         :format(tonumber(C.TH_nElement(t)), shapes.text(t)))
   end
   if t.flags ~= 0 then
      t = t:detach()
   end
   while t.ndim > 1 do
      t = t:select(1, 1)
   end
   return t[1]
end
T.item = F.item

--- Whether |a - b| <= atol + rtol |b| for all elements.
-- Infinities must be equal. Computed in double on the CPU.
-- @function allclose
-- @param a tensor
-- @param b tensor of the same sizes, of any type
-- @param[opt] rtol number: relative tolerance, default 1e-5
-- @param[opt] atol number: absolute tolerance, default 1e-8
-- @param[opt] equal_nan boolean: whether NaN is close to NaN, default false
-- @return boolean
-- @raise "allclose: sizes 2x3 and 3 differ"
-- @example
-- torch.allclose(torch.ones(2), torch.ones(2) + 1e-9) --> true
-- torch.allclose(torch.ones(2), torch.zeros(2)) --> false
function F.allclose(a, b, rtol, atol, equal_nan)
   rtol, atol = rtol or 1e-5, atol or 1e-8
   if not isTensor(a) or not isTensor(b) or type(rtol) ~= 'number' or type(atol) ~= 'number' then
      return withNumbers(F.allclose, 'allclose',
         'T Tensor [rtol = 1e-5] [atol = 1e-8] [equal_nan = false]', 5,
         a, b, rtol, atol, equal_nan)
   elseif not C.TH_isSameSize(a, b) then
      raise(('allclose: sizes %s and %s differ'):format(shapes.text(a), shapes.text(b)))
   elseif a.ndim == 0 then
      return true
   end
   local x, y = a:double(), b:double()
   local size = gen.functions.abs(y)
   local distance = x:clone():add(-1, y):abs()
   local close = distance:le(size * rtol + atol):cmul(size:lt(math.huge))
   close:cmax(x:eq(y))
   if equal_nan then
      close:cmax(x:ne(x):cmul(y:ne(y)))
   end
   return close:min() == 1
end
T.allclose = F.allclose

--- Einstein's sum: the product of all tensors, element by element where they share an index,
-- summed over every index that the result does not name.
--
-- The equation names the dimensions of each tensor by letters, then those of the result. Without
-- '->' the result has the letters that occur once, in alphabetical order. A letter twice in one
-- term means the diagonal. '...' stands for any further dimensions; those are broadcast. Tensors
-- are contracted two at a time from the left by matrix products.
-- @param equation string such as 'ij,jk->ik'
-- @param ... tensors of one type, or one table of them
-- @return a new tensor; a number when the result has no index, of Variables a tensor of one element
-- @raise "einsum: index j is 3 in tensor 1 (2x3) and 4 in tensor 2 (4x5)"
-- @example
-- local A, x = torch.Tensor { { 1, 2 }, { 3, 4 } }, torch.Tensor { 1, 10 }
-- torch.einsum('ij,j->i', A, x) --> { 21, 43 }
-- torch.einsum('ii', A) --> 5
-- torch.einsum('i,j', x, x) --> { { 1, 10 }, { 10, 100 } }
-- local a, b = torch.randn(2, 3, 4), torch.randn(2, 4, 5)
-- torch.allclose(torch.einsum('bij,bjk->bik', a, b), torch.bmm(a, b)) --> true
function F.einsum(equation, ...)
   return require 'torch.functions.einsum'(equation, ...)
end

return { methods = T, functions = F }
