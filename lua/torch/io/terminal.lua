--- Is a file a terminal?
-- @module torch.io.terminal
local ffi = require 'ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local stdio = require 'torch.io.stdio'

ffi.cdef 'int torch_isatty(int fd) __asm__("isatty");'

local M = {}

--- Whether a file shows on a terminal.
-- @param file one of Lua's files (io.stdout), or an open torch.DiskFile or torch.PipeFile
-- @return boolean
function M.isatty(file)
   local fd
   if io.type(file) == 'file' then
      fd = ffi.C.torch_fileno(file) -- FFI takes Lua's files as C's
   elseif class.isTypeOf(file, 'torch.File') and getmetatable(file.stream_) == stdio then
      fd = file.stream_.fd
   elseif not (io.type(file) or class.isTypeOf(file, 'torch.File')) then
      errors.raise(('torch.isatty: expected a file, got %s'):format(class.type(file)))
   end
   return fd ~= nil and ffi.C.torch_isatty(fd) ~= 0
end

return M
