--- Geometry: sizes, strides, and views that share a tensor's elements.
-- @module torch.functions.view
local ffi = require 'ffi'
local th = require 'torch.ffi'
local types = require 'torch.types'
local class = require 'torch.class'
local structs = require 'torch.tensor.structs'
local Storage = require 'torch.Storage'
local TensorModule = require 'torch.Tensor'

local C, Tensor, check, raise = th.C, th.Tensor, th.check, th.raise
local isTensor, isStorage, badArguments = th.isTensor, th.isStorage, th.badArguments
local numeric, cut, need = th.numeric, th.cut, th.need
local readSizes = TensorModule.readSizes
local LONG = C.TH_LONG

local T, F = {}, {}

local function toStorage(array, n)
   local s = Storage.allocate(LONG, n)
   for i = 0, n - 1 do
      s.store.long_data[i] = array[i]
   end
   return s
end

-- A position, size or dimension, without its fraction.
local function toInteger(name, what, x)
   if type(x) ~= 'number' then
      x = numeric(x)
         or raise(('%s: %s must be a number, got %s'):format(name, what, class.type(x)))
   end
   return cut(x)
end

-- A dimension from 1 to dim().
local function toDimension(name, t, d)
   local given = d
   d = numeric(d) or d
   local number = type(d) == 'number'
   d = number and cut(d) or 0
   if not (d >= 1 and d <= t.ndim) then
      raise(('%s: dimension %s out of range of %dD tensor%s'):format(name, tostring(given), t.ndim,
         number and d < 1 and '; dimensions count from 1' or ''))
   end
   return d
end

-- --- what there is ------------------------------------------------------------------------------

--- Number of dimensions; 0 for an empty tensor.
-- @function dim
-- @function nDimension
-- @usage t:dim() -> n
-- @example torch.zeros(2, 3):dim() --> 2
function T.dim(t)
   return t.ndim
end
T.nDimension = T.dim

--- The sizes as a LongStorage, or the size of one dimension as a number. `t.shape` is t:size().
-- @usage t:size() -> LongStorage
-- t:size(dim) -> n
-- @example
-- torch.zeros(2, 3):size(), torch.zeros(2, 3):size(2) --> { 2, 3 }, 3
-- torch.zeros(2, 3).shape[2] --> 3
function T.size(t, d)
   if d == nil then
      return toStorage(t.sizes, t.ndim)
   elseif type(d) ~= 'number' or not (d >= 1 and d <= t.ndim) then
      d = toDimension('size', t, d)
   end
   return tonumber(t.sizes[d - 1])
end

--- #t: the sizes as a LongStorage.
-- @function __len__
-- @usage #t -> LongStorage sizes
T.__len__ = function(t)
   return toStorage(t.sizes, t.ndim)
end

--- The strides (elements from one position to the next) as a LongStorage, or one as a number.
-- @usage t:stride() -> LongStorage
-- t:stride(dim) -> n
-- @example torch.zeros(2, 3):stride() --> { 3, 1 }
function T.stride(t, d)
   if d == nil then
      return toStorage(t.strides, t.ndim)
   elseif type(d) ~= 'number' or not (d >= 1 and d <= t.ndim) then
      d = toDimension('stride', t, d)
   end
   return tonumber(t.strides[d - 1])
end

--- Number of elements.
-- @function nElement
-- @function numel
-- @usage t:nElement() -> n
-- @example torch.zeros(2, 3):nElement() --> 6
function T.nElement(t)
   need('nElement', t)
   return tonumber(C.TH_nElement(t))
end
T.numel = T.nElement
F.numel = T.nElement

--- The storage that holds the elements; nil for an empty tensor that never had one.
-- @usage t:storage() -> storage|nil
-- @example torch.range(1, 4):view(2, 2):storage() --> { 1, 2, 3, 4 }
function T.storage(t)
   if t.store == nil then
      return nil
   end
   return Storage.wrap(t.store)
end

--- Place of the first element in the storage, from 1.
-- @usage t:storageOffset() -> 1-based n
-- @example torch.range(1, 4):narrow(1, 3, 2):storageOffset() --> 3
function T.storageOffset(t)
   return tonumber(t.offset) + 1
end

--- Whether the elements lie in row-major order without gaps.
-- @usage t:isContiguous() -> bool
-- @example torch.zeros(2, 3):isContiguous(), torch.zeros(2, 3):t():isContiguous() --> true, false
function T.isContiguous(t)
   need('isContiguous', t)
   return C.TH_isContiguous(t)
