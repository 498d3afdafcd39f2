--- The element types that files know.
--
-- One entry a type: `name` as in readName/writeName, `size` in bytes, `pointer` (ctype), `storage`
-- (class name), `at` (element i of a pointer as a number), `raw` (ASCII files hold its bytes as
-- they are) or `format` (of one ASCII number),
-- `integer` (ASCII numbers have neither point nor exponent). Half and BFloat16 are known as bits
-- only (`opaque`): they have no readHalf/writeHalf, their storages are written as part of objects.
-- @module torch.io.types
local ffi = require 'ffi'
local numbers = require 'torch.tensor.numbers'

local function entry(name, ctype, options)
   options.name = name
   options.size = ffi.sizeof(ctype)
   options.pointer = ffi.typeof(ctype .. ' *')
   options.cell = ffi.typeof(ctype .. '[1]')
   options.at = numbers[ctype] or numbers.integer
   options.storage = 'torch.' .. name .. 'Storage'
   return options
end

local M = {}

--- In the order of Torch7's manual.
M.list = {
   entry('Byte', 'uint8_t', { raw = true, integer = true }),
   entry('Char', 'int8_t', { raw = true, integer = true }),
   entry('Short', 'int16_t', { format = '%d', integer = true }),
   entry('Int', 'int32_t', { format = '%d', integer = true }),
   entry('Long', 'int64_t', { format = '%d', integer = true }),
   entry('Float', 'float', { format = '%.9g' }),
   entry('Double', 'double', { format = '%.17g' }),
   entry('Half', 'uint16_t', { opaque = true }),
   entry('BFloat16', 'uint16_t', { opaque = true }),
}

for _, T in ipairs(M.list) do
   M[T.name] = T
end
for _, row in ipairs(require('torch.gen.rows').dtypes) do
   assert(M[row.name], row.name) -- a new element type says here how files hold it
end

--- A number as an integer type stores it: what does not fit wraps, as in C. (LuaJIT's own
-- conversion saturates from 2^31 on.)
function M.wrap(T, value)
   if T.size < 8 and (value >= 2147483648 or value < -2147483648) then
      local modulus = 2 ^ (8 * T.size)
      value = value % modulus
      if value >= modulus / 2 then
         value = value - modulus
      end
   end
   return value
end

return M
