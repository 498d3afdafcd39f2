--- Why a file could not be opened, read or written, and what helps.
-- @module torch.io.reasons
local ffi = require 'ffi'
local lfs = require 'lfs'
local errors = require 'torch.errors'

ffi.cdef 'const char *torch_strerror(int code) __asm__("strerror");'

local M = {}

-- Numbers of <errno.h> on Linux.
local ENOENT, ENOTDIR = 2, 20

local writeElsewhere = 'free some space there, or write elsewhere'
local permissions = 'change its permissions (see ls -l), or use another place'
local tooMany = 'close files that are no longer needed, or raise the limit (ulimit -n)'

local remedies = {
   [1] = permissions, -- EPERM
   [5] = 'the device fails; try another one', -- EIO
   [13] = permissions, -- EACCES
   [21] = 'name a file in that directory', -- EISDIR
   [23] = tooMany, -- ENFILE
   [24] = tooMany, -- EMFILE
   [26] = 'wait until the program has ended, or use another name', -- ETXTBSY
   [27] = 'files cannot be that long here (see ulimit -f)', -- EFBIG
   [28] = writeElsewhere, -- ENOSPC
   [30] = 'write elsewhere', -- EROFS
   [32] = 'the command does not read any more; its own messages may say why', -- EPIPE
   [36] = 'use a shorter name', -- ENAMETOOLONG
   [122] = writeElsewhere, -- EDQUOT
}

--- An error's number as text, with what helps: "No space left on device; free some space there, or
-- write elsewhere".
-- @int code
-- @param[opt] path string: the file that was to be opened
function M.of(code, path)
   local reason = ffi.string(ffi.C.torch_strerror(code))
   local remedy = remedies[code]
   if path and (code == ENOENT or code == ENOTDIR) then
      local directory = path:match '^(.*)/[^/]*$'
      if directory and directory ~= '' and lfs.attributes(directory, 'mode') ~= 'directory' then
         remedy = ('there is no directory %s: make it first'):format(directory)
      elseif path == '' then
         remedy = 'the name is empty'
      elseif path:sub(1, 1) ~= '/' then
         remedy = ('check the name; it is looked for in %s'):format(lfs.currentdir() or '.')
      else
         remedy = 'check the name'
      end
   end
   return remedy and ('%s; %s'):format(reason, remedy) or reason
end

--- The same of the last C call.
function M.last(path)
   return M.of(ffi.errno(), path)
end

local shownModes = { r = 'r ', w = ' w', rw = 'rw' }

--- Raise at the user's line that a file cannot be opened, in Torch7's words.
-- @param operation string: 'torch.load', ...
-- @param reason string, as `last` gives it
function M.cannotOpen(operation, name, mode, reason)
   errors.raise(('%s: cannot open <%s> in mode %s (%s)'):format(
      operation, name, shownModes[mode], reason))
end

return M
