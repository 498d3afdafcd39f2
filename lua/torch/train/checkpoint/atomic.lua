--- Files that are there whole or not at all, whatever happens to the process or the machine.
--
-- What is written goes to a file beside the final one, is synced to the disk, takes the name over
-- by a rename, and the folder is synced, too: until the rename the former file is what the name
-- means, afterwards the new one is, and neither a full disk nor a power cut leaves half of one.
-- @module torch.train.checkpoint.atomic

local ffi = require 'ffi'
local lfs = require 'lfs'
local torch = require 'torch'
local raise = require('torch.errors').raise

ffi.cdef [[
int train_open(const char *path, int flags, ...) __asm__("open");
int train_fsync(int fd) __asm__("fsync");
int train_close(int fd) __asm__("close");
]]

local C = ffi.C
local EINVAL = 22

local M = {}

-- Bytes and names that are on the disk. Some file systems cannot sync a folder, and say EINVAL.
local function sync(path)
   local fd = C.train_open(path, 0) -- O_RDONLY
   local done = fd >= 0 and C.train_fsync(fd) == 0
   local code = ffi.errno()
   if fd >= 0 then
      C.train_close(fd)
   end
   if not done and code ~= EINVAL then
      return nil, ('cannot sync %s (errno %d)'):format(path, code)
   end
   return true
end

local function folder_of(path)
   return path:match '^(.*)/[^/]*$' or '.'
end

-- Let `aside` take over the name `path`.
local function place(operation, aside, path)
   local ok, reason = sync(aside)
   if ok then
      ok, reason = os.rename(aside, path)
   end
   if ok then
      ok, reason = sync(folder_of(path))
   end
   if not ok then
      os.remove(aside)
      raise(("%s: '%s': %s; the former file is as it was"):format(operation, path, reason))
   end
end

--- Write an object, as torch.save does.
-- @string operation for messages
-- @string path
-- @param object
-- @raise "... write error: No space left on device; the former file is as it was"
function M.save(operation, path, object)
   local aside = path .. '.partial'
   local ok, message = pcall(torch.save, aside, object)
   if not ok then
      os.remove(aside)
      raise(("%s: '%s': %s; the former file is as it was"):format(operation, path,
         (tostring(message):gsub('^[^:]*:%d+: ', ''))))
   end
   place(operation, aside, path)
end

-- Where a file system has no links.
local function copy(from, to)
   local source, target = assert(io.open(from, 'rb')), assert(io.open(to, 'wb'))
   repeat
      local part = source:read(2 ^ 20)
      if part then
         assert(target:write(part))
      end
   until not part
   source:close()
   assert(target:close())
end

--- Give a file a second name, which another file may have had.
function M.link(operation, from, path)
   local aside = path .. '.partial'
   os.remove(aside)
   if not lfs.link(from, aside) then
      local ok, message = pcall(copy, from, aside)
      if not ok then
         os.remove(aside)
         raise(("%s: '%s': %s; the former file is as it was"):format(operation, path, message))
      end
   end
   place(operation, aside, path)
end

return M
