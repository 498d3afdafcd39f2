--- Messages of Protocol Buffers, as far as event files need them: fields as bytes.
-- Source: "Protocol Buffers: Encoding", protobuf.dev.
-- @module torch.train.log.events.protobuf

local ffi = require 'ffi'

local M = {}

local VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5

local double = ffi.new 'double[1]'
local float = ffi.new 'float[1]'

-- A whole number of 0 or more, seven bits a byte, the lowest first.
local function varint(n)
   local bytes = {}
   repeat
      local low = n % 128
      n = (n - low) / 128
      bytes[#bytes + 1] = string.char(n > 0 and low + 128 or low)
   until n == 0
   return table.concat(bytes)
end
M.varint = varint

local function key(field, kind)
   return varint(field * 8 + kind)
end

--- A field that is a whole number.
function M.integer(field, n)
   return key(field, VARINT) .. varint(n)
end

local function double_bytes(x)
   double[0] = x
   return ffi.string(double, 8) -- x86-64 and ARM have the order that the format wants
end

--- A field of 8 bytes.
function M.double(field, x)
   return key(field, FIXED64) .. double_bytes(x)
end

--- A field of 4 bytes.
function M.float(field, x)
   float[0] = x
   return key(field, FIXED32) .. ffi.string(float, 4)
end

--- A field that is text, bytes, or a message.
function M.bytes(field, text)
   return key(field, BYTES) .. varint(#text) .. text
end

--- A packed list of doubles.
function M.doubles(field, list)
   local parts = {}
   for i, x in ipairs(list) do
      parts[i] = double_bytes(x)
   end
   return M.bytes(field, table.concat(parts))
end

return M
