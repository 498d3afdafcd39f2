local ffi = require 'ffi'
local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'
local common = require 'torch.dataset.set.common'

--- The lines of a text file, as strings without their ends (LF or CRLF). The file is mapped into
-- memory: only where lines begin is kept, and workers share that.
-- @string path
-- @param[opt] load function(line, i) -> sample
-- @usage dataset.Lines(path [, load])
-- @type dataset.Lines
local Lines = torch.class('dataset.Lines', require 'torch.dataset.module')

local NAME = 'dataset.Lines'
local LF, CR = 10, 13

-- Where lines begin, from 0, and where the last one ends; in parts, as their number is not known.
local function offsets(data, size)
   local count = 0
   for i = 0, size - 1 do
      if data[i] == LF then
         count = count + 1
      end
   end
   if size > 0 and data[size - 1] ~= LF then
      count = count + 1
   end
   local starts = torch.LongTensor(count + 1)
   local p, line = starts:data(), 0
   p[0] = 0
   for i = 0, size - 1 do
      if data[i] == LF then
         line = line + 1
         p[line] = i + 1
      end
   end
   if line < count then
      p[count] = size + 1 -- as if the last line had its end
   end
   return starts
end

function Lines:__init(path, load)
   options.value(NAME, 'the file', path, 'text')
   if load ~= nil then
      options.value(NAME, 'load', load, 'call')
   end
   local ok, bytes = pcall(torch.ByteStorage, path, false)
   if not ok then
      errors.raise(('%s: %s'):format(NAME, tostring(bytes):gsub('^.-Storage: ', '')))
   end
   self.bytes, self.load = bytes, load
   self.starts = offsets(bytes:data(), bytes:size())
end

--- Number of lines.
function Lines:size()
   return self.starts:size(1) - 1
end

--- A line, or what `load` makes of it.
function Lines:get(i)
   common.checkIndex(NAME, i, self:size())
   local from, to = self.starts[i], self.starts[i + 1] - 1
   local data = self.bytes:data()
   if to > from and data[to - 1] == CR then
      to = to - 1
   end
   local line = ffi.string(data + from, to - from)
   if self.load then
      return self.load(line, i)
   end
   return line
end

return Lines