end

--- Whether another tensor has the same sizes.
-- @usage t:isSameSizeAs(t2) -> bool
-- @example torch.zeros(2, 3):isSameSizeAs(torch.zeros(3, 2)) --> false
function T.isSameSizeAs(t, other)
   if not isTensor(other) or not t then
      badArguments('isSameSizeAs', 'T T', 2, t, other)
   end
   return C.TH_isSameSize(t, other)
end

--- Whether the sizes are those of a LongStorage.
-- @usage t:isSize(LongStorage) -> bool
-- @example torch.zeros(2, 3):isSize(torch.LongStorage { 2, 3 }) --> true
function T.isSize(t, sizes)
   if not isStorage(sizes) then
      badArguments('isSize', 'T LongStorage', 2, t, sizes)
   elseif #sizes ~= t.ndim then
      return false
   end
   for d = 1, t.ndim do
      if sizes[d] ~= tonumber(t.sizes[d - 1]) then
         return false
      end
   end
   return true
end

--- Whether two tensors are the same view: storage, offset, sizes and strides.
-- @usage t:isSetTo(t2) -> bool
-- @example
-- local x = torch.zeros(2)
-- torch.Tensor(x):isSetTo(x), x:clone():isSetTo(x) --> true, false
function T.isSetTo(t, other)
   if not isTensor(other) or not t then
      badArguments('isSetTo', 'T T', 2, t, other)
   end
   return C.TH_isSetTo(t, other)
end

--- Pointer to the first element; valid while the tensor lives and its storage is not resized.
-- @usage torch.data(obj [, asnumber]) -> ffi pointer|intptr
-- t:data() -> ffi pointer to first element
-- @example torch.Tensor { 5, 6 }:data()[1] --> 6
function T.data(t, asNumber)
   if t.store == nil then
      return nil
   end
   C.TH_Storage_expose(t.store)
   local p = t.store[types.fields[t.dtype]] + t.offset
   if asNumber then
      return tonumber(ffi.cast('intptr_t', p))
   end
   return p
end
F.data = function(x, asNumber)
   return x ~= nil and x:data(asNumber) or nil
end

--- Pointer to the tensor as a C struct with Torch7's fields: size, stride, nDimension, storage,
-- storageOffset, refcount; the sizes and strides are arrays. The tensor lives as long as the
-- pointer. `ffi.cast('THFloatTensor *', torch.pointer(t))` gives the same.
-- @usage torch.cdata(obj [, asnumber]) -> ffi struct pointer
-- t:cdata() -> ffi struct pointer
-- @example torch.zeros(2, 3):cdata().nDimension --> 2
function T.cdata(t, asNumber)
   if t.store ~= nil then
      C.TH_Storage_expose(t.store)
   end
   local p = structs.pointer(t)
   if asNumber then
      return tonumber(ffi.cast('intptr_t', p))
   end
   return p
end
F.cdata = function(x, asNumber)
   return x ~= nil and x:cdata(asNumber) or nil
end

--- Take a further reference to the storage, for C code that keeps the tensor; see free.
-- @usage t:retain() (refcount +1)
function T.retain(t)
   need('retain', t)
   C.TH_Tensor_retain(t)
end

--- Give back a reference taken by retain().
-- @usage t:free() (refcount -1)
function T.free(t)
   need('free', t)
   C.TH_Tensor_free(t)
end

-- --- changing a tensor's own geometry -----------------------------------------------------------

--- Change the sizes. Elements stay in storage order; new ones are undefined.
-- The storage grows where it must and never moves while something else views it.
-- @usage t:resize(d1 [, ...])
-- t:resize(LongStorage sizes [, strides]) -> self
-- @example torch.range(1, 6):resize(2, 3) --> { { 1, 2, 3 }, { 4, 5, 6 } }
function T.resize(t, ...)
   local sizes, n = TensorModule.givenSizes('resize', select('#', ...), ...)
   local a, b = ...
   local strides
   if b ~= nil and type(a) ~= 'number' and isStorage(a) then
      strides = TensorModule.readStrides('resize', n, b)
   end
   if C.TH_resize(t, n, sizes, strides) ~= 0 then
      th.recover()
      check(C.TH_resize(t, n, sizes, strides))
   end
   return t
end

