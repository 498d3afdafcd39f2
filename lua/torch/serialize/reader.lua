--- Reading objects of the .t7 format.
--
-- The bytes may come from anyone: whatever they claim, reading ends in an object or in an error
-- with the place, takes memory in proportion to the bytes that are there, and runs no code of
-- theirs.
-- @module torch.serialize.reader
local class = require 'torch.class'
local errors = require 'torch.errors'
local format = require 'torch.serialize.format'
local functions = require 'torch.serialize.functions'
local names = require 'torch.serialize.names'

local M = {}

local NIL, NUMBER, STRING, BOOLEAN = format.NIL, format.NUMBER, format.STRING, format.BOOLEAN
local TABLE, TORCH, FUNCTION = format.TABLE, format.TORCH, format.FUNCTION
local OLDER_FUNCTION, OLDEST_FUNCTION = format.OLDER_FUNCTION, format.OLDEST_FUNCTION
local descend = format.descend

local function ended(file)
   file.ended_ = true
   error('read error: read 0 blocks instead of 1: '
      .. (file.stream_.failure or 'the data end inside an object'), 0)
end

local function noNumber(file)
   if not file.binary_ and file.stream_:fill(1) > 0 then
      error("text where a number should be; a binary file is loaded with mode 'binary'", 0)
   end
   ended(file)
end

local function readInt(file)
   return file.codec_.read.Int(file.stream_) or noNumber(file)
end

local function readText(file)
   local length = readInt(file)
   if length < 0 then
      error(('a string with a length of %d'):format(length), 0)
   end
   return file.codec_.readString(file.stream_, length) or ended(file)
end

-- Later mentions of the index mean this object.
local function register(file, index, object)
   if file.referenced_ then
      file.objects_[index] = object
      local log = file.log_
      log[#log + 1] = index
   end
end

local readValue

local function readFields(file, t, count)
   for _ = 1, count do
      local key = readValue(file)
      if key == nil or key ~= key then
         error(('a table with %s as a key'):format(tostring(key)), 0)
      end
      t[key] = readValue(file)
   end
end

local function readTable(file, index)
   local count = readInt(file)
   if count < 0 then
      error(('a table with %d entries'):format(count), 0)
   end
   local t = {}
   register(file, index, t)
   descend(file, readFields, t, count)
   return t
end

local function readInstance(file, object, version)
   local methods = class.getmetatable(class.typename(object))
   local read = file.sharing_ and methods.__unshare or methods.__read or methods.read
   if read then
      read(object, file, version)
      file.stream_:refresh()
   elseif type(object) == 'table' then
      local fields = readValue(file)
      if type(fields) ~= 'table' then
         error(('a %s where the fields of a %s should be'):format(
            type(fields), class.typename(object)), 0)
      end
      for key, value in pairs(fields) do
         rawset(object, key, value)
      end
   else
      error(('class %s has no read method'):format(class.typename(object)), 0)
   end
end

local function readTorch(file, index)
   local name = readText(file)
   local version = tonumber(name:match '^V (%-?%d+)$')
   if version then
      name = readText(file)
   else
      version = 0 -- written before there were versions
   end
   if file.onHost_ then
      name = names.host(name)
   end
   local factory = class.factory(name)
   if not factory and file.require_ then -- a message of another thread, which has the package
      file.require_(name:match '^torch%.Cuda' and 'cutorch' or name:match '^[^.]+')
      factory = class.factory(name)
   end
   if not factory then
      names.unknown(name)
   end
   local object = factory(file)
   register(file, index, object)
   descend(file, readInstance, object, version)
   if file.onHost_ and type(object) == 'table' and type(rawget(object, '_type')) == 'string' then
      rawset(object, '_type', names.host(object._type)) -- what an nn module says of its own tensors
   end
   return object
end

local function readFunction(file, index, kind)
   local code = readText(file)
   local f, fill = functions.load(code, kind == FUNCTION, file)
   if index then
      register(file, index, f)
   end
   descend(file, function()
      fill(readValue(file))
   end)
   return f
end

local function badKind(file, kind)
   local advice = ''
   if file.binary_ and kind % 256 >= 48 and kind % 256 <= 57 then
      advice = "; the file seems to be text: load it with mode 'ascii'"
   elseif not file.binary_ then
      advice = "; a binary file is loaded with mode 'binary' (the default)"
   elseif file.longSize_ == 8 then
      advice = "; a file written with longs of 4 bytes is loaded with mode 'b32'"
   end
   error(('unknown object type %d (types are 0 to 8)%s'):format(kind, advice), 0)
end

-- An object mentioned again must be of the kind that its mention says.
local function checkMention(kind, index, object)
   local found = type(object) == 'function' and 'function'
      or class.classOf(object) and 'torch object' or 'table'
   local expected = kind == TABLE and 'table' or kind == TORCH and 'torch object' or 'function'
   if found ~= expected then
      error(('a %s is mentioned, but object %d is a %s'):format(expected, index, found), 0)
   end
   return object
end

local function readIndexed(file, kind)
   if kind == OLDEST_FUNCTION then
      return readFunction(file, nil, kind)
   elseif kind ~= TABLE and kind ~= TORCH and kind ~= FUNCTION and kind ~= OLDER_FUNCTION then
      badKind(file, kind)
   end
   local index = readInt(file)
   local object = file.referenced_ and file.objects_[index]
   if object then
      return checkMention(kind, index, object)
   elseif index < 1 then
      error(('object number %d is mentioned, which the file does not hold'):format(index), 0)
   elseif kind == TABLE then
      return readTable(file, index)
   elseif kind == TORCH then
      return readTorch(file, index)
   end
   return readFunction(file, index, kind)
end

-- Local functions above cannot see one assigned later, so the body comes last.
readValue = function(file)
   local kind = file.codec_.read.Int(file.stream_)
   if kind == NUMBER then
      return file.codec_.read.Double(file.stream_) or noNumber(file)
   elseif kind == STRING then
      return readText(file)
   elseif kind == NIL then
      return nil
   elseif kind == BOOLEAN then
      return readInt(file) ~= 0
   elseif kind == nil then
      noNumber(file)
   end
   return readIndexed(file, kind)
end

--- Read the next object.
-- After a failure the file is where it was before, and knows no half-read objects.
-- @param file a torch.File
-- @param operation string, for messages: 'readObject', 'torch.load', ...
-- @return the object
-- @raise "<operation>: <file>, byte <n>: <what is wrong>"; n counts as file:position() does
function M.readObject(file, operation)
   local stream = file:reading()
   if file.depth_ > 0 then
      return readValue(file)
   end
   file.objects_ = file.objects_ or {}
   file.log_ = {}
   file.ended_ = false
   file.depth_ = 1
   stream.unfinished = nil
   local start = stream:tell()
   local ok, result = pcall(readValue, file)
   file.depth_ = 0
   if ok and stream.unfinished then -- 12 may be what is left of 123
      ok, file.ended_ = false, true
      result = 'read error: the data end without the newline after the last number or text'
   end
   if ok then
      return result
   end

   stream:refresh()
   local place = stream:tell() + 1
   stream.failure = nil
   for _, index in ipairs(file.log_) do
      file.objects_[index] = nil
   end
   if stream.seekable then
      stream:seek(start)
   end
   file.error_ = true
   if file.ended_ and file.quiet_ then
      return nil
   elseif type(result) ~= 'string' then
      error(result, 0)
   end
   errors.raise(('%s: %s, byte %.0f: %s'):format(operation, file.label_, place, result))
end

return M
