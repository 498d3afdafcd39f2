--- torch.File: what disk, memory and pipe files have in common.
--
-- A file starts in ASCII mode, with auto-spacing, not quiet. Positions are 1-based. A file is a
-- stream of bytes (torch.io.stdio, torch.io.memory) and a codec for numbers (torch.io.ascii,
-- torch.io.binary); objects are torch.serialize's. Fields with a trailing underscore are private.
-- @module torch.File
local ffi = require 'ffi'
local th = require 'torch.ffi'
local arguments = require 'torch.arguments'
local class = require 'torch.class'
local errors = require 'torch.errors'
local ascii = require 'torch.io.ascii'
local binary = require 'torch.io.binary'
local types = require 'torch.io.types'
local reader = require 'torch.serialize.reader'
local writer = require 'torch.serialize.writer'

local numeric, cut = arguments.numeric, arguments.cut

local File = class.newmetatable 'torch.File'

--- Give a new instance its stream and its initial state. For the constructors of subclasses.
-- @param stream as made by torch.io.stdio or torch.io.memory
-- @param label string: how error messages call the file
-- @param mode string: 'r', 'w' or 'rw'
-- @param quiet boolean
function File:setup(stream, label, mode, quiet)
   self.stream_ = stream
   self.label_ = label
   self.readable_ = mode ~= 'w'
   self.writable_ = mode ~= 'r'
   self.quiet_ = quiet == true
   self.error_ = false
   self.binary_ = false
   self.spacing_ = true
   self.swapped_ = false
   self.longSize_ = 8
   self.depth_ = 0 -- objects being read or written around the present call
   self.codec_ = ascii.spaced
   self.referenced_ = true
   self.loadFunctions_ = true
   return self
end

--- Raise an error, or note it when quiet.
function File:fail(message)
   self.error_ = true
   if self.depth_ > 0 then
      error(message, 0) -- readObject and writeObject add the place, and blame the user's line
   end
   self.stream_.failure = nil
   if not self.quiet_ then
      errors.raise(message)
   end
end

local function checkOpen(self)
   if not self.stream_ then
      errors.raise(('attempt to use a closed file: %s; open it again'):format(
         self.label_ or tostring(self)))
   end
   self.stream_:refresh()
end

--- The stream, ready to read. Misuse is an error for quiet files, too.
function File:reading()
   checkOpen(self)
   if not self.readable_ then
      errors.raise(("attempt to read in a write-only file: %s; open it with mode 'r' or 'rw'")
         :format(self.label_))
   end
   return self.stream_
end

--- The stream, ready to write.
function File:writing()
   checkOpen(self)
   if not self.writable_ then
      errors.raise(("attempt to write in a read-only file: %s; open it with mode 'w' or 'rw'")
         :format(self.label_))
   end
   return self.stream_
end

--- Called after bytes were written: outside of writeObject they reach C's buffer at once.
-- @return whether they did
function File:wrote()
   local stream = self.stream_
   if self.depth_ == 0 then
      stream:flush()
   end
   if stream.failure then
      self:fail(('write error: %s: %s'):format(self.label_, stream.failure))
      return false
   end
   return true
end

local function readFailure(self, got, wanted)
   local stream = self.stream_
   local why = stream.failure or stream.isPipe and "the command's output ends there"
      or 'it ends there'
   if not self.binary_ and stream:fill(1) > 0 then
      why = 'no number is there'
   end
   self:fail(('read error: read %.0f blocks instead of %.0f at position %.0f of %s: %s'):format(
      got, wanted, stream:tell() + 1, self.label_, why))
end

local function checkStorage(operation, T, value)
   if class.typename(value) ~= T.storage then
      errors.raise(('%s: expected a number or a %s, got %s'):format(
         operation, T.storage, class.type(value)))
   end
end

