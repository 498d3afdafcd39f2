--- One array: from a source of bytes to a tensor, and from a tensor to a stream.
--
-- A source has `remaining`, the bytes that are left; `text(n)`; `elements(number, count, map)`, the
-- next elements as a storage; and `fail(message, ...)`.
-- @module npy.array
local ffi = require 'ffi'
local th = require 'torch.ffi'
local errors = require 'torch.errors'
local elements = require 'torch.io.elements'
local types = require 'torch.types'
local headers = require 'npy.header'
local kinds = require 'npy.types'

local C = th.C

local M = {}

-- Elements as the file has them -> as they are used.
local function converted(source, storage, header)
   local kind = header.kind
   if header.swapped then
      kinds.swap(storage:data(), #storage, kind.bytes)
   end
   local result, problem = elements.read(kind, storage)
   if not result then
      source:fail('%s; save x.astype("float64")', problem)
   end
   return result
end

-- A tensor over all of a storage, row by row or column by column.
local function shaped(storage, shape, fortran)
   local n = math.max(#shape, 1)
   local sizes, strides = ffi.new('int64_t[?]', n, 1), ffi.new('int64_t[?]', n, 1)
   for d, size in ipairs(shape) do
      sizes[d - 1] = size
   end
   local stride = 1
   for i = 0, n - 1 do
      local d = fortran and i or n - 1 - i
      strides[d] = stride
      stride = stride * tonumber(sizes[d])
   end
   local t = th.Tensor()
   C.TH_Tensor_init(t, storage.store.dtype, 0, 0)
   th.check(C.TH_setStorage(t, storage, 0, n, sizes, strides))
   return t
end

--- What the head of an array says.
-- @return table: the entries of the header, `kind` and `swapped` (npy.types)
function M.head(source)
   local header = headers.read(source)
   local kind, swapped = kinds.find(header.descr)
   if not kind then
      source:fail('%s', swapped)
   end
   header.kind, header.swapped = kind, swapped
   return header
end

--- Read an array.
-- @param map as in npy.load
function M.read(source, map)
   local header = M.head(source)
   local kind, count = header.kind, header.count
   if count * kind.bytes > source.remaining then
      source:fail('read error: an array of %s elements of %d bytes does not fit into the %.0f '
         .. 'bytes that are left', #header.shape > 0 and table.concat(header.shape, 'x') or 'no',
         kind.bytes, source.remaining)
   end
   local changes = header.swapped or kind.unsigned
   if map == 'shared' and changes then
      source:fail("elements of type '%s' are converted when they are read, so that changes cannot "
         .. "reach the file. Leave out map = 'shared'", header.descr)
   end
   if count == 0 then
      local t = th.Tensor()
      C.TH_Tensor_init(t, kind.dtype, 0, 0)
      return t
   end
   local storage = source:elements(kind.stored, count, map and not changes and map)
   return shaped(converted(source, storage, header), header.shape, header.fortran_order)
end

-- --- writing ------------------------------------------------------------------------------------

local function isTransposed(t)
   local stride = 1
   for d = 0, t.ndim - 1 do
      if t.strides[d] ~= stride and t.sizes[d] ~= 1 then
         return false
      end
      stride = stride * tonumber(t.sizes[d])
   end
   return true
end

--- How a tensor will be written.
-- @string operation, `what` for messages
-- @return its head as a string; and a tensor whose memory, from its first element on, is the rest;
-- and the number of bytes of that
function M.prepare(operation, t, what)
   if not th.isTensor(t) then
      errors.raise(('%s: expected a tensor%s, got %s%s'):format(operation, what or '',
         t == nil and 'nil' or 'a ' .. require('torch.class').type(t),
         not what and type(t) == 'table' and '; npy.savez(path, { name = tensor }) writes several'
            or ''))
   end
   if t.device_type ~= 0 then
      t = t:type('torch.' .. types.names[t.dtype] .. 'Tensor')
   end
   local shape = t:size():totable()
   if #shape == 0 then
      shape = { 0 }
   end
   local fortran = not t:isContiguous() and isTransposed(t)
   if not fortran then
      t = t:contiguous()
   end
   return headers.format(kinds.describe(t.dtype), fortran, shape), t,
      t:nElement() * types.sizes[t.dtype]
end

--- The first byte of what `prepare` gave.
function M.data(t)
   return ffi.cast('const uint8_t *', t:data())
end

return M
