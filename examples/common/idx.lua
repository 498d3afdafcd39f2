--- Reads the IDX files of the MNIST family, gzipped or not, into ByteTensors.
--
-- The format: two zero bytes, a type byte (8: unsigned bytes), the number of dimensions, each
-- size as four bytes, highest first; then the data in row-major order. Source: LeCun, Cortes and
-- Burges, "The MNIST database", section "File formats".

local torch = require 'torch'

local idx = {}

local function quoted(path)
   return "'" .. path:gsub("'", "'\\''") .. "'"
end

-- The file's bytes, unpacked on the way; quiet, so that a short file shows as a short read.
local function open(path)
   local file = io.open(path, 'rb')
   if not file then
      return nil
   end
   file:close()
   if path:match '%.gz$' then
      return torch.PipeFile('gzip -dc ' .. quoted(path) .. ' 2>/dev/null', 'r'):binary():quiet()
   end
   return torch.DiskFile(path, 'r'):binary():quiet()
end

local function read_bytes(file, count, path, what)
   local bytes = file:readByte(count)
   if bytes:size() < count then
      file:close()
      error(('%s is truncated: its %s has %d bytes instead of %d. Get it again'):format(
         path, what, bytes:size(), count), 0)
   end
   return bytes
end

--- Read a file of unsigned bytes.
-- @string path
-- @int dims the number of dimensions it must have
-- @treturn ByteTensor
-- @raise "… is missing", "… is truncated", "… is not an IDX file"
function idx.read(path, dims)
   local file = open(path)
   if not file then
      error(('%s is missing. On Debian: apt install dataset-fashion-mnist, or name another folder '
         .. 'with --data'):format(path), 0)
   end
   local magic = read_bytes(file, 4, path, 'header')
   if magic[1] ~= 0 or magic[2] ~= 0 or magic[3] ~= 8 or magic[4] ~= dims then
      file:close()
      error(('%s is not an IDX file of bytes with %d dimensions: it begins with %d %d %d %d, not '
         .. '0 0 8 %d'):format(path, dims, magic[1], magic[2], magic[3], magic[4], dims), 0)
   end
   local sizes, elements = {}, 1
   for d = 1, dims do
      local b = read_bytes(file, 4, path, 'header')
      sizes[d] = ((b[1] * 256 + b[2]) * 256 + b[3]) * 256 + b[4]
      elements = elements * sizes[d]
   end
   local data = read_bytes(file, elements, path, 'data')
   file:close()
   return torch.ByteTensor(data, 1, torch.LongStorage(sizes))
end

return idx
