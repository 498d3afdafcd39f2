--- A model's file, and the files beside it that hold its data.
-- @module onnx.import.file
local ffi = require 'ffi'
local lfs = require 'lfs'

local M = {}

--- All bytes of a file; raises without a place.
function M.read(path)
   if lfs.attributes(path, 'mode') == 'directory' then
      error(("'%s' is a folder"):format(path), 0)
   end
   local file, why = io.open(path, 'rb')
   if not file then
      error(('cannot open %s'):format(why), 0)
   end
   local text = file:read '*a'
   file:close()
   if not text then
      error(("'%s' cannot be read"):format(path), 0)
   end
   return text
end

local function fail(location, text, ...)
   error(("data in '%s' %s"):format(location, text:format(...)), 0)
end

-- Every part of a path below the folder must be a plain name, and no link leads out of it.
local function check_location(folder, location)
   if location == '' or location:sub(1, 1) == '/' or location:find('\\', 1, true)
      or location:find('%z') then
      fail(location, 'is not beside the model: only relative paths are followed')
   end
   local path = folder
   for part in location:gmatch '[^/]+' do
      if part == '..' then
         fail(location, 'is outside of the folder of the model')
      end
      path = part == '.' and path or path .. '/' .. part
      if lfs.symlinkattributes(path, 'mode') == 'link' then
         fail(location, 'is reached by a link, which is not followed')
      end
   end
   return path
end

-- How often all bytes of a file may be read: some write what they share once, and read it for each.
local TIMES = 4

--- A reader of the data that a tensor says to be in another file, below the model's folder.
-- @string path of the model
-- @return function(proto, bytes) that gives { data, size }
function M.external(path)
   local folder, left = path:match '^(.*)/[^/]*$' or '.', {}
   return function(proto, bytes)
      local entries = {}
      for _, entry in ipairs(proto.external_data or {}) do
         entries[entry.key or ''] = entry.value or ''
      end
      local location = entries.location or ''
      local whole = check_location(folder, location)
      local offset = tonumber(entries.offset or '0') or -1
      local length = tonumber(entries.length or bytes) or -1
      local size = lfs.attributes(whole, 'size')
      if not size or lfs.attributes(whole, 'mode') ~= 'file' then
         fail(location, 'are not there')
      elseif offset < 0 or offset % 1 ~= 0 or length ~= bytes or offset + length > size then
         fail(location, 'are %g bytes at %g of %g, the tensor wants %g', length, offset, size,
            bytes)
      end
      left[whole] = (left[whole] or TIMES * size) - length
      if left[whole] < 0 then
         fail(location, 'are read more than %d times over', TIMES)
      end
      local file = assert(io.open(whole, 'rb'))
      file:seek('set', offset)
      local text = file:read(length)
      file:close()
      return { data = ffi.cast('const char *', text), size = #text, owner = text }
   end
end

return M
