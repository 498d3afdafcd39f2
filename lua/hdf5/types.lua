--- HDF5's element types and ours.
-- @module hdf5.types
local ffi = require 'ffi'
local elements = require 'torch.io.elements'
local types = require 'torch.types'
local h5 = require 'hdf5.ffi'

local C, fail = h5.C, h5.fail

local M = {}

-- H5T_class_t
local INTEGER, FLOAT, ENUM = 0, 1, 8
local CLASSES = {
   [0] = 'integers', 'floating-point numbers', 'times', 'strings', 'bit fields', 'opaque bytes',
   'records of several fields (complex numbers are such)', 'references', 'an enumeration',
   'lists of any length', 'arrays',
}

-- A floating type of 16 bits, which the library has no name for.
local function narrow(exponent, mantissa)
   local id = C.H5Tcopy(C.H5T_IEEE_F32LE_g)
   C.H5Tset_fields(id, 15, mantissa, exponent, 0, mantissa)
   C.H5Tset_size(id, 2)
   C.H5Tset_ebias(id, 2 ^ (exponent - 1) - 1)
   return id
end

local HALF, BFLOAT16 = narrow(5, 10), narrow(8, 7)

-- Name of the tensor's type -> type in memory, type in files.
local native = {
   ['torch.ByteTensor'] = { C.H5T_NATIVE_UCHAR_g, C.H5T_STD_U8LE_g },
   ['torch.CharTensor'] = { C.H5T_NATIVE_SCHAR_g, C.H5T_STD_I8LE_g },
   ['torch.ShortTensor'] = { C.H5T_NATIVE_INT16_g, C.H5T_STD_I16LE_g },
   ['torch.IntTensor'] = { C.H5T_NATIVE_INT32_g, C.H5T_STD_I32LE_g },
   ['torch.LongTensor'] = { C.H5T_NATIVE_INT64_g, C.H5T_STD_I64LE_g },
   ['torch.HalfTensor'] = { HALF, HALF },
   ['torch.BFloat16Tensor'] = { BFLOAT16, BFLOAT16 },
   ['torch.FloatTensor'] = { C.H5T_NATIVE_FLOAT_g, C.H5T_IEEE_F32LE_g },
   ['torch.DoubleTensor'] = { C.H5T_NATIVE_DOUBLE_g, C.H5T_IEEE_F64LE_g },
}

--- The type of the CPU as which a tensor's elements are written.
-- @return its name, such as 'torch.FloatTensor'
function M.host(tensor)
   local name = tensor:type():gsub('^torch%.Cuda', 'torch.')
   return name == 'torch.Tensor' and 'torch.FloatTensor' or name
end

local function find(name)
   return native[name] or fail('there is no type for %s in files; write a tensor of the CPU, of '
      .. 'torch.FloatTensor, for example', tostring(name))
end

--- The library's type (a hid_t) for elements of a tensor type in memory.
-- @string name such as 'torch.FloatTensor'
-- @usage hdf5._nativeTypeForTensorType(name)
function M.native(name)
   return find(name)[1]
end

--- The library's type (a hid_t) as which elements of a tensor type are written.
-- @string name such as 'torch.FloatTensor'
-- @usage hdf5._outputTypeForTensorType(name)
function M.output(name)
   return find(name)[2]
end

local function integer(id, size)
   local kind = elements.kinds[(C.H5Tget_sign(id) == 0 and 'u' or 'i') .. size]
   return kind and ('torch.%sTensor'):format(types.names[kind.dtype])
end

local floats = { [4] = 'torch.FloatTensor', [8] = 'torch.DoubleTensor' }

-- Which of the two types of 16 bits: by the bits of the exponent.
local function narrowFloat(id)
   local places = ffi.new 'size_t[5]'
   if C.H5Tget_fields(id, places, places + 1, places + 2, places + 3, places + 4) < 0 then
      return 'torch.FloatTensor'
   end
   return places[2] == 5 and 'torch.HalfTensor' or places[2] == 8 and 'torch.BFloat16Tensor'
      or 'torch.FloatTensor'
end

--- The tensor type that elements of one of the library's types become: the same, or the next that
-- holds them all; an enumeration (h5py's bool) its numbers.
-- @param id hid_t
-- @return its name; or nil and what the elements are
-- @usage hdf5._getTorchType(typeID)
function M.torch(id)
   local class, size = C.H5Tget_class(id), tonumber(C.H5Tget_size(id))
   local name = class == INTEGER and integer(id, size)
   if name then
      return name
   elseif class == ENUM and size == 1 then
      return 'torch.ByteTensor'
   elseif class == FLOAT then
      return size == 2 and narrowFloat(id) or size < 4 and 'torch.FloatTensor' or floats[size]
         or 'torch.DoubleTensor'
   end
   return nil, CLASSES[class] or 'of a type that is not known'
end

--- Whether elements are unsigned numbers of 64 bits, which no tensor holds all of.
function M.isUnsigned64(id)
   return C.H5Tget_class(id) == INTEGER and C.H5Tget_size(id) == 8 and C.H5Tget_sign(id) == 0
end

--- Whether one of the library's types holds all elements of a tensor as they are: it is read as
-- tensors of that type, and has its range, or the elements are in its own.
-- @param id hid_t
-- @param tensor of the CPU or a device
-- @return boolean; what elements the type is of, in words
function M.holds(id, tensor)
   local size = tonumber(C.H5Tget_size(id))
   if M.torch(id) ~= M.host(tensor) then
      return false, 'elements ' .. M.name(id)
   elseif C.H5Tget_class(id) == FLOAT then
      return size >= tensor:elementSize(), 'elements ' .. M.name(id)
   elseif size > 1 and C.H5Tget_sign(id) == 0 and tensor:nElement() > 0 then -- unsigned
      local fits = tensor:min() >= 0 and (size == 8 or tensor:max() < 2 ^ (8 * size))
      return fits, ('unsigned numbers of %d bits'):format(8 * size)
   end
   return true
end

--- What one of the library's types is, in words: 'H5T_INTEGER of 4 bytes'.
-- @param id hid_t
-- @usage hdf5._datatypeName(typeID)
function M.name(id)
   local class = C.H5Tget_class(id)
   local names = {
      [0] = 'H5T_INTEGER', 'H5T_FLOAT', 'H5T_TIME', 'H5T_STRING', 'H5T_BITFIELD', 'H5T_OPAQUE',
      'H5T_COMPOUND', 'H5T_REFERENCE', 'H5T_ENUM', 'H5T_VLEN', 'H5T_ARRAY',
   }
   return ('%s of %d bytes'):format(names[class] or 'no type', tonumber(C.H5Tget_size(id)))
end

return M
