--- Building and showing .t7 bytes, and classes to store.
local assert = require 'luassert'
local torch = require 'torch'
local class = require 'torch.class'
local shell = require 'test.support.shell'

local M = {}

--- Folder of the files made from the format's description.
M.data = 'test/data/t7/'

M.contentOf = shell.read

function M.setContent(path, bytes)
   local file = assert(io.open(path, 'wb'))
   file:write(bytes)
   file:close()
end

function M.hex(bytes)
   return (bytes:gsub('.', function(c)
      return ('%02x'):format(c:byte())
   end))
end

function M.unhex(text)
   return (text:gsub('%s', ''):gsub('%x%x', function(pair)
      return string.char(tonumber(pair, 16))
   end))
end

--- Bytes as text, with ';' for newline and '_' for space.
function M.shown(bytes)
   return (bytes:gsub('\n', ';'):gsub(' ', '_'))
end

--- What write(file) writes to a file.
function M.written(write)
   local file = torch.MemoryFile()
   write(file)
   return file:storage():string():sub(1, -2)
end

--- A file to read, over bytes.
function M.reading(bytes)
   return torch.MemoryFile(torch.CharStorage():string(bytes .. '\0'), 'r')
end

--- ASCII form with ';' for newline, as in the descriptions of the format.
function M.ascii(object)
   return (torch.serialize(object, 'ascii'):gsub('\n', ';'))
end

function M.fromAscii(text)
   return torch.deserialize(text:gsub(';', '\n'), 'ascii')
end

function M.copyOf(object, mode)
   return torch.deserialize(torch.serialize(object, mode), mode)
end

--- The message of the error that f(...) must raise.
function M.messageOf(f, ...)
   local ok, message = pcall(f, ...)
   assert.is_false(ok)
   assert.equal('string', type(message))
   return message
end

-- Pieces of binary .t7 files.

function M.int(n)
   n = n % 2 ^ 32
   return string.char(n % 256, math.floor(n / 256) % 256, math.floor(n / 65536) % 256,
      math.floor(n / 16777216))
end

function M.long(n)
   local low = n % 2 ^ 32
   return M.int(low) .. M.int((n - low) / 2 ^ 32)
end

function M.text(s)
   return M.int(#s) .. s
end

--- A tensor as object 1; `storage` is the bytes of an object.
function M.tensorBytes(name, sizes, strides, offset, storage)
   local parts = {
      M.int(4), M.int(1), M.text 'V 1', M.text('torch.' .. name .. 'Tensor'), M.int(#sizes),
   }
   for _, list in ipairs { sizes, strides } do
      for _, n in ipairs(list) do
         parts[#parts + 1] = M.long(n)
      end
   end
   return table.concat(parts) .. M.long(offset) .. storage
end

--- A storage as object 2; `elements` are bytes, whatever `count` says.
function M.storageBytes(name, count, elements)
   return M.int(4) .. M.int(2) .. M.text 'V 1' .. M.text('torch.' .. name .. 'Storage')
      .. M.long(count) .. elements
end

--- Run f without what it prints on stderr, which is returned.
function M.quietly(f, ...)
   local stderr, printed = io.stderr, {}
   rawset(io, 'stderr', { write = function(_, s)
      printed[#printed + 1] = s
   end })
   local results = { pcall(f, ...) }
   rawset(io, 'stderr', stderr)
   assert(results[1], results[2])
   return table.concat(printed), unpack(results, 2, table.maxn(results))
end

local classes = {}

--- A class of the tests, registered once even when several spec files ask for it.
-- @return class metatable and constructor
function M.testClass(name, parent)
   if not class.getmetatable('t7test.' .. name) then
      torch.class('t7test.' .. name, parent, classes)
   end
   return class.getmetatable('t7test.' .. name), class.getconstructortable('t7test.' .. name)
end

M.testClass 'Point' -- stored as a table of its fields

-- Writes its list of values itself.
local List = M.testClass 'List'
function List:write(file)
   file:writeInt(#self.values)
   for _, value in ipairs(self.values) do
      file:writeObject(value)
   end
end
function List:read(file, version)
   self.version = version
   self.values = {}
   for i = 1, file:readInt() do
      self.values[i] = file:readObject()
   end
end

--- An instance of t7test.List.
function M.list(...)
   local object = class.factory 't7test.List'()
   object.values = { ... }
   return object
end

return M