--- Resize to the sizes of another tensor.
-- @usage t:resizeAs(t2) -> self
-- @example #torch.Tensor():resizeAs(torch.zeros(2, 3)) --> { 2, 3 }
function T.resizeAs(t, other)
   if not isTensor(other) then
      badArguments('resizeAs', '*T* Tensor', 2, t, other)
   end
   if C.TH_resizeAs(t, other) ~= 0 then
      th.recover()
      check(C.TH_resizeAs(t, other))
   end
   return t
end

--- Become a view of a tensor of the same type, or of a storage with offset, sizes and strides.
-- Nothing is copied. Without arguments, become empty.
-- @usage t:set()
-- t:set(tensor)
-- t:set(storage [, offset=1] [, sizes, strides | size1, stride1, ...]) -> self
-- @example
-- local x, y = torch.Tensor { 1, 2 }, torch.Tensor()
-- y:set(x):fill(7) --> { 7, 7 }
-- x --> { 7, 7 }
function T.set(t, ...)
   local a, b, c, d, e, f, g, h, i, j = ...
   if select('#', ...) == 0 then
      C.TH_Tensor_init(t, t.dtype, t.device_type, t.device)
   elseif isTensor(a) then
      if a.dtype ~= t.dtype or a.device_type ~= t.device_type then
         badArguments('set', '*T* T | *T* Storage [offset [sizes [strides]]]', 2, t, a)
      end
      check(C.TH_alias(t, a))
   elseif isStorage(a) and b == nil and c == nil then -- all of it
      TensorModule.setStorage(t, a, 1, tonumber(a.store.length), 1)
   elseif isStorage(a) then
      TensorModule.setStorage(t, a, b, c, d, e, f, g, h, i, j)
   else
      badArguments('set', '*T* T | *T* Storage [offset [sizes [strides]]]', 2, t, a)
   end
   return t
end

-- --- views --------------------------------------------------------------------------------------

--- View of the positions first to first + length - 1 of dim.
-- @usage t:narrow(dim, first, size) -> view
-- @example torch.range(1, 5):narrow(1, 2, 3) --> { 2, 3, 4 }
function T.narrow(t, dim, first, length)
   dim = toInteger('narrow', 'the dimension', dim)
   first = toInteger('narrow', 'the first index', first)
   length = toInteger('narrow', 'the length', length)
   local r = Tensor()
   check(C.TH_narrow(r, t, dim - 1, first - 1, length))
   return r
end

--- Inclusive ranges for up to four leading dimensions; negative positions count from the end.
-- @usage t:sub(s1, e1 [, s2, e2 [, s3, e3 [, s4, e4]]]) -> view (negative counts from end)
-- @example torch.range(1, 9):view(3, 3):sub(1, 2, -1, -1) --> { { 3 }, { 6 } }
function T.sub(t, ...)
   local r = Tensor()
   C.TH_alias(r, t)
   local count = select('#', ...)
   if count == 0 or count % 2 ~= 0 then
      raise('sub: expected pairs of first and last index')
   end
   for d = 1, count / 2 do
      local first, last = select(2 * d - 1, ...)
      toDimension('sub', t, d)
      local size = tonumber(t.sizes[d - 1])
      first = toInteger('sub', 'the first index', first)
      last = toInteger('sub', 'the last index', last)
      first = first < 0 and size + first + 1 or first
      last = last < 0 and size + last + 1 or last
      if first < 1 or last < first or last > size then
         raise(('sub: %d to %d is out of range: dimension %d has size %d'):format(first, last, d,
            size))
      end
      check(C.TH_narrow(r, r, d - 1, first - 1, last - first + 1))
   end
   return r
end

--- View of one position of dim, which is dropped; of a vector, the element as a number.
-- @usage t:select(dim, i) -> view | number if 1D
-- @example torch.range(1, 6):view(2, 3):select(2, 3) --> { 3, 6 }
function T.select(t, dim, index)
   dim = toInteger('select', 'the dimension', dim)
   index = toInteger('select', 'the index', index)
   if t.ndim == 1 then
      return t[index] -- whatever the dimension, as in Torch7
   end
   local r = Tensor()
   if index < 0 and dim >= 1 and dim <= t.ndim then
      index = tonumber(t.sizes[dim - 1]) + index + 1
   end
   check(C.TH_select(r, t, dim - 1, index - 1))
   return r
end

