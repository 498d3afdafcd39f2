--- Elements by position: index, gather, masks, nonzero; and order: sort, topk, median.
-- @module torch.functions.pick
local th = require 'torch.ffi'
local core = require 'torch.core'

local C = th.C
local like, likeType, isTensor, badArguments = th.like, th.likeType, th.isTensor, th.badArguments
local numeric, withNumbers = th.numeric, th.withNumbers
local LONG = C.TH_LONG

local T, F = {}, {}

-- --- by position --------------------------------------------------------------------------------

-- Positions where x is: those of a CUDA tensor may be given as a LongTensor of the CPU.
local function beside(x, positions)
   if positions.device_type == x.device_type or positions.device_type ~= C.TH_CPU then
      return positions
   end
   return likeType(x, positions.dtype):resizeAs(positions):copy(positions)
end

-- f([res,] t, dim, positions).
local function picking(name, call)
   T[name] = function(a, b, c, d)
      local r, x, dim, positions = nil, a, b, c
      if isTensor(b) then
         r, x, dim, positions = a, b, c, d
      end
      if not isTensor(x) or type(dim) ~= 'number' or not isTensor(positions) then
         return withNumbers(T[name], name, '[*T*] T dim LongTensor', 4, a, b, c, d)
      end
      r, positions = r or like(x), beside(x, positions)
      call(r, x, dim - 1, positions)
      return r
   end
   F[name] = T[name]
end

--- Slices of dim in the order of the positions, copied.
-- @usage t:index(dim, LongTensor) -> res
-- res:index(t, dim, LongTensor)
-- @example
-- torch.range(1, 6):view(3, 2):index(1, torch.LongTensor { 3, 1 }) --> { { 5, 6 }, { 1, 2 } }
picking('index', core.index)
--- r[i][j] = t[positions[i][j]][j] for dim 1, and so on; r has the shape of the positions.
-- @usage torch.gather([res,] t, dim, idx) -> res
-- t:gather(dim, idx) -> res
-- res:gather(t, dim, idx)
-- @example
-- torch.range(1, 4):view(2, 2):gather(2, torch.LongTensor { { 2 }, { 1 } }) --> { { 2 }, { 3 } }
picking('gather', core.gather)

-- f(t, dim, positions, source): writes into t.
local function placing(name, call)
   local function place(r, dim, positions, x)
      if not isTensor(r) or type(dim) ~= 'number' or not isTensor(positions) or not isTensor(x) then
         return withNumbers(place, name, '*T* dim LongTensor T', 4, r, dim, positions, x)
      end
      positions = beside(r, positions)
      call(r, dim - 1, positions, x)
      return r
   end
   T[name] = place
end

--- Copy slices: t:select(dim, positions[i]) becomes source:select(dim, i).
-- @usage t:indexCopy(dim, LongTensor, src)
-- @example
-- torch.zeros(3):indexCopy(1, torch.LongTensor { 3, 1 }, torch.Tensor { 7, 8 }) --> { 8, 0, 7 }
placing('indexCopy', core.index_copy)

--- Add slices: source:select(dim, i) is added to t:select(dim, positions[i]); positions may repeat.
-- @usage t:indexAdd(dim, LongTensor, src)
-- @example
-- torch.ones(3):indexAdd(1, torch.LongTensor { 3, 1 }, torch.Tensor { 7, 8 }) --> { 9, 1, 8 }
placing('indexAdd', core.index_add)
placing('scatterTensor', core.scatter)

--- Set the slices at the positions along dim to the number.
-- @usage t:indexFill(dim, LongTensor, value)
-- @example torch.zeros(3):indexFill(1, torch.LongTensor { 3, 1 }, 5) --> { 5, 0, 5 }
function T.indexFill(r, dim, positions, value)
   if type(dim) ~= 'number' or not isTensor(positions) or type(value) ~= 'number' then
      return withNumbers(T.indexFill, 'indexFill', '*T* dim LongTensor number', 4, r, dim,
         positions, value)
   end
   core.index_fill(r, dim - 1, beside(r, positions), value)
   return r
end

local scatterTensor = T.scatterTensor
T.scatterTensor = nil

