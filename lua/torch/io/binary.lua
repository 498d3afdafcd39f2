--- Binary numbers: native, byte-swapped, and with longs of 4 bytes.
--
-- A codec is what a file reads and writes numbers with. Fields, for each T of torch.io.types:
--
--    read.Name(stream)      -> number, or nil when the stream ends first
--    write.Name(stream, number)
--    readBlock(stream, T, pointer, n)  -> count read
--    writeBlock(stream, T, pointer, n)
--    readString(stream, n)  -> string, or nil when the stream ends first
--    writeString(stream, text)
--    smallest[Name]         -> fewest bytes one number can take
--
-- Failures of the medium are left in `stream.failure`.
-- @module torch.io.binary
local ffi = require 'ffi'
local types = require 'torch.io.types'

local cast = ffi.cast
local PIECE = 2048 -- elements converted at a time (16 KB of longs)
local STRING_PIECE = 1048576

local M = {}

local function scalarReader(T)
   local pointer, size, read = T.pointer, T.size, T.at
   return function(stream)
      local at = stream.cursor
      if at + size > stream.filled then
         if stream:fill(size) < size then
            return nil
         end
         at = stream.cursor
      end
      stream.cursor = at + size
      return read(cast(pointer, stream.window + at), 0)
   end
end

local function scalarWriter(T)
   local pointer, size = T.pointer, T.size
   return function(stream, value)
      local at = stream.cursor
      if at + size > stream.limit then
         at = stream:room(size)
      end
      cast(pointer, stream.window + at)[0] = value
      stream.cursor = at + size
   end
end

local function integerWriter(T)
   local write, wrap = scalarWriter(T), types.wrap
   return function(stream, value)
      write(stream, wrap(T, value))
   end
end

--- Reverse the bytes of each of n elements, in place.
local function reverse(pointer, size, n)
   local p = cast('uint8_t *', pointer)
   for first = 0, (n - 1) * size, size do
      for i = 0, size / 2 - 1 do
         local low, high = first + i, first + size - 1 - i
         p[low], p[high] = p[high], p[low]
      end
   end
end

-- @return whether all longs fit into 4 bytes
local function toInts(ints, longs, n)
   for i = 0, n - 1 do
      local value = longs[i]
      if value > 2147483647LL or value < -2147483648LL then
         return false
      end
      ints[i] = value
   end
   return true
end

local function readPlain(stream, T, pointer, n)
   return math.floor(stream:read(pointer, n * T.size) / T.size)
end

local function writePlain(stream, T, pointer, n)
   stream:write(pointer, n * T.size)
end

--- Give a codec the functions for single numbers of a type, by way of its blocks.
function M.installScalars(codec, T)
   local cell = T.cell()
   codec.read[T.name] = function(stream)
      if codec.readBlock(stream, T, cell, 1) == 1 then
         return T.at(cell, 0)
      end
   end
   codec.write[T.name] = function(stream, value)
      cell[0] = T.integer and types.wrap(T, value) or value
      codec.writeBlock(stream, T, cell, 1)
   end
end

--- Codec for one byte order and one width of longs.
-- @param swapped boolean: the file's byte order is not this machine's
-- @param longSize number: 4 or 8
function M.codec(swapped, longSize)
   local codec = {
      read = {},
      write = {},
      smallest = {},
      readString = M.readString,
      writeString = M.writeString,
      binary = true,
   }
   local narrow = ffi.new('int32_t[?]', PIECE)

   local function width(T)
      return T.name == 'Long' and longSize or T.size
   end

   function codec.readBlock(stream, T, pointer, n)
      local size = width(T)
      if size == T.size then
         local count = readPlain(stream, T, pointer, n)
         if swapped then
            reverse(pointer, size, count)
         end
         return count
      end
      local done = 0
      while done < n do
         local count = readPlain(stream, types.Int, narrow, math.min(PIECE, n - done))
         if swapped then
            reverse(narrow, size, count)
         end
         for i = 0, count - 1 do
            pointer[done + i] = narrow[i]
         end
         done = done + count
         if count == 0 then
            break
         end
      end
      return done
   end

   function codec.writeBlock(stream, T, pointer, n)
      local size = width(T)
      if size == T.size and not swapped then
         return writePlain(stream, T, pointer, n)
      end
      for done = 0, n - 1, PIECE do
         local count = math.min(PIECE, n - done)
         local room = stream:room(count * size)
         local to = stream.window + room
         if size == T.size then
            ffi.copy(to, pointer + done, count * size)
         else
            if not toInts(cast(types.Int.pointer, to), pointer + done, count) then
               stream.failure = 'a long does not fit into 4 bytes; use longSize(8)'
               return
            end
         end
         if swapped then
            reverse(to, size, count)
         end
         stream.cursor = room + count * size
      end
   end

   for _, T in ipairs(types.list) do
      local name = T.name
      codec.smallest[name] = width(T)
      if not swapped and width(T) == T.size then
         codec.read[name] = scalarReader(T)
         codec.write[name] = T.integer and integerWriter(T) or scalarWriter(T)
      else
         M.installScalars(codec, T)
      end
   end
   return codec
end

--- @return string of n bytes, or nil when the stream ends first. Memory use stays near what the
-- stream really holds, whatever n claims.
function M.readString(stream, n)
   if stream.cursor + n <= stream.filled then
      local text = ffi.string(stream.window + stream.cursor, n)
      stream.cursor = stream.cursor + n
      return text
   end
   local remaining = stream:remaining()
   if remaining and n > remaining then
      return nil
   end
   local pieces = {}
   local buffer = ffi.new('uint8_t[?]', math.min(n, remaining and n or STRING_PIECE))
   while n > 0 do
      local wanted = math.min(n, ffi.sizeof(buffer))
      if stream:read(buffer, wanted) < wanted then
         return nil
      end
      pieces[#pieces + 1] = ffi.string(buffer, wanted)
      n = n - wanted
   end
   return table.concat(pieces)
end

--- Write the bytes of a string.
function M.writeString(stream, text)
   stream:write(cast('const uint8_t *', text), #text)
end

--- The usual codec.
M.native = M.codec(false, 8)

return M
