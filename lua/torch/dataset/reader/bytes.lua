--- Files read from front to end, packed by gzip or not.
-- @module torch.dataset.reader.bytes
local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'

local Bytes = {}
Bytes.__index = Bytes

local M = {}

local MOST_PACKED = 1032 -- bytes that deflate makes of one
local SMALL = 2 ^ 20 -- bytes

local function quoted(path)
   return "'" .. path:gsub("'", "'\\''") .. "'"
end

--- Open a file; one whose name ends in .gz is unpacked on the way. The field `size` is that of the
-- file as it lies there.
-- @string operation for messages
-- @string path
-- @raise "dataset.readIdx: cannot open x-ubyte: No such file or directory"
function M.open(operation, path)
   if type(path) ~= 'string' then
      errors.raise(('%s: wanted the name of a file, got %s'):format(operation,
         options.describe(path)))
   end
   local probe, reason = io.open(path, 'rb')
   if not probe then
      errors.raise(('%s: cannot open %s'):format(operation, reason))
   end
   local size = probe:seek 'end' or math.huge
   probe:close()
   -- Quiet, so that a short file shows as a short read.
   local file
   local most = size
   if path:match '%.gz$' then
      most = size * MOST_PACKED
      file = torch.PipeFile('gzip -dc ' .. quoted(path) .. ' 2>/dev/null', 'r')
   else
      file = torch.DiskFile(path, 'r')
   end
   return setmetatable({ file = file:binary():quiet(), operation = operation, path = path,
      size = size, most = most }, Bytes)
end

--- Close the file and raise an error that names it.
function Bytes:fail(message, ...)
   self:close()
   errors.raise(('%s: %s: %s'):format(self.operation, self.path, message:format(...)))
end

--- The next bytes.
-- @number count
-- @string what they are, for messages
-- @return ByteStorage
function Bytes:read(count, what)
   if count > math.max(self.most, SMALL) then -- before memory is taken
      self:fail('its header says that its %s has %.0f bytes, which a file of its size cannot hold: '
         .. 'it is truncated or damaged', what, count)
   end
   local bytes = self.file:readByte(count)
   if bytes:size() < count then
      self:fail('the file is truncated or damaged: its %s has %d bytes instead of %d. Get it again',
         what, bytes:size(), count)
   end
   return bytes
end

--- Raise if there is more.
function Bytes:finish(what)
   if self.file:readByte(1):size() > 0 then
      self:fail('there are bytes after its %s: it is not what its header says', what)
   end
   self:close()
end

--- Close the file.
function Bytes:close()
   if self.file then
      self.file:close()
      self.file = nil
   end
end

--- A whole file as a string.
-- @string operation for messages
-- @string path
-- @raise "dataset.readCsv: cannot read x.csv: No such file or directory"
function M.text(operation, path)
   local file, reason = io.open(path, 'rb')
   local text
   if file then
      text, reason = file:read '*a'
      file:close()
   end
   if not text then
      errors.raise(('%s: cannot read %s'):format(operation, reason))
   end
   return text
end

--- The first of some files that exists.
-- @tparam table paths
-- @return path, or the first one's if there is none
function M.find(paths)
   for _, path in ipairs(paths) do
      local file = io.open(path, 'rb')
      if file then
         file:close()
         return path
      end
   end
   return paths[1]
end

return M
