--- Element types and constant tensors of ONNX, and ours.
-- @module onnx.types
local ffi = require 'ffi'
local torch = require 'torch'
local elements = require 'torch.io.elements'
local storages = require 'torch.Storage'
local types = require 'torch.types'

local M = {}

-- Number in the schema -> name there, kind of its elements in `raw_data` (torch.io.elements), the
-- list it may be in.
local TYPES = {
   [1] = { 'FLOAT', 'f4', 'float_data' },
   [2] = { 'UINT8', 'u1', 'int32_data' },
   [3] = { 'INT8', 'i1', 'int32_data' },
   [4] = { 'UINT16', 'u2', 'int32_data' },
   [5] = { 'INT16', 'i2', 'int32_data' },
   [6] = { 'INT32', 'i4', 'int32_data' },
   [7] = { 'INT64', 'i8', 'int64_data' },
   [9] = { 'BOOL', 'u1', 'int32_data' },
   [10] = { 'FLOAT16', 'f2', 'int32_data' },
   [11] = { 'DOUBLE', 'f8', 'double_data' },
   [12] = { 'UINT32', 'u4', 'uint64_data' },
   [16] = { 'BFLOAT16', 'bf2', 'int32_data' },
}
local NAMES = {
   [8] = 'STRING', [13] = 'UINT64', [14] = 'COMPLEX64', [15] = 'COMPLEX128', [17] = 'FLOAT8E4M3FN',
   [21] = 'UINT4', [22] = 'INT4',
}

local MOST_DIMENSIONS = require('torch.ffi').C.TH_MAX_DIMS

M.FLOAT, M.INT64, M.BOOL, M.DOUBLE = 1, 7, 9, 11
M.UINT8, M.INT8, M.INT16, M.INT32 = 2, 3, 5, 6
M.UINT16, M.UINT32 = 4, 12

--- What a number of the schema stands for: "FLOAT".
function M.name(number)
   return TYPES[number] and TYPES[number][1] or NAMES[number]
      or ('type %s'):format(tostring(number))
end

--- Our class of tensors for a number of the schema; nil where there is none.
function M.class(number)
   local kind = TYPES[number] and elements.kinds[TYPES[number][2]]
   return kind and ('torch.%sTensor'):format(types.names[kind.dtype])
end

local NUMBERS = {}
for number, entry in pairs(TYPES) do
   if number ~= M.BOOL and not elements.kinds[entry[2]].unsigned then
      NUMBERS[M.class(number)] = number
   end
end

--- The number of a class of tensors, those on a device included.
function M.number(class)
   return NUMBERS[(class:gsub('^torch%.Cuda(%a*)Tensor$', function(kind)
      return ('torch.%sTensor'):format(kind == '' and 'Float' or kind)
   end))]
end

local REALS = { FLOAT = true, DOUBLE = true, FLOAT16 = true, BFLOAT16 = true }

--- Whether a class of tensors is of reals.
function M.is_real_class(class)
   return REALS[M.name(M.number(class))] or false
end

function M.is_real(t)
   return M.is_real_class(t:type())
end

--- The number that a class of tensors has in files that are written: reals are floats.
function M.written(class)
   local number = M.number(class)
   return REALS[M.name(number)] and M.FLOAT or number
end

--- A TensorProto of a tensor.
-- @string name
-- @param t a tensor of the host
-- @tparam[opt] table sizes others than its own: {} for a number without dimensions
function M.encode(name, t, sizes)
   t = t:contiguous()
   local number = assert(M.number(t:type()))
   local count = t:nElement()
   local proto = { name = name, dims = sizes or t:size():totable(), data_type = number }
   proto.raw_data = { data = count > 0 and t:data() or '', size = count * t:elementSize(),
      owner = t }
   return proto
end

local function fail(name, text, ...)
   error(("the constant '%s' %s"):format(name, text:format(...)), 0)
end

--- Elements that a TensorProto's sizes promise; raises without a place where they are none.
function M.count(dims, name)
   local count = 1
   for _, n in ipairs(dims) do
      if n < 0 or n ~= math.floor(n) then
         fail(name, 'has a size of %g', n)
      end
      count = count * n
   end
   return count
end

local function from_raw(kind, raw, count, name)
   if raw.size ~= count * kind.bytes then
      fail(name, 'has %d bytes, its sizes want %g', raw.size, count * kind.bytes)
   end
   local storage = storages.allocate(kind.stored, count)
   ffi.copy(storage:data(), raw.data, raw.size)
   return elements.read(kind, storage)
end

-- Half precision is in the list of integers by its bits.
local function from_list(kind, list, count, name)
   if list.count ~= count then
      fail(name, 'has %d elements, its sizes want %g', list.count, count)
   end
   local storage = storages.allocate(kind.dtype, count)
   local to = storage:data()
   if kind.bytes == 2 and types.isFloating(kind.dtype) then
      to = ffi.cast('uint16_t *', to)
   end
   for i = 0, count - 1 do
      to[i] = list.data[i]
   end
   return storage
end

--- The tensor of a TensorProto: always with dimensions, so the sizes come along.
-- @tparam table proto
-- @tparam[opt] function external gives the bytes of data in another file
-- @return tensor, or nil for one without elements; table of its sizes
function M.decode(proto, external)
   local name, dims = proto.name or '?', proto.dims or {}
   local entry = TYPES[proto.data_type or 0]
   if not entry then
      fail(name, 'is of %s, which there is no tensor for', M.name(proto.data_type or 0))
   end
   local count = M.count(dims, name)
   if count == 0 then
      return nil, dims
   elseif #dims > MOST_DIMENSIONS then
      fail(name, 'has %d dimensions; tensors have %d at most', #dims, MOST_DIMENSIONS)
   end
   local kind, list, raw = elements.kinds[entry[2]], proto[entry[3]], proto.raw_data
   if proto.data_location == 1 then
      raw = external(proto, count * kind.bytes)
   end
   if not raw and not list then
      fail(name, 'has no elements, its sizes want %g', count)
   end
   local storage = raw and from_raw(kind, raw, count, name) or from_list(kind, list, count, name)
   local t = torch[M.class(proto.data_type):match '[^.]+$'](storage)
   if #dims > 0 then
      t = t:view(torch.LongStorage(dims))
   end
   return t, dims
end

return M
