--- torch.PipeFile: the output of a shell command, or its input.
-- @module torch.PipeFile
local class = require 'torch.class'
local errors = require 'torch.errors'
local reasons = require 'torch.io.reasons'
local stdio = require 'torch.io.stdio'
require 'torch.file.DiskFile'

local PipeFile

local function instance()
   return setmetatable({}, PipeFile)
end

--- Start a command.
-- @param command string, given to /bin/sh
-- @param[opt='r'] mode string: 'r' reads what it prints, 'w' writes what it reads
-- @param[opt=false] quiet boolean: failures set hasError() instead of raising
-- @return torch.PipeFile; nothing when the shell cannot be started and quiet is true
-- @raise "torch.PipeFile: cannot open <sort> in mode r  (Too many open files; close files ...)"
local function open(command, mode, quiet)
   mode = mode or 'r'
   if type(command) ~= 'string' then
      errors.raise(('torch.PipeFile: expected a command, got %s'):format(class.type(command)))
   elseif mode ~= 'r' and mode ~= 'w' then
      errors.raise(("torch.PipeFile: expected mode 'r' or 'w', got '%s'"):format(tostring(mode)))
   end
   local stream, reason = stdio.popen(command, mode)
   if not stream then
      if quiet then
         return
      end
      reasons.cannotOpen('torch.PipeFile', command, mode, reason)
   end
   local self = instance():setup(stream, ("the pipe '%s'"):format(command), mode, quiet)
   self.name_ = command
   return self
end

PipeFile = class.newmetatable('torch.PipeFile', 'torch.DiskFile', open)

function PipeFile:__tostring__()
   return ('torch.PipeFile on <%s> [status: %s -- mode %s]'):format(self.name_ or '', self:status())
end

return PipeFile
