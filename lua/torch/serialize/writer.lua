--- Writing objects of the .t7 format.
-- @module torch.serialize.writer
local class = require 'torch.class'
local errors = require 'torch.errors'
local format = require 'torch.serialize.format'
local functions = require 'torch.serialize.functions'

local M = {}

local NIL, NUMBER, STRING, BOOLEAN = format.NIL, format.NUMBER, format.STRING, format.BOOLEAN
local TABLE, TORCH, FUNCTION = format.TABLE, format.TORCH, format.FUNCTION
local LONGEST = 2 ^ 31 - 1 -- lengths and counts are ints

local simple = { ['nil'] = NIL, number = NUMBER, string = STRING, boolean = BOOLEAN }

local NO_FILE = {}

-- How instances of a class are written; false when they cannot be. A message between threads may
-- share what has a way for that (the package threads).
local function writeMethod(methods, file)
   if file.sharing_ and methods.__share then
      return methods.__share
   elseif methods.__write ~= nil then
      return methods.__write
   end
   return methods.write
end

--- Type number of an object in the format, or nil when it cannot be written.
function M.kindOf(object)
   local kind = type(object)
   if simple[kind] then
      return simple[kind]
   elseif kind == 'function' then
      return functions.isWritable(object) and FUNCTION or nil
   end
   local methods = class.classOf(object)
   if methods then
      local write = writeMethod(methods, NO_FILE)
      return (write or write == nil and kind == 'table') and TORCH or nil
   end
   return kind == 'table' and TABLE or nil
end

local UPVALUE = {} -- stands for the step into a function's list of upvalues

-- The way to the present object, such as <?>.modules[2].name.
local function path(file)
   local keys = file.path_
   local text = tostring(keys[1])
   for depth = 2, file.depth_ do
      local key = keys[depth]
      if key == UPVALUE then
         key = nil
      end
      if type(key) == 'string' and key:match '^[%a_][%w_]*$' then
         text = text .. '.' .. key
      elseif key ~= nil then
         key = type(key) == 'string' and ('%q'):format(key) or tostring(key)
         text = ('%s[%s]'):format(text, key)
      end
   end
   return text
end

local advice = {
   ['function'] = 'a function written in C; store its name instead',
   cdata = 'FFI data; store what it holds as numbers, strings or tensors',
   thread = 'a coroutine',
   userdata = 'userdata of another library',
}

local function unwritable(file, object)
   local name = class.typename(object)
   error(('Unwritable object <%s> at %s (%s)'):format(name or type(object), path(file),
      name and 'its class has no write method' or advice[type(object)] or '?'), 0)
end

local function writeInt(file, value)
   file.codec_.write.Int(file.stream_, value)
end

