--- Bytes that a picture is read from: a file's, or a tensor's.
-- @module image.files.source
local ffi = require 'ffi'
local torch = require 'torch'
local errors = require 'torch.errors'
local output = require 'torch.io.output'
local th = require 'torch.ffi'
local native = require 'image.native'

local raise = errors.raise

local M = {}

--- The bytes of a file.
-- @return table: name (of function and file, for messages), data (const uint8_t *), size, anchor
function M.file(name, path)
   if type(path) ~= 'string' then
      raise(('%s: wanted the name of a file, got %s'):format(name, native.describe(path)))
   end
   local file, problem = io.open(path, 'rb')
   local bytes
   if file then
      bytes, problem = file:read '*a'
      file:close()
   end
   if not bytes then
      raise(('%s: %s'):format(name, problem:find(path, 1, true) and problem
         or ('%s: %s'):format(path, problem)))
   end
   if bytes == '' then
      raise(("%s: '%s': the file is empty: what wrote it was stopped"):format(name, path))
   end
   return { name = ("%s: '%s'"):format(name, path), data = ffi.cast('const uint8_t *', bytes),
      size = #bytes, anchor = bytes, path = path }
end

--- The bytes of a ByteTensor.
function M.tensor(name, tensor)
   if not th.isTensor(tensor) or torch.type(tensor) ~= 'torch.ByteTensor' or tensor:dim() == 0 then
      raise(('%s: wanted the bytes of a file as a ByteTensor, got %s'):format(name,
         native.describe(tensor)))
   end
   local bytes = tensor:contiguous()
   return { name = name, data = ffi.cast('const uint8_t *', bytes:data()),
      size = bytes:nElement(), anchor = bytes }
end

--- Whether the bytes begin so.
function M.begins(source, prefix)
   return source.size >= #prefix and ffi.string(source.data, #prefix) == prefix
end

--- Raise with the source's name.
function M.fail(source, format, ...)
   raise(('%s: %s'):format(source.name, format:format(...)))
end

--- Raise where a file says that it has more pixels than a file of its size can have, or than
-- image.maxPixels allows.
-- @param most pixels that the bytes can stand for, at most
function M.checkPixels(source, width, height, most)
   local pixels, allowed = width * height, require('image').maxPixels
   if width < 1 or height < 1 then
      M.fail(source, 'the picture is %d x %d pixels', width, height)
   elseif pixels > most then
      M.fail(source, 'says that it has %d x %d pixels (width x height), which its %d bytes '
         .. 'cannot hold: it is damaged', width, height, source.size)
   elseif pixels > allowed then
      M.fail(source, 'has %d x %d pixels (width x height), more than image.maxPixels (%.0f) '
         .. 'allows; set that to read it', width, height, allowed)
   end
end

--- Write bytes to a file. What was there before stays unless everything could be written.
-- @param bytes ByteTensor, compact
function M.write(name, path, bytes)
   if type(path) ~= 'string' then
      raise(('%s: wanted the name of a file, got %s'):format(name, native.describe(path)))
   end
   output.write(name, path, function(stream)
      stream:write(ffi.cast('const uint8_t *', bytes:data()), bytes:nElement())
   end)
end

return M