--- t[positions[i][j]][j] = source[i][j] (or the number) for dim 1, and so on.
-- @usage torch.scatter(res, dim, idx, t) -> res
-- torch.scatter(res, dim, idx, value) -> res
-- t:scatter(dim, idx, t) -> self
-- t:scatter(dim, idx, value) -> self
-- @example
-- local y = torch.zeros(2, 3):scatter(2, torch.LongTensor { { 3 }, { 1 } }, 1)
-- y --> { { 0, 0, 1 }, { 1, 0, 0 } }
function T.scatter(r, dim, positions, x)
   if isTensor(x) then
      return scatterTensor(r, dim, positions, x)
   elseif type(x) ~= 'number' or type(dim) ~= 'number' or not isTensor(positions) then
      return withNumbers(T.scatter, 'scatter', '*T* dim LongTensor (T | number)', 4, r, dim,
         positions, x)
   end
   core.scatter_value(r, dim - 1, beside(r, positions), x)
   return r
end
F.scatter = T.scatter

-- --- by mask ------------------------------------------------------------------------------------

--- The elements where the mask has 1, as a vector.
-- @usage t:maskedSelect(ByteTensor) -> 1D res
-- res:maskedSelect(t, ByteTensor)
-- @example
-- local x = torch.Tensor { 1, 5, 3 }
-- x:maskedSelect(x:gt(2)) --> { 5, 3 }
function T.maskedSelect(a, b, c)
   local r, x, mask = nil, a, b
   if c ~= nil then
      r, x, mask = a, b, c
   end
   if not isTensor(x) or not isTensor(mask) then
      badArguments('maskedSelect', '[*T*] T ByteTensor', 3, a, b, c)
   end
   r = r or like(x)
   core.masked_select(r, x, mask)
   return r
end

--- Set the elements where the mask has 1 to the number.
-- @usage t:maskedFill(ByteTensor, value)
-- @example
-- local x = torch.Tensor { 1, 5, 3 }
-- x:maskedFill(x:gt(2), 0) --> { 1, 0, 0 }
function T.maskedFill(r, mask, value)
   if not isTensor(mask) or type(value) ~= 'number' then
      return withNumbers(T.maskedFill, 'maskedFill', '*T* ByteTensor number', 3, r, mask, value)
   end
   core.masked_fill(r, mask, value)
   return r
end

--- Consecutive elements of the source go where the mask has 1.
-- @usage t:maskedCopy(ByteTensor, src) -> self
-- @example
-- torch.zeros(3):maskedCopy(torch.ByteTensor { 1, 0, 1 }, torch.Tensor { 7, 8 }) --> { 7, 0, 8 }
function T.maskedCopy(r, mask, x)
   if not isTensor(mask) or not isTensor(x) then
      badArguments('maskedCopy', '*T* ByteTensor T', 3, r, mask, x)
   end
   core.masked_copy(r, mask, x)
   return r
end

--- Coordinates of the elements that are not 0: one row each.
-- @usage torch.nonzero([idx,] t) -> idx
-- t:nonzero() -> idx
-- res:nonzero(t)
-- @example torch.Tensor { 0, 5, 3 }:nonzero() --> { { 2 }, { 3 } }
function T.nonzero(a, b)
   local r, x = nil, a
   if b ~= nil then
      r, x = a, b
   end
   if not isTensor(x) then
      badArguments('nonzero', '[*LongTensor*] T', 2, a, b)
   end
   r = r or likeType(x, LONG)
   core.nonzero(r, x)
   return r
end
F.nonzero = T.nonzero

-- --- order --------------------------------------------------------------------------------------

-- Leading result tensors (values, positions), then the operand; the rest as it was.
local function results(name, forms, a, b, c, ...)
   local r, indices, x
   if isTensor(c) then
      r, indices, x = a, b, c
   elseif isTensor(b) then
      r, x = a, b
      return r, likeType(x, LONG), x, c, ...
   elseif isTensor(a) then
      x = a
      return like(x), likeType(x, LONG), x, b, c, ...
   else
      badArguments(name, forms, 3, a, b, c)
   end
   return r, indices, x, ...
end

local function checkDim(name, forms, x, dim)
   if dim == nil then
      return x.ndim - 1
   elseif type(dim) ~= 'number' then
      dim = numeric(dim) or badArguments(name, forms, 2, x, dim)
   end
   return dim - 1
end

local SORT = '[*T*] [*LongTensor*] T [dim = last] [descending = false]'