--- View with two dimensions exchanged.
-- @usage t:transpose(dim1, dim2) -> view
-- @example #torch.zeros(2, 3, 4):transpose(1, 3) --> { 4, 3, 2 }
function T.transpose(t, dim1, dim2)
   dim1 = toInteger('transpose', 'the first dimension', dim1)
   dim2 = toInteger('transpose', 'the second dimension', dim2)
   local r = Tensor()
   check(C.TH_transpose(r, t, dim1 - 1, dim2 - 1))
   return r
end

--- View of a matrix with rows and columns exchanged. `t.T` is that too, of a vector the vector.
-- @usage t:t() -> view (2D only)
-- @example torch.range(1, 4):view(2, 2):t() --> { { 1, 3 }, { 2, 4 } }
function T.t(t)
   if t.ndim ~= 2 then
      raise(('t: wanted a 2D tensor, got %dD; use :transpose(dim1, dim2)'):format(t.ndim))
   end
   local r = Tensor()
   check(C.TH_transpose(r, t, 0, 1))
   return r
end

--- View with the dimensions in another order: dimension d of the result is dims[d] of the tensor.
-- @usage torch.permute(t, perm...) -> view
-- t:permute(perm...) -> view
-- @example #torch.zeros(2, 3, 4):permute(3, 1, 2) --> { 4, 2, 3 }
function T.permute(t, ...)
   local n = select('#', ...)
   local order = ffi.new('int64_t[?]', n)
   for i = 1, n do
      order[i - 1] = toInteger('permute', 'a dimension', (select(i, ...))) - 1
   end
   local r = Tensor()
   check(C.TH_permute(r, t, n, order))
   return r
end
F.permute = T.permute

--- View of all slices of a size along dim, one every `step`; they become a new last dimension.
-- @usage t:unfold(dim, size, step) -> view
-- @example torch.range(1, 5):unfold(1, 3, 1) --> { { 1, 2, 3 }, { 2, 3, 4 }, { 3, 4, 5 } }
function T.unfold(t, dim, size, step)
   dim = toInteger('unfold', 'the dimension', dim)
   size = toInteger('unfold', 'the size', size)
   local r = Tensor()
   check(C.TH_unfold(r, t, dim - 1, size, toInteger('unfold', 'the step', step)))
   return r
end

-- expand and view: `x:expand(sizes)`, `res:expand(x, sizes)`.
local function withSizes(name, call)
   return function(a, b, ...)
      local r, t
      if isTensor(b) then
         r, t = a, b
         local sizes, n = readSizes(name, ...)
         check(call(r, t, n, sizes))
      else
         r, t = Tensor(), a
         if not isTensor(t) then
            badArguments(name, '[*T*] T sizes', 2, a, b)
         end
         local sizes, n = readSizes(name, b, ...)
         check(call(r, t, n, sizes))
      end
      return r
   end
end

--- View in which dimensions of size 1 repeat (stride 0), with new leading ones where sizes say so.
-- Elements are shared: writing to one writes to all its repetitions.
-- @function expand
-- @usage torch.expand([res,] t, sizes...) -> res
-- t:expand(sizes...|LongStorage) -> view
-- res:expand(t, sizes...)
-- @example torch.Tensor { { 1 }, { 2 } }:expand(2, 3) --> { { 1, 1, 1 }, { 2, 2, 2 } }
T.expand = withSizes('expand', C.TH_expand)
F.expand = T.expand

--- The same elements with other sizes, without a copy; one size may be -1: what is left.
-- The tensor must be contiguous.
-- @function view
-- @usage torch.view([res,] t, sizes...|LongStorage) -> res (one size may be -1)
-- t:view(sizes...|LongStorage) -> view
-- res:view(t, sizes...)
-- @example torch.range(1, 6):view(2, -1) --> { { 1, 2, 3 }, { 4, 5, 6 } }
T.view = withSizes('view', C.TH_view)
F.view = T.view

-- xAs(t, other): as the operation with the other's sizes.
local function asOther(name, call)
   return function(a, b, c)
      local r, t, other = Tensor(), a, b
      if c ~= nil then
         r, t, other = a, b, c
      end
      if not isTensor(t) or not isTensor(other) then
         badArguments(name, '[*T*] T Tensor', 3, a, b, c)
      end
      check(call(r, t, other.ndim, other.sizes))
      return r
   end
end

