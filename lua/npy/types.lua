--- NumPy's element types and ours.
--
-- A type is written as byte order ('<' lowest byte first, '>' highest, '|' one byte), kind and
-- size: '<f4'. bool is a byte of 0 or 1; bfloat16 is what ml_dtypes writes, two bytes of no known
-- meaning.
-- @module npy.types
local ffi = require 'ffi'
local bit = require 'bit'
local elements = require 'torch.io.elements'

local bswap, rshift = bit.bswap, bit.rshift

local M = {}

local NATIVE = ffi.abi 'le' and '<' or '>'

-- Where NumPy's name of a kind is another than in torch.io.elements.
local OTHERS = { b1 = 'u1', V2 = 'bf2' }
local NAMES = { bf2 = 'V2' }

local strange = {
   O = "Python objects, which only Python can read (numpy.load with allow_pickle=True); save "
      .. 'numbers instead',
   c = 'complex numbers; save x.real and x.imag apart', S = 'strings', U = 'strings', a = 'strings',
   M = 'dates', m = 'times',
   f = 'floating-point numbers of a size that there is none of here; save x.astype("float64")',
}

--- What a type as NumPy writes it is to us.
-- @return entry of torch.io.elements, and whether the bytes of an element are to be turned round;
-- or nil and why there is none
function M.find(descr)
   local order, letter, size = descr:match '^([<>|=]?)(%a)(%d+)$'
   local name = letter and letter .. size
   local kind = name and elements.kinds[OTHERS[name] or name]
   if not kind then
      return nil, ("elements of type '%s': %s"):format(descr:sub(1, 40),
         strange[letter or descr:match '^[<>|=]?(%a)' or ''] or 'there is nothing like it here')
   end
   return kind, (order == '<' or order == '>') and order ~= NATIVE and kind.bytes > 1
end

--- A dtype as NumPy writes it.
function M.describe(dtype)
   local name = elements.written[dtype]
   local order = elements.kinds[name].bytes == 1 and '|' or NATIVE
   return order .. (NAMES[name] or name)
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

return M
