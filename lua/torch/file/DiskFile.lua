--- torch.DiskFile: a file on disk, or a device.
-- @module torch.DiskFile
local ffi = require 'ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local reasons = require 'torch.io.reasons'
local stdio = require 'torch.io.stdio'
require 'torch.file.File'

local DiskFile

local function instance()
   return setmetatable({}, DiskFile)
end

--- Open a file.
-- @param name string
-- @param[opt='r'] mode string: 'r' read; 'w' write, emptied first; 'rw' both, made when missing
-- @param[opt=false] quiet boolean: failures set hasError() instead of raising
-- @return torch.DiskFile; nothing when it cannot be opened and quiet is true
-- @raise "torch.DiskFile: cannot open <x.t7> in mode r  (No such file or directory; check the
-- name; it is looked for in /home/me)"
local function open(name, mode, quiet)
   mode = mode or 'r'
   if type(name) ~= 'string' then
      errors.raise(('torch.DiskFile: expected a file name, got %s'):format(class.type(name)))
   elseif mode ~= 'r' and mode ~= 'w' and mode ~= 'rw' then
      errors.raise(("torch.DiskFile: expected mode 'r', 'w' or 'rw', got '%s'"):format(
         tostring(mode)))
   end
   local stream, reason = stdio.open(name, mode)
   if stream then
      return DiskFile.on(stream, name, mode, quiet)
   elseif not quiet then
      reasons.cannotOpen('torch.DiskFile', name, mode, reason)
   end
end

DiskFile = class.newmetatable('torch.DiskFile', 'torch.File', open)

--- A file over a stream of torch.io.stdio that is open already.
-- @param stream the stream
-- @string name for messages
-- @string mode 'r', 'w' or 'rw'
-- @bool[opt=false] quiet note errors instead of raising them
function DiskFile.on(stream, name, mode, quiet)
   local self = instance():setup(stream, ("'%s'"):format(name), mode, quiet)
   self.name_ = name
   return self
end

local littleEndian = ffi.abi 'le'

--- Whether this machine stores the lowest byte of a number first.
function DiskFile.isLittleEndianCPU()
   return littleEndian
end

--- Whether this machine stores the highest byte of a number first.
function DiskFile.isBigEndianCPU()
   return not littleEndian
end

--- Binary numbers have this machine's byte order (the default).
-- @return self
function DiskFile:nativeEndianEncoding()
   return self:swapBytes(false)
end

--- Binary numbers have their lowest byte first.
-- @return self
function DiskFile:littleEndianEncoding()
   return self:swapBytes(not littleEndian)
end

--- Binary numbers have their highest byte first.
-- @return self
function DiskFile:bigEndianEncoding()
   return self:swapBytes(littleEndian)
end

--- Hand each write to the operating system at once.
function DiskFile:noBuffer()
   self:synchronize()
   self.stream_.unbuffered = true
   return self
end

function DiskFile:__tostring__()
   return ('%s on <%s> [status: %s -- mode %s]'):format(
      class.typename(self), self.name_ or '', self:status())
end

return DiskFile
