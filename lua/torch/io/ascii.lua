--- ASCII numbers: what C's scanf and printf take and give, independent of the locale.
--
-- Writing n > 0 numbers puts one space between them and a newline at the end; reading skips white
-- space before each number and takes one newline after the call, and notes in `stream.unfinished`
-- that the stream ended before it. Without auto-spacing nothing is put in or taken. Byte and Char
-- data are raw bytes. Codec fields as in torch.io.binary.
-- @module torch.io.ascii
local ffi = require 'ffi'
local binary = require 'torch.io.binary'
local types = require 'torch.io.types'

local NEWLINE, SPACE = 10, 32
local LONGEST = 1100 -- characters of a number: a double written out in full has 1,077

local function set(characters)
   local members = {}
   for i = 1, #characters do
      members[characters:byte(i)] = true
   end
   return members
end

local white = set ' \t\n\v\f\r'
local ofInteger = set '0123456789+-'
local ofFloat = set '0123456789+-.eEpPxXabcdfABCDFnNiItTyY'

-- Next byte, not consumed; nil at the end.
local function peek(stream)
   if stream.cursor >= stream.filled and stream:fill(1) < 1 then
      return nil
   end
   return stream.window[stream.cursor]
end

local function skipWhite(stream)
   local c = peek(stream)
   while white[c] do
      stream.cursor = stream.cursor + 1
      c = peek(stream)
   end
end

-- The longest run of a number's characters, not consumed.
local function token(stream, members)
   skipWhite(stream)
   local n = 0
   while n < LONGEST do
      if stream.cursor + n >= stream.filled and stream:fill(n + 1) < n + 1 then
         break
      end
      if not members[stream.window[stream.cursor + n]] then
         break
      end
      n = n + 1
   end
   return ffi.string(stream.window + stream.cursor, n)
end

local function readInteger(stream)
   local text = token(stream, ofInteger):match '^[+-]?%d+'
   if not text then
      return nil
   end
   stream.cursor = stream.cursor + #text
   if #text <= 15 then
      return tonumber(text)
   end
   local value = 0LL -- beyond what a double holds exactly
   for digit in text:gmatch '%d' do
      value = value * 10 + tonumber(digit)
   end
   return text:sub(1, 1) == '-' and -value or value
end

local function readFloat(stream)
   local text = token(stream, ofFloat)
   while #text > 0 do
      local value = tonumber(text)
      if value then
         stream.cursor = stream.cursor + #text
         return value
      end
      text = text:sub(1, -2)
   end
   return nil
end

-- A stream that ends without the newline may have been cut inside of what was just read.
local function swallowNewline(stream)
   local c = peek(stream)
   if c == NEWLINE then
      stream.cursor = stream.cursor + 1
   elseif not c then
      stream.unfinished = true
   end
end

local function put(stream, text)
   local n = #text
   local at = stream:room(n)
   ffi.copy(stream.window + at, text, n)
   stream.cursor = at + n
end

local function putByte(stream, byte)
   local at = stream:room(1)
   stream.window[at] = byte
   stream.cursor = at + 1
end

local M = {}

--- Codec with or without auto-spacing.
function M.codec(spacing)
   local codec = { read = {}, write = {}, smallest = {} }

   local function finishReading(stream)
      if spacing then
         swallowNewline(stream)
      end
   end

   local function finishWriting(stream)
      if spacing then
         putByte(stream, NEWLINE)
      end
   end

   function codec.readBlock(stream, T, pointer, n)
      local count = 0
      if T.raw then
         count = stream:read(pointer, n)
      else
         local read = T.integer and readInteger or readFloat
         while count < n do
            local value = read(stream)
            if not value then
               break
            end
            pointer[count] = value
            count = count + 1
         end
      end
      if n > 0 then
         finishReading(stream)
      end
      return count
   end

   function codec.writeBlock(stream, T, pointer, n)
      if T.raw then
         stream:write(pointer, n)
      else
         for i = 0, n - 1 do
            if i > 0 and spacing then
               putByte(stream, SPACE)
            end
            put(stream, T.format:format(T.integer and pointer[i] or T.at(pointer, i)))
         end
      end
      if n > 0 then
         finishWriting(stream)
      end
   end

   for _, T in ipairs(types.list) do
      codec.smallest[T.name] = 1
      binary.installScalars(codec, T)
   end

   function codec.readString(stream, n)
      local text = n == 0 and '' or binary.readString(stream, n)
      if n > 0 then
         finishReading(stream)
      end
      return text
   end

   function codec.writeString(stream, text)
      stream:write(ffi.cast('const uint8_t *', text), #text)
      if #text > 0 then
         finishWriting(stream)
      end
   end

   return codec
end

M.spaced = M.codec(true)
M.unspaced = M.codec(false)

return M