-- n elements that the file says, or the user believes, are there: memory is only taken for what the
-- file can hold.
local function readCounted(self, T, n)
   n = cut(n)
   if not (n >= 0) then -- luacheck: ignore 581 (NaN is refused too)
      errors.raise(('read%s: expected a count of elements, got %s'):format(T.name, tostring(n)))
   end
   local stream = self.stream_
   local remaining = stream:remaining()
   local possible = n
   if remaining then
      possible = math.min(n, math.floor(remaining / self.codec_.smallest[T.name]))
   end
   if possible < n and not self.quiet_ then
      readFailure(self, possible, n)
   end
   local storage = class.getconstructortable(T.storage)(possible)
   local count = self.codec_.readBlock(
      stream, T, ffi.cast(T.pointer, th.elements(storage)), possible)
   if count < n then
      storage:resize(count)
      readFailure(self, count, n)
   end
   return storage
end

local function addReader(T)
   local name = T.name
   File['read' .. name] = function(self, destination)
      local stream = self:reading()
      if destination == nil then
         local value = self.codec_.read[name](stream)
         if not value then
            readFailure(self, 0, 1)
            return 0
         end
         return value
      end
      local n = numeric(destination) or destination
      if type(n) == 'number' then
         return readCounted(self, T, n)
      end
      checkStorage('read' .. name, T, destination)
      n = #destination
      local count = self.codec_.readBlock(
         stream, T, ffi.cast(T.pointer, th.elements(destination)), n)
      th.written(destination)
      if count < n then
         readFailure(self, count, n)
      end
      return count
   end
end

local function addWriter(T)
   local name = T.name
   File['write' .. name] = function(self, value)
      local stream = self:writing()
      local count = 1
      if type(value) ~= 'number' then
         value = numeric(value) or value
      end
      if type(value) == 'number' then
         self.codec_.write[name](stream, value)
      else
         checkStorage('write' .. name, T, value)
         count = #value
         self.codec_.writeBlock(stream, T, ffi.cast(T.pointer, th.elements(value)), count)
      end
      return self:wrote() and count or 0
   end
end

--- Read numbers of one type: binary ones of that size, or as text in ASCII mode.
-- @function File:readByte
-- @function File:readChar
-- @function File:readShort
-- @function File:readInt
-- @function File:readLong
-- @function File:readFloat
-- @function File:readDouble
-- @param[opt] what number or storage: how many numbers, or a storage of the type to fill; without
-- it, one number
-- @return a number; a storage of `what` numbers; or how many numbers were put into the storage
-- @raise "read error: read 2 blocks instead of 3 at position 17 of 'x.bin': it ends there"
-- @example
-- local file = torch.MemoryFile():binary()
-- file:writeInt(torch.IntStorage { 5, 6 })
-- file:seek(1)
-- file:readInt(2) --> { 5, 6 }

--- Write numbers of one type, as `readInt` and its kin read them. Integers wrap as in C.
-- @function File:writeByte
-- @function File:writeChar
-- @function File:writeShort
-- @function File:writeInt
-- @function File:writeLong
-- @function File:writeFloat
-- @function File:writeDouble
-- @param what number, or a storage of the type
-- @return how many numbers were written
-- @raise "write error: 'x.bin': No space left on device; free some space there, or write elsewhere"
-- @example
-- local file = torch.MemoryFile()
-- file:writeDouble(1.5) --> 1

for _, T in ipairs(types.list) do
   if not T.opaque then
      addReader(T)
      addWriter(T)
   end
end

--- The next object.
-- @raise what is wrong with the file, with the place; the file is then where it was before
-- @example
-- local file = torch.MemoryFile()
-- file:writeObject { 1, 'two' }
-- file:seek(1)
-- file:readObject() --> { 1, 'two' }
function File:readObject()
   return reader.readObject(self, 'readObject')
end

--- Write an object, with what it refers to.
-- @param object nil, number, string, boolean, table, function or torch object, nested at will
-- @param[opt] debugname string: how messages call the object
-- @param[opt] hook function: hook(x) returns what is written in the place of x
-- @raise "Unwritable object <userdata> at <object.field>"; the file is then as it was before
-- @example
-- local file = torch.MemoryFile()
-- file:writeObject(torch.ones(2))
-- file:seek(1)
-- file:readObject() --> { 1, 1 }
function File:writeObject(object, debugname, hook)
   writer.writeObject(self, object, debugname, hook, 'writeObject')
end

