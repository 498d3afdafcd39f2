--- Files that are there whole or not at all, whatever happens to the process or the machine.
--
-- What is written goes to a file beside the final one, is synced to the disk, takes the name over
-- by a rename, and the folder is synced, too: until the rename the former file is what the name
-- means, afterwards the new one is, and neither a full disk nor a power cut leaves half of one.
-- @module torch.train.checkpoint.atomic

local lfs = require 'lfs'
local raise = require('torch.errors').raise
local replace = require 'torch.io.replace'
local serialize = require 'torch.serialize'

local M = {}

local function fail(operation, path, reason)
   raise(("%s: '%s': %s; the former file is as it was"):format(operation, path, reason))
end

--- Write an object, as torch.save does.
-- @string operation for messages
-- @string path
-- @param object
-- @raise "... write error: No space left on device; the former file is as it was"
function M.save(operation, path, object)
   local ok, message = pcall(serialize.store, path, object, nil, nil, true)
   if not ok then
      fail(operation, path, (tostring(message):gsub('^[^:]*:%d+: ', '')
         :gsub("^torch%.save: '.-': ", '')))
   end
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
   local ok, reason = true, nil
   if not lfs.link(from, aside) then
      ok, reason = pcall(copy, from, aside)
   end
   if ok then
      ok, reason = replace.rename(aside, path, true)
   end
   if not ok then
      os.remove(aside)
      fail(operation, path, reason)
   end
end

return M