local function sort(r, indices, x, dim, descending)
   if type(dim) == 'boolean' then
      dim, descending = nil, dim
   end
   local d = checkDim('sort', SORT, x, dim)
   core.sort(r, indices, x, d, descending or false)
   return r, indices
end

--- Values in order along dim, and where they were.
-- @usage torch.sort([res,] [idx,] t, [dim=last,] [descending=false]) -> res, idx
-- t:sort([dim=last,] [descending=false]) -> res, idx
-- res:sort([idx,] t, [dim=last,] [descending=false])
-- @example
-- torch.sort(torch.Tensor { 3, 1, 2 }) --> { 1, 2, 3 }, { 2, 3, 1 }
-- torch.sort(torch.Tensor { 3, 1, 2 }, 1, true) --> { 3, 2, 1 }, { 1, 3, 2 }
function T.sort(...)
   return sort(results('sort', SORT, ...))
end
F.sort = T.sort

local TOPK = '[*T*] [*LongTensor*] T [k = 1] [dim = last] [largest = false] [sorted = false]'

local function topk(r, indices, x, k, dim, largest, sorted)
   if type(k) == 'boolean' then
      k, dim, largest, sorted = 1, nil, k, dim
   elseif type(dim) == 'boolean' then
      dim, largest, sorted = nil, dim, largest
   end
   k = k or 1
   if type(k) ~= 'number' then
      k = numeric(k) or badArguments('topk', TOPK, 2, x, k)
   end
   local d = checkDim('topk', TOPK, x, dim)
   core.topk(r, indices, x, k, d, largest or false, sorted or false)
   return r, indices
end

--- The k smallest (or largest) along dim, and where they are.
-- @usage torch.topk([res,] [idx,] t, [k=1,] [dim=last,] [largest=false,] [sorted=false]) -> res,
--    idx
-- t:topk([k=1,] [dim=last,] [largest=false,] [sorted=false]) -> res, idx
-- res:topk([idx,] t, [k=1,] [dim=last,] [largest=false,] [sorted=false])
-- @example torch.topk(torch.Tensor { 3, 1, 2 }, 2, 1, true, true) --> { 3, 2 }, { 1, 3 }
function T.topk(...)
   return topk(results('topk', TOPK, ...))
end
F.topk = T.topk

local KTH = '[*T*] [*LongTensor*] T k [dim = last]'

local function kthvalue(r, indices, x, k, dim)
   if type(k) ~= 'number' then
      k = numeric(k) or badArguments('kthvalue', KTH, 2, x, k)
   end
   local d = checkDim('kthvalue', KTH, x, dim)
   core.kthvalue(r, indices, x, k, d)
   return r, indices
end

--- The k-th smallest along dim.
-- @usage torch.kthvalue([res,] [idx,] t, k [, dim=last]) -> res, idx
-- t:kthvalue(k [, dim=last]) -> res, idx
-- res:kthvalue([idx,] t, k [, dim=last])
-- @example torch.kthvalue(torch.Tensor { 3, 1, 2 }, 2) --> { 2 }, { 3 }
function T.kthvalue(...)
   return kthvalue(results('kthvalue', KTH, ...))
end
F.kthvalue = T.kthvalue

-- median (the lower of the two middle ones), mode (the most frequent).
local function middle(name, call)
   local forms = '[*T*] [*LongTensor*] T [dim = last]'
   local function apply(r, indices, x, dim)
      local d = checkDim(name, forms, x, dim)
      call(r, indices, x, d)
      return r, indices
   end
   T[name] = function(...)
      return apply(results(name, forms, ...))
   end
   F[name] = T[name]
end

--- The middle value along dim (the lower one of two) and its position.
-- @usage torch.median([res,] [idx,] t [, dim=last]) -> res, idx
-- t:median([dim=last]) -> res, idx
-- res:median([idx,] t [, dim=last])
-- @example torch.median(torch.Tensor { 3, 1, 2 }) --> { 2 }, { 3 }
middle('median', core.median)

--- The most frequent value along dim (the smallest of several) and its position.
-- @usage torch.mode([res,] [idx,] t [, dim=last]) -> res, idx
-- t:mode([dim=last]) -> res, idx
-- res:mode([idx,] t [, dim=last])
-- @example torch.mode(torch.Tensor { 3, 1, 3 }) --> { 3 }, { 3 }
middle('mode', core.mode)

return { methods = T, functions = F }
