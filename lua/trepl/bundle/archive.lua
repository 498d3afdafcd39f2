--- Writes bundles: the launcher, the files behind it. lib/bundle/archive.h tells how they lie.
-- @module trepl.bundle.archive
local ffi = require 'ffi'
local bytes = require 'torch.io.little_endian'
local zlib = require 'torch.io.zlib'

local M = {}

ffi.cdef 'int torch_bundle_chmod(const char *path, unsigned mode) __asm__("chmod");'

local LEVEL = 6 -- deflate's own: 9 takes three times as long for a hundredth less
local PIECE = 2 ^ 20
local MAGIC = 'THBUNDL1'
local EVERYBODY_RUNS = tonumber('755', 8)

local function crc(text)
   return zlib.crc('th --bundle', 0, text, #text)
end

-- f(piece) for all bytes of a file.
local function read(path, f)
   local file, reason = io.open(path, 'rb')
   if not file then
      error(reason, 0)
   end
   while true do
      local piece, failure = file:read(PIECE)
      if not piece then
         file:close()
         if failure then
            error(path .. ': ' .. failure, 0)
         end
         return
      end
      f(piece)
   end
end

local function write_all(out, launcher, files)
   local at = 0
   local function put(text)
      local ok, reason = out:write(text)
      if not ok then
         error(reason, 0)
      end
      at = at + #text
   end

   read(launcher, put)
   local stream, index = at, {}
   local pack = zlib.deflater('th --bundle', LEVEL, function(data, n)
      put(ffi.string(data, n))
   end)
   for _, file in ipairs(files) do
      local size, sum = 0, 0
      local function take(piece)
         size, sum = size + #piece, zlib.crc('th --bundle', sum, piece, #piece)
         pack(piece, #piece)
      end
      if file.text then
         take(file.text)
      else
         read(file.from, take)
      end
      index[#index + 1] = bytes(size, 8) .. bytes(sum, 4) .. bytes(file.executable and 1 or 0, 2)
         .. bytes(#file.name, 2) .. file.name
   end
   pack(nil)

   index = table.concat(index)
   local trailer = bytes(stream, 8) .. bytes(at - stream, 8) .. bytes(#index, 8)
      .. bytes(crc(index), 4)
   put(index)
   put(trailer .. bytes(crc(trailer), 4) .. MAGIC)
   return at
end

--- Write an executable; a file of that name is replaced when the new one is complete.
-- @param path string
-- @param launcher string: path of the program before the archive
-- @param files list of { name = within the folder, from = path, or text = bytes, executable }
-- @return its size in bytes
function M.write(path, launcher, files)
   local part = path .. '.part'
   local out, reason = io.open(part, 'wb')
   if not out then
      error(reason, 0)
   end
   local ok, size = pcall(write_all, out, launcher, files)
   local closed, failure = out:close()
   if ok and not closed then
      ok, size = false, failure
   elseif ok and ffi.C.torch_bundle_chmod(part, EVERYBODY_RUNS) ~= 0 then
      ok, size = false, part .. ': cannot be made executable'
   elseif ok then
      ok, failure = os.rename(part, path)
      size = ok and size or failure
   end
   if not ok then
      os.remove(part)
      error(('%s cannot be written: %s'):format(path, size), 0)
   end
   return size
end

return M
