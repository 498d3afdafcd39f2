--- CRC-32C (Castagnoli): the polynomial 0x1EDC6F41, bits reversed.
-- Source: RFC 3720, appendix B.4; Castagnoli, Braeuer and Herrmann, IEEE Trans. Comm. 41 (1993).
-- @module torch.train.log.events.crc32c

local bit = require 'bit'

local band, bxor, rshift, bnot = bit.band, bit.bxor, bit.rshift, bit.bnot

local POLYNOMIAL = 0x82f63b78 -- reversed

local entries = {}
for i = 0, 255 do
   local c = i
   for _ = 1, 8 do
      c = band(c, 1) == 1 and bxor(rshift(c, 1), POLYNOMIAL) or rshift(c, 1)
   end
   entries[i] = c
end

local M = {}

--- The checksum of a string, from 0 to 2^32 - 1.
function M.of(text)
   local c = bnot(0)
   for i = 1, #text do
      c = bxor(entries[band(bxor(c, text:byte(i)), 255)], rshift(c, 8))
   end
   return bnot(c) % 2 ^ 32
end

--- As TensorFlow's records have it: turned by 15 bits, and a constant added.
-- Source: tensorflow/core/lib/io/record_writer's description of the format (tfrecord).
function M.masked(text)
   local c = M.of(text)
   return (math.floor(c / 2 ^ 15) + c % 2 ^ 15 * 2 ^ 17 + 0xa282ead8) % 2 ^ 32
end

return M