local function writeText(file, text)
   if #text > LONGEST then
      error(('the string at <%s> has %d characters; at most 2147483647 can be stored'):format(
         path(file), #text), 0)
   end
   writeInt(file, #text)
   file.codec_.writeString(file.stream_, text)
end

-- Tables and functions are themselves; several handles can mean one tensor or storage.
local function keyOf(object)
   local kind = type(object)
   if kind == 'table' or kind == 'function' then
      return object
   end
   return class.pointer(object)
end

local function writeNextNumber(file)
   file.count_ = file.count_ + 1
   writeInt(file, file.count_)
end

-- @return true when the object was written before and is now mentioned by its number
local function mention(file, object)
   local key = keyOf(object)
   local index = file.referenced_ and file.written_[key]
   if index then
      writeInt(file, index)
      return true
   end
   writeNextNumber(file)
   file.written_[key] = file.count_
   if key ~= object then
      -- Held while the file is open: a new object must not be taken for it by a reused address.
      file.anchors_[file.count_] = object
   end
   return false
end

local writeValue

local function writeEntries(file, t, hook)
   local keys, depth = file.path_, file.depth_
   -- A function's way goes on by the names of its upvalues, not by how they are stored.
   local upvalues = functions.isUpvalueList(t)
   local upvalue = keys[depth - 1] == UPVALUE
   for key, value in pairs(t) do
      keys[depth] = upvalues and UPVALUE or upvalue and t.name or key
      writeValue(file, key, hook)
      writeValue(file, value, hook)
   end
   keys[depth] = nil
end

local function writeTable(file, t, hook)
   local count = 0
   for _ in pairs(t) do
      count = count + 1
   end
   writeInt(file, count)
   format.descend(file, writeEntries, t, hook)
end

local function warn(object, key, value)
   io.stderr:write(('torch: warning: field %s of a %s is left out: a %s cannot be written\n')
      :format(tostring(key), class.typename(object), class.type(value)))
end

-- An instance without a write method: a table of its fields, which has a number of its own.
local function writeFieldsOf(file, object, hook)
   local fields = object
   for key, value in pairs(object) do
      if not (M.kindOf(key) and M.kindOf(value)) then
         warn(object, key, value)
         if fields == object then
            fields = {}
            for k, v in pairs(object) do
               fields[k] = v
            end
         end
         fields[key] = nil
      end
   end
   writeInt(file, TABLE)
   writeNextNumber(file)
   writeTable(file, fields, hook)
end

local function writeInstance(file, object, hook)
   local write = writeMethod(class.classOf(object), file)
   if write then
      file.path_[file.depth_] = nil
      write(object, file)
      file.stream_:refresh()
   else
      writeFieldsOf(file, object, hook)
   end
end

local function writeTorch(file, object, hook)
   writeText(file, 'V ' .. (class.version(object) or 0))
   writeText(file, class.typename(object))
   format.descend(file, writeInstance, object, hook)
end

local function writeFunction(file, f, hook)
   local code, upvalues = functions.dump(f, file)
   writeText(file, code)
   format.descend(file, writeValue, upvalues, hook)
end

local bodies = { [TABLE] = writeTable, [TORCH] = writeTorch, [FUNCTION] = writeFunction }

-- What to write for an object; asked once for each object.
local function substitute(file, object, hook)
   if not bodies[M.kindOf(object) or TORCH] then
      return hook(object)
   end
   local substitutes = file.substitutes_
   local key = keyOf(object)
   if substitutes[key] == nil then
      substitutes[key] = { hook(object) }
      file.substitutesAnchors_[#file.substitutesAnchors_ + 1] = object
   end
   return substitutes[key][1]
end

-- Local functions above cannot see one assigned later, so the body comes last.
writeValue = function(file, object, hook)
   if hook then
      object = substitute(file, object, hook)
   end
   local codec, stream = file.codec_, file.stream_
   local kind = type(object)
   if kind == 'number' then
      codec.write.Int(stream, NUMBER)
      codec.write.Double(stream, object)
   elseif kind == 'string' then
      codec.write.Int(stream, STRING)
      writeText(file, object)
   elseif kind == 'boolean' then
      codec.write.Int(stream, BOOLEAN)
      codec.write.Int(stream, object and 1 or 0)
   elseif kind == 'nil' then
      codec.write.Int(stream, NIL)
   else
      local typeNumber = M.kindOf(object) or unwritable(file, object)
      codec.write.Int(stream, typeNumber)
      if not mention(file, object) then
         bodies[typeNumber](file, object, hook)
      end
   end
   if stream.failure then
      error(('write error: %s'):format(stream.failure), 0)
   end
end

--- Write an object.
-- After a failure the file is as it was before, unless it is a pipe.
-- @param file a torch.File
-- @param object anything but coroutines, C functions, and userdata or cdata without a class
-- @param name string, optional: what error messages call the object
-- @param hook function, optional: hook(x) gives what is written in the place of x
-- @param operation string, for messages: 'writeObject', 'torch.save', ...
-- @raise "Unwritable object <userdata> at <object.field>"
function M.writeObject(file, object, name, hook, operation)
   local stream = file:writing()
   if file.depth_ > 0 then
      file.path_[file.depth_] = name
      writeValue(file, object, hook)
      return
   end
   file.written_ = file.written_ or {}
   file.anchors_ = file.anchors_ or {}
   file.count_ = file.count_ or 0
   file.substitutes_, file.substitutesAnchors_ = {}, {}
   file.path_ = { name or '<?>' }
   file.depth_ = 1
   local count = file.count_
   stream:mark()
   local ok, message = pcall(writeValue, file, object, hook)
   file.depth_ = 0
   if ok and stream:flush() then
      return
   end

   local failure = stream.failure
   message = ok and ('write error: %s'):format(failure) or message
   stream.failure = nil
   stream:refresh()
   stream:rollback()
   file.count_ = count
   for key, index in pairs(file.written_) do
      if index > count then
         file.written_[key] = nil
         file.anchors_[index] = nil
      end
   end
   file.error_ = true
   if failure and file.quiet_ then
      return
   elseif type(message) ~= 'string' then
      error(message, 0)
   end
   errors.raise(('%s: %s: %s'):format(operation, file.label_, message))
end

return M
