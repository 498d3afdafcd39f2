--- ONNX's messages as Lua tables: a message is a table of its fields by name, what repeats a list.
--
-- Reading and writing is protobuf's, by the schema that Debian packages (lib/onnx). Numbers are Lua
-- numbers, texts Lua strings; elements of tensors stay where they are, in what `bytes` and
-- `numbers` below describe, for they may be many.
-- @module onnx.protobuf
local ffi = require 'ffi'
local errors = require 'torch.errors'

local M = {}

local C
local function library()
   if not C then
      local path = package.searchpath('libTHonnx', package.cpath)
      if not path then
         errors.raise('onnx: LuaTorch was built without ONNX. On Debian: apt-get install '
            .. 'libonnx-dev libprotobuf-dev, and build it again')
      end
      local ok, loaded = pcall(ffi.load, path)
      if not ok then
         errors.raise('onnx: the libraries of ONNX are not installed. On Debian: apt-get install '
            .. 'libonnx1 libprotobuf32')
      end
      ffi.cdef(require 'onnx.gen.cdef')
      C = loaded
   end
   return C
end

local function check(message)
   if message ~= nil then
      error(ffi.string(message), 0)
   end
end

-- Fields of elements: kept as memory, in the message (bytes) or in an array of their own (numbers).
local function is_data(name)
   return name == 'raw_data' or name:find '_data$' ~= nil
end

local MOST_FIELDS = 64

local read_message

local function read_bytes(message, field, index, root, name)
   local size = ffi.new 'size_t[1]'
   local p = C.THonnx_bytes(message, field, index, size)
   if is_data(name) then
      return { data = p, size = tonumber(size[0]), owner = root }
   end
   return ffi.string(p, size[0])
end

local function read_numbers(message, f, name)
   local count = tonumber(f.count)
   local integer = f.kind == C.THONNX_INTEGER
   local values = ffi.new(integer and 'int64_t[?]' or 'double[?]', count)
   if integer then
      C.THonnx_integers(message, f.number, values)
   else
      C.THonnx_numbers(message, f.number, values)
   end
   if is_data(name) then
      return { data = values, count = count }
   end
   local list = {}
   for i = 1, count do
      list[i] = tonumber(values[i - 1])
   end
   return f.repeated and list or list[1]
end

function read_message(message, root)
   local fields = ffi.new('THonnx_Field[?]', MOST_FIELDS)
   local result = {}
   for i = 0, C.THonnx_fields(message, fields, MOST_FIELDS) - 1 do
      local f = fields[i]
      local name = ffi.string(f.name)
      if f.kind == C.THONNX_INTEGER or f.kind == C.THONNX_NUMBER then
         result[name] = read_numbers(message, f, name)
      else
         local list = {}
         for k = 0, tonumber(f.count) - 1 do
            list[k + 1] = f.kind == C.THONNX_MESSAGE
               and read_message(C.THonnx_message(message, f.number, k), root)
               or read_bytes(message, f.number, k, root, name)
         end
         result[name] = f.repeated and list or list[1]
      end
   end
   return result
end

--- A model of a file's bytes.
-- @param data pointer
-- @int size bytes
-- @return table; raises the parser's complaint without a place
function M.decode(data, size)
   library()
   local model = ffi.new 'THonnx_Message *[1]'
   check(C.THonnx_parse(model, data, size))
   local root = ffi.gc(model[0], C.THonnx_free)
   return read_message(root, root)
end

local write_message

local function write_numbers(message, name, kind, values)
   local list = type(values) == 'table' and values or { values }
   local integer = kind == C.THONNX_INTEGER
   local array = ffi.new(integer and 'int64_t[?]' or 'double[?]', #list)
   for i, value in ipairs(list) do
      array[i - 1] = value
   end
   check((integer and C.THonnx_addIntegers or C.THonnx_addNumbers)(message, name, array, #list))
end

local function write_field(message, name, kind, value)
   if kind == C.THONNX_MESSAGE then
      for _, inner in ipairs(value[1] and value or { value }) do
         local added = ffi.new 'THonnx_Message *[1]'
         check(C.THonnx_addMessage(message, name, added))
         write_message(added[0], inner)
      end
   elseif kind == C.THONNX_BYTES then
      local list = type(value) == 'table' and not value.data and value or { value }
      for _, bytes in ipairs(list) do
         if type(bytes) == 'table' then
            check(C.THonnx_addBytes(message, name, bytes.data, bytes.size))
         else
            check(C.THonnx_addBytes(message, name, bytes, #bytes))
         end
      end
   else
      write_numbers(message, name, kind, value)
   end
end

function write_message(message, fields)
   for name, value in pairs(fields) do
      if type(value) ~= 'table' or next(value) ~= nil then
         write_field(message, name, C.THonnx_kind(message, name), value)
      end
   end
end

--- The bytes of a model. An empty table in a field is an empty list.
-- @tparam table model as `decode` gives it
-- @return an array of bytes, and how many
function M.encode(model)
   library()
   local made = ffi.new 'THonnx_Message *[1]'
   check(C.THonnx_new(made))
   local root = ffi.gc(made[0], C.THonnx_free)
   write_message(root, model)
   local size = ffi.new 'size_t[1]'
   check(C.THonnx_size(root, size))
   local bytes = ffi.new('uint8_t[?]', size[0])
   check(C.THonnx_write(root, bytes, size[0]))
   return bytes, tonumber(size[0])
end

return M
