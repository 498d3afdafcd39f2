--- Write a file such that its former content stays until the new one is complete.
--
-- The bytes go to a new file in the same directory, which takes the name over at the end;
-- permissions and symbolic links are kept. What cannot be replaced is written in place: devices and
-- pipes, files with several hard links or of another owner, and files in directories that take no
-- new ones. A crash of the system shortly after may still lose both on file systems that delay the
-- data; a file that is to be `durable` is synced, and never written in place.
-- @module torch.io.replace
local ffi = require 'ffi'
local lfs = require 'lfs'
local reasons = require 'torch.io.reasons'
local stdio = require 'torch.io.stdio'

ffi.cdef [[
char *torch_realpath(const char *path, char *resolved) __asm__("realpath");
void torch_free(void *memory) __asm__("free");
int torch_chmod(const char *path, uint32_t mode) __asm__("chmod");
int torch_access(const char *path, int mode) __asm__("access");
uint32_t torch_geteuid(void) __asm__("geteuid");
int torch_getpid(void) __asm__("getpid");
int torch_open(const char *path, int flags, ...) __asm__("open");
int torch_fsync(int fd) __asm__("fsync");
int torch_close(int fd) __asm__("close");
]]

local C = ffi.C
local WRITABLE = 2 -- W_OK of <unistd.h>
local ATTEMPTS = 100
local READ_ONLY, EINVAL = 0, 22

local M = {}

local function resolve(path)
   local resolved = C.torch_realpath(path, nil)
   if resolved == nil then
      return nil
   end
   local text = ffi.string(resolved)
   C.torch_free(resolved)
   return text
end

-- 'rwxr-x---' as a number.
local function modeNumber(permissions)
   local mode = 0
   for i = 1, 9 do
      mode = 2 * mode + (permissions:sub(i, i) == '-' and 0 or 1)
   end
   return mode
end

local function isDevice(path)
   return path:match '^/dev/' or path:match '^/proc/'
end

-- @return the path to replace, and its permissions if it exists; nil to write in place
local function target(path, durable)
   if isDevice(path) then
      return nil
   end
   local link = lfs.symlinkattributes(path)
   if not link then
      return path -- a new file
   end
   local real = resolve(path)
   local attributes = real and lfs.attributes(real)
   if not attributes or isDevice(real) or attributes.mode ~= 'file' then
      return nil
   elseif not durable and (attributes.nlink ~= 1 or attributes.uid ~= C.torch_geteuid()
      or C.torch_access(real, WRITABLE) ~= 0) then
      return nil
   end
   return real, modeNumber(attributes.permissions)
end

local counter = 0

local function temporary(path)
   local directory = path:match '^(.*/)[^/]*$' or ''
   for _ = 1, ATTEMPTS do
      counter = counter + 1
      local name = ('%s.torch-save-%d-%d'):format(directory, C.torch_getpid(), counter)
      local stream = stdio.create(name)
      if stream then
         return stream, name
      end
   end
   return nil
end

--- Have the disk take a file's bytes, or a folder's names. Some file systems cannot sync a folder,
-- and say EINVAL.
-- @return true, or nil and the reason
function M.sync(path)
   local fd = C.torch_open(path, READ_ONLY)
   local done = fd >= 0 and C.torch_fsync(fd) == 0
   local code = ffi.errno()
   if fd >= 0 then
      C.torch_close(fd)
   end
   if not done and code ~= EINVAL then
      return nil, ('cannot sync %s (errno %d)'):format(path, code)
   end
   return true
end

--- Rename a file; with `durable`, its bytes are on the disk before, its name afterwards.
-- @return true, or nil and the reason
function M.rename(from, to, durable)
   local ok, reason = true, nil
   if durable then
      ok, reason = M.sync(from)
   end
   if ok then
      ok, reason = os.rename(from, to)
   end
   if ok and durable then
      ok, reason = M.sync(to:match '^(.*)/[^/]*$' or '.')
   end
   return ok, reason
end

--- Open a file for writing.
-- @param path string
-- @bool[opt=false] durable whether the new one is synced before it takes the name over, which it
-- then always does: links of the former file keep what that has
-- @return stream (torch.io.stdio) and a function: finish(keep) is called once, after the stream was
-- closed. With keep it puts the file in its place and returns true, or false and the reason;
-- without, the former file stays. Or nil and the reason.
function M.open(path, durable)
   local real, mode = target(path, durable)
   local stream, name
   if real then
      stream, name = temporary(real)
   end
   if not stream then
      local reason
      if real and durable then
         return nil, reasons.last(path)
      end
      stream, reason = stdio.open(path, 'w')
      return stream, stream and function()
         return true
      end or reason
   end
   if mode then -- at once: whom the former file was kept from shall not read this one meanwhile
      C.torch_chmod(name, mode)
   end
   return stream, function(keep)
      local ok, reason = true, nil
      if keep then
         ok, reason = M.rename(name, real, durable)
      end
      if not keep or not ok then
         os.remove(name)
      end
      return ok and true or false, reason
   end
end

return M