--- expand to the sizes of another tensor.
-- @function expandAs
-- @usage torch.expandAs([res,] t, template) -> res
-- t:expandAs(t2) -> view
-- res:expandAs(t, t2)
-- @example torch.Tensor { { 1, 2 } }:expandAs(torch.zeros(2, 2)) --> { { 1, 2 }, { 1, 2 } }
T.expandAs = asOther('expandAs', C.TH_expand)
F.expandAs = T.expandAs

--- view with the sizes of another tensor.
-- @function viewAs
-- @usage torch.viewAs([res,] t, template) -> res
-- t:viewAs(t2) -> view
-- res:viewAs(t, t2)
-- @example torch.range(1, 4):viewAs(torch.zeros(2, 2)) --> { { 1, 2 }, { 3, 4 } }
T.viewAs = asOther('viewAs', C.TH_view)
F.viewAs = T.viewAs

--- Without dimensions of size 1. A result of one element is a plain number.
-- @usage torch.squeeze([res,] t) -> res
-- torch.squeeze([res,] t, dim) -> res
-- t:squeeze() -> res
-- res:squeeze(t)
-- t:squeeze(dim) -> res
-- res:squeeze(t, dim)
-- @example
-- local x = torch.zeros(2, 1, 3, 1)
-- #x:squeeze(), #x:squeeze(2) --> { 2, 3 }, { 2, 3, 1 }
function T.squeeze(a, b, c)
   local r, t, dim = nil, a, b
   if isTensor(b) then
      r, t, dim = a, b, c
   end
   if dim ~= nil then
      dim = toDimension('squeeze', t, toInteger('squeeze', 'the dimension', dim))
   end
   local into = r or Tensor()
   check(C.TH_squeeze(into, t, (dim or 0) - 1))
   if not r and into.ndim == 1 and into.sizes[0] == 1 and (dim == nil or t.ndim == 1) then
      return into[1]
   end
   return into
end
F.squeeze = T.squeeze

--- With a dimension of size 1 inserted before `dim` (1 to dim() + 1).
-- @example #torch.unsqueeze(torch.zeros(2, 3), 1) --> { 1, 2, 3 }
function T.unsqueeze(t, dim)
   local r = Tensor()
   check(C.TH_unsqueeze(r, t, toInteger('unsqueeze', 'the dimension', dim) - 1))
   return r
end
F.unsqueeze = T.unsqueeze

-- --- pieces -------------------------------------------------------------------------------------

-- Leading table argument to fill, then tensor, number and dimension.
local function pieces(name, a, b, c, d)
   local into, t, n, dim = {}, a, b, c
   if type(a) == 'table' then
      into, t, n, dim = a, b, c, d
   end
   if not isTensor(t) then
      badArguments(name, '[table] T number [dim]', 4, a, b, c, d)
   end
   n = toInteger(name, 'the size', n)
   dim = toDimension(name, t, toInteger(name, 'the dimension', dim or 1))
   if n < 1 then
      raise(('%s: %s must be at least 1'):format(name, tostring(n)))
   end
   return into, t, n, dim
end

local function splitInto(into, t, size, dim)
   for i = #into, 1, -1 do
      into[i] = nil
   end
   local total = tonumber(t.sizes[dim - 1])
   for first = 1, total, size do
      into[#into + 1] = T.narrow(t, dim, first, math.min(size, total - first + 1))
   end
   return into
end

--- Views of `size` along dim (default 1), the last one possibly smaller.
-- @usage torch.split([restable,] t, size [, dim=1]) -> table
-- t:split(size [, dim=1]) -> table
-- @example
-- local parts = torch.range(1, 5):split(2)
-- #parts, parts[3] --> 3, { 5 }
function F.split(a, b, c, d)
   return splitInto(pieces('split', a, b, c, d))
end
T.split = F.split

--- At most n views of equal size along dim (default 1), the last one possibly smaller.
-- @usage torch.chunk([restable,] t, n [, dim=1]) -> table
-- t:chunk(n [, dim=1]) -> table
-- @example
-- local parts = torch.range(1, 5):chunk(2)
-- parts[1], parts[2] --> { 1, 2, 3 }, { 4, 5 }
function F.chunk(a, b, c, d)
   local into, t, n, dim = pieces('chunk', a, b, c, d)
   return splitInto(into, t, math.ceil(tonumber(t.sizes[dim - 1]) / n), dim)
end
T.chunk = F.chunk

return { methods = T, functions = F }