--- Whether an object can be written; of what a table holds nothing is said.
-- @return its type number in the .t7 format, or nil
function File.isWritableObject(_, object)
   return writer.kindOf(object)
end

--- Whether an object that is met again is stored as a reference to the first one (the default).
-- Without it every object is written in full; cycles then never end.
function File:referenced(on)
   self.referenced_ = on and true or false
   return self
end

--- Whether `referenced` is on.
function File:isReferenced()
   return self.referenced_
end

--- Whether functions read from here can be called (the default), or are placeholders.
-- Bytecode from a hostile file can do anything once it is called.
function File:loadFunctions(on)
   self.loadFunctions_ = on and true or false
   return self
end

File.__write = false -- an open file is no object to store

--- A boolean, kept as an int.
function File:readBool()
   return self:readInt() ~= 0
end

--- A boolean, kept as an int: 1 or 0.
function File:writeBool(value)
   return self:writeInt(value and 1 or 0)
end

-- The rest of the line, without its newline; nil at the end of the file.
local function readLine(stream)
   local pieces
   while stream.cursor < stream.filled or stream:fill(1) > 0 do
      local first = stream.window + stream.cursor
      local ready = stream.filled - stream.cursor
      local n = 0
      while n < ready and first[n] ~= 10 do
         n = n + 1
      end
      local piece = ffi.string(first, n)
      stream.cursor = stream.cursor + n + (n < ready and 1 or 0)
      if n < ready then
         return pieces and table.concat(pieces) .. piece or piece
      end
      pieces = pieces or {}
      pieces[#pieces + 1] = piece
   end
   return pieces and table.concat(pieces)
end

-- Everything up to the end; nil if there is nothing.
local function readAll(stream)
   local pieces = {}
   while stream.cursor < stream.filled or stream:fill(1) > 0 do
      pieces[#pieces + 1] = ffi.string(
         stream.window + stream.cursor, stream.filled - stream.cursor)
      stream.cursor = stream.filled
   end
   return pieces[1] and table.concat(pieces)
end

--- Raw characters.
-- @param format string: '*l' one line, returned without its newline; '*a' the rest of the file
-- @return string
-- @raise "read error: read 0 blocks instead of 1" at the end of the file
-- @example
-- local file = torch.MemoryFile(torch.CharStorage():string 'one\ntwo\n\0', 'r')
-- file:readString '*l' --> 'one'
function File:readString(format)
   local stream = self:reading()
   local kind = type(format) == 'string' and format:match '^%*?([al])'
   if not kind then
      errors.raise(("readString: expected '*l' (a line) or '*a' (all), got %s"):format(
         tostring(format)))
   end
   local text = (kind == 'l' and readLine or readAll)(stream)
   if not text or stream.failure then
      readFailure(self, 0, 1)
   end
   return text or ''
end

--- Write characters as they are.
-- @return number of characters written
-- @example torch.MemoryFile():writeString 'text' --> 4
function File:writeString(text)
   local stream = self:writing()
   if type(text) ~= 'string' then
      if type(text) ~= 'number' then
         errors.raise(('writeString: expected a string, got %s'):format(class.type(text)))
      end
      text = tostring(text)
   end
   stream:write(ffi.cast('const uint8_t *', text), #text)
   return self:wrote() and #text or 0
end

local function chooseCodec(self)
   if not self.binary_ then
      self.codec_ = self.spacing_ and ascii.spaced or ascii.unspaced
   elseif self.swapped_ or self.longSize_ ~= 8 then
      self.codec_ = binary.codec(self.swapped_, self.longSize_)
   else
      self.codec_ = binary.native
   end
   return self
end

--- Numbers are text (the default): what C's printf writes and scanf reads.
-- @return self
-- @example torch.MemoryFile():binary():ascii():isBinary() --> false
function File:ascii()
   self.binary_ = false
   return chooseCodec(self)
end

--- Numbers are stored as this machine has them in memory, or as longSize and the encoding say.
-- @return self
-- @example torch.MemoryFile():binary():isBinary() --> true
function File:binary()
   self.binary_ = true
   return chooseCodec(self)
end

--- In ASCII mode, spaces between numbers and a newline after each call (the default).
-- @return self
function File:autoSpacing()
   self.spacing_ = true
   return chooseCodec(self)
end

--- In ASCII mode, nothing between or after numbers.
-- @return self
function File:noAutoSpacing()
   self.spacing_ = false
   return chooseCodec(self)
end

--- Width of longs in binary mode.
-- @param size number: 4, 8, or 0 for this machine's own (8)
function File:longSize(size)
   size = numeric(size) or size
   if size ~= 0 and size ~= 4 and size ~= 8 then
      errors.raise(('longSize: expected 4, 8, or 0 for the native size, got %s'):format(
         tostring(size)))
   end
   self.longSize_ = size == 0 and 8 or size
   return chooseCodec(self)
end

--- Byte order of binary numbers: the other one than this machine's, or the same. For subclasses.
function File:swapBytes(swapped)
   self.swapped_ = swapped
   return chooseCodec(self)
end

--- Failures set hasError() instead of raising.
-- @example torch.MemoryFile():quiet():isQuiet() --> true
function File:quiet()
   self.quiet_ = true
   return self
end

--- Failures raise (the default).
function File:pedantic()
   self.quiet_ = false
   return self
end

--- hasError() is false again.
-- @return self
function File:clearError()
   self.error_ = false
   return self
end

--- Whether a read, write or seek has failed since the file was opened or clearError() called.
function File:hasError()
   return self.error_
end

--- Whether failures set hasError() instead of raising.
function File:isQuiet()
   return self.quiet_
end

--- Whether the mode is 'r' or 'rw'.
function File:isReadable()
   return self.readable_
end

--- Whether the mode is 'w' or 'rw'.
-- @example torch.MemoryFile('r'):isWritable() --> false
function File:isWritable()
   return self.writable_
end

--- Whether numbers are binary, not text.
function File:isBinary()
   return self.binary_
end

--- Whether text numbers are separated by spaces and newlines.
function File:isAutoSpacing()
   return self.spacing_
end

--- Whether the file is open.
function File:isOpen()
   return self.stream_ ~= nil
end

--- Hand everything written to the operating system.
function File:synchronize()
   checkOpen(self)
   self.stream_:synchronize()
   if self.writable_ then
      self:wrote()
   end
   return self
end

--- Go to a position.
-- @param position number, from 1
-- @example
-- local file = torch.MemoryFile():binary()
-- file:writeInt(torch.IntStorage { 5, 6 })
-- file:seek(5)
-- file:readInt() --> 6
function File:seek(position)
   checkOpen(self)
   local given = position
   position = numeric(position) or position
   position = type(position) == 'number' and cut(position) or 0
   if not (position >= 1 and position <= 2 ^ 53) then
      errors.raise(('seek: expected a position of at least 1, got %s'):format(tostring(given)))
   end
   if not self.stream_:seek(position - 1) then
      self:fail(('unable to seek at position %.0f of %s: %s'):format(
         position, self.label_, self.stream_.failure))
   end
   return self
end

--- Go past the last byte.
function File:seekEnd()
   checkOpen(self)
   if not self.stream_:seekEnd() then
      self:fail(('unable to seek at the end of %s: %s'):format(self.label_, self.stream_.failure))
   end
   return self
end

--- Position of the next byte, from 1.
-- @example
-- local file = torch.MemoryFile():binary()
-- file:writeInt(5)
-- file:position() --> 5
function File:position()
   checkOpen(self)
   return self.stream_:tell() + 1
end

--- Close the file; closing twice does no harm.
-- @raise when the last bytes could not be written, or a command that was fed ended with an error
function File:close()
   local stream = self.stream_
   if not stream then
      return self
   end
   self.stream_ = nil
   self.objects_, self.written_ = nil, nil
   local ok, reason = stream:close()
   if not ok and self.writable_ then
      self.error_ = true
      if not self.quiet_ then
         errors.raise(('close: %s: %s'):format(self.label_, reason))
      end
   end
   return self
end

--- 'open' or 'closed', and the mode as two characters: the status that tostring shows.
function File:status()
   return self.stream_ and 'open' or 'closed',
      (self.readable_ and 'r' or ' ') .. (self.writable_ and 'w' or ' ')
end

return File
