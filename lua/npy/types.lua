--- NumPy's element types and ours.
--
-- A type is written as byte order ('<' lowest byte first, '>' highest, '|' one byte), kind and
-- size: '<f4'. Unsigned integers of 2, 4 and 8 bytes, which we do not have, become the next larger
-- type; bool is a byte of 0 or 1; bfloat16 is what ml_dtypes writes, two bytes of no known meaning.
-- @module npy.types
local ffi = require 'ffi'
local bit = require 'bit'
local th = require 'torch.ffi'

local C = th.C
local bswap, rshift = bit.bswap, bit.rshift

local M = {}

local NATIVE = ffi.abi 'le' and '<' or '>'

-- kind and size -> type of the elements in the file, and what they are widened to.
local known = {
   b1 = { C.TH_BYTE }, u1 = { C.TH_BYTE }, i1 = { C.TH_CHAR },
   i2 = { C.TH_SHORT }, i4 = { C.TH_INT }, i8 = { C.TH_LONG },
   f2 = { C.TH_HALF }, f4 = { C.TH_FLOAT }, f8 = { C.TH_DOUBLE }, V2 = { C.TH_BFLOAT16 },
   u2 = { C.TH_SHORT, C.TH_INT }, u4 = { C.TH_INT, C.TH_LONG }, u8 = { C.TH_LONG, C.TH_LONG },
}

local strange = {
   O = "Python objects, which only Python can read (numpy.load with allow_pickle=True); save "
      .. 'numbers instead',
   c = 'complex numbers; save x.real and x.imag apart', S = 'strings', U = 'strings', a = 'strings',
   M = 'dates', m = 'times',
   f = 'floating-point numbers of a size that there is none of here; save x.astype("float64")',
}

--- What a type as NumPy writes it is to us.
-- @return table: dtype, wide (dtype after widening, or nil), swapped, unsigned; or nil and why not
function M.find(descr)
   local order, kind, size = descr:match '^([<>|=]?)(%a)(%d+)$'
   local entry = kind and known[kind .. size]
   if not entry then
      return nil, ("elements of type '%s': %s"):format(descr:sub(1, 40),
         strange[kind or descr:match '^[<>|=]?(%a)' or ''] or 'there is nothing like it here')
   end
   local swapped = (order == '<' or order == '>') and order ~= NATIVE
   return {
      dtype = entry[1], wide = entry[2],
      swapped = swapped and tonumber(size) > 1, unsigned = entry[2] ~= nil and tonumber(size),
   }
end

local names = {
   [C.TH_BYTE] = '|u1', [C.TH_CHAR] = '|i1', [C.TH_SHORT] = 'i2', [C.TH_INT] = 'i4',
   [C.TH_LONG] = 'i8', [C.TH_HALF] = 'f2', [C.TH_FLOAT] = 'f4', [C.TH_DOUBLE] = 'f8',
   [C.TH_BFLOAT16] = 'V2',
}

--- A dtype as NumPy writes it.
function M.describe(dtype)
   local name = names[dtype]
   return name:sub(1, 1) == '|' and name or NATIVE .. name
end

-- --- elements that have to be changed -----------------------------------------------------------

local swap = {}

swap[2] = function(data, n)
   data = ffi.cast('uint16_t *', data)
   for i = 0, n - 1 do
      data[i] = rshift(bswap(data[i]), 16)
   end
end

swap[4] = function(data, n)
   data = ffi.cast('int32_t *', data)
   for i = 0, n - 1 do
      data[i] = bswap(data[i])
   end
end

swap[8] = function(data, n)
   data = ffi.cast('int32_t *', data)
   for i = 0, 2 * n - 2, 2 do
      data[i], data[i + 1] = bswap(data[i + 1]), bswap(data[i])
   end
end

--- Turn the bytes of n elements round.
function M.swap(data, n, size)
   swap[size](data, n)
end

local views = { [2] = 'const uint16_t *', [4] = 'const uint32_t *' }

--- Unsigned elements in the larger type.
-- @param storage of the type of the same size
-- @param wider storage of the larger type and the same length
function M.widen(storage, wider, size)
   local from, to = ffi.cast(views[size], storage:data()), wider:data()
   for i = 0, #storage - 1 do
      to[i] = from[i]
   end
end

--- The first of some 64-bit integers that is no number without a sign, counted from 1; or nil.
function M.firstNegative(storage)
   local data = storage:data()
   for i = 0, #storage - 1 do
      if data[i] < 0 then
         return i + 1
      end
   end
end

return M
