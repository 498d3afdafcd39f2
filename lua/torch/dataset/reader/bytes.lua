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
-- What is unpacked ends with a point where gzip has found its checksum right: it prints damaged
-- bytes like any others. It says 1 of these, and 2 of a file that is whole and has more behind it.
local UNPACK = "gzip -dc %s 2>/dev/null; [ $? = 1 ] || printf ."

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
   local most, packed = size, path:match '%.gz$' ~= nil
   if packed then
      most = size * MOST_PACKED
      file = torch.PipeFile(UNPACK:format(quoted(path)), 'r')
   else
      file = torch.DiskFile(path, 'r')
   end
   return setmetatable({ file = file:binary():quiet(), operation = operation, path = path,
      size = size, most = most, packed = packed }, Bytes)
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

--- Raise if there is more, or if what has been unpacked is damaged.
function Bytes:finish(what)
   local rest, wanted = self.file:readByte(2):size(), self.packed and 1 or 0
   if rest > wanted then
      self:fail('there are bytes after its %s: it is not what its header says', what)
   elseif rest < wanted then
      self:fail('the file is truncated or damaged: gzip cannot unpack it, or its checksum is '
         .. 'wrong. Get it again')
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
   if not file then
      errors.raise(('%s: cannot read %s'):format(operation, reason))
   end
   local text
   text, reason = file:read '*a'
   file:close()
   if not text then -- of a folder, say
      errors.raise(('%s: cannot read %s: %s'):format(operation, path, reason))
   end
   return text
end

--- The first of some files that exists.
-- @string operation for messages
-- @tparam table paths
-- @string sources where such files come from
-- @return path
-- @raise "dataset.Mnist: there is no x-ubyte.gz and no x-ubyte; nothing is downloaded: ..."
function M.find(operation, paths, sources)
   for _, path in ipairs(paths) do
      local file = io.open(path, 'rb')
      if file then
         file:close()
         return path
      end
   end
   errors.raise(('%s: there is no %s; nothing is downloaded: %s'):format(operation,
      table.concat(paths, ' and no '), sources))
end

return M
