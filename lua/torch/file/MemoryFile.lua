--- torch.MemoryFile: a file in a CharStorage, which it grows as needed.
-- @module torch.MemoryFile
local class = require 'torch.class'
local errors = require 'torch.errors'
local memory = require 'torch.io.memory'
require 'torch.file.File'

local LABEL = 'the torch.MemoryFile'

local MemoryFile

local function instance()
   return setmetatable({}, MemoryFile)
end

local function charStorage(...)
   return class.getconstructortable 'torch.CharStorage'(...)
end

--- Open a file in memory: torch.MemoryFile([mode]) or torch.MemoryFile(storage [, mode]).
-- @param[opt] storage torch.CharStorage: the content, and a NUL as its last character. The file
-- works in it, not in a copy.
-- @param[opt='rw'] mode string: 'r', 'w' (emptied first) or 'rw'
local function open(storage, mode, quiet)
   if type(storage) == 'string' or storage == nil then
      if mode ~= nil and storage ~= nil then
         quiet = mode
      end
      storage, mode = nil, storage or mode
   end
   mode = mode or 'rw'
   if mode ~= 'r' and mode ~= 'w' and mode ~= 'rw' then
      errors.raise(("torch.MemoryFile: expected mode 'r', 'w' or 'rw', got '%s'"):format(
         tostring(mode)))
   end
   local size = 0
   if storage then
      if class.typename(storage) ~= 'torch.CharStorage' then
         errors.raise(('torch.MemoryFile: expected a torch.CharStorage, got %s'):format(
            class.type(storage)))
      elseif #storage == 0 or storage[#storage] ~= 0 then
         errors.raise('torch.MemoryFile: provided CharStorage must be terminated by 0 (the content '
            .. 'ends before its last character, which is a NUL)')
      end
      size = mode == 'w' and 0 or #storage - 1
   end
   local stream = memory.overStorage(storage or charStorage(0), size, mode ~= 'r')
   return instance():setup(stream, LABEL, mode, quiet)
end

MemoryFile = class.newmetatable('torch.MemoryFile', 'torch.File', open)

--- A file that reads a string, or a CharStorage without a NUL at its end, without copying it.
-- @param content string or torch.CharStorage
function MemoryFile.over(content)
   local stream
   if type(content) == 'string' then
      stream = memory.overString(content)
   else
      stream = memory.overStorage(content, #content, false)
   end
   return instance():setup(stream, LABEL, 'r')
end

--- The content and a NUL after it: the storage the file works in, not a copy.
function MemoryFile:storage()
   if not self.stream_ then
      errors.raise(('attempt to use a closed file: %s'):format(LABEL))
   end
   self.stream_:refresh()
   local storage = self.stream_:content()
   if not storage then -- the file reads a string
      storage = charStorage():string(self.stream_:string() .. '\0')
   end
   return storage
end

--- The content as a string.
-- @example
-- local file = torch.MemoryFile('w'):binary()
-- file:writeInt(65) --> 1
-- #file:string() --> 4
function MemoryFile:string()
   if not self.stream_ then
      errors.raise(('attempt to use a closed file: %s'):format(LABEL))
   end
   self.stream_:refresh()
   return self.stream_:string()
end

function MemoryFile:__tostring__()
   return ('torch.MemoryFile [status: %s -- mode: %s]'):format(self:status())
end

return MemoryFile
