--- torch.DiskFile: a file on disk, or a device.
-- @module torch.DiskFile
local ffi = require 'ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local stdio = require 'torch.io.stdio'
require 'torch.File'

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
   return DiskFile.open('torch.DiskFile', name, mode, quiet)
end

DiskFile = class.newmetatable('torch.DiskFile', 'torch.File', open)

local shownModes = { r = 'r ', w = ' w', rw = 'rw' }

--- Raise that a file cannot be opened.
-- @param operation string, for the message
function DiskFile.cannotOpen(operation, name, mode, reason)
   errors.raise(('%s: cannot open <%s> in mode %s (%s)'):format(
      operation, name, shownModes[mode], reason))
end

--- Open a file for an operation, which messages name.
function DiskFile.open(operation, name, mode, quiet)
   local stream, reason = stdio.open(name, mode)
   if stream then
      return DiskFile.on(stream, name, mode, quiet)
   elseif not quiet then
      DiskFile.cannotOpen(operation, name, mode, reason)
   end
end

--- A file over a stream of torch.io.stdio that is open already.
function DiskFile.on(stream, name, mode, quiet)
   local self = instance():setup(stream, ("'%s'"):format(name), mode, quiet)
   self.name_ = name
   return self
end

local littleEndian = ffi.abi 'le'

function DiskFile.isLittleEndianCPU()
   return littleEndian
end

function DiskFile.isBigEndianCPU()
   return not littleEndian
end

function DiskFile:nativeEndianEncoding()
   return self:swapBytes(false)
end

function DiskFile:littleEndianEncoding()
   return self:swapBytes(not littleEndian)
end

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
