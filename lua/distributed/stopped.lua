--- Processes that somebody has stopped (SIGSTOP, a debugger that has gone). At the end of a run one
-- of them would keep mpirun waiting for ever, since no other rank waits for it any more.
-- @module distributed.stopped

local lfs = require 'lfs'

local M = {}

local function read(path, ...)
   local file = io.open(path:format(...))
   local text = file and file:read '*a'
   if file then
      file:close()
   end
   return text or ''
end

-- The kernel has a process's children by its threads.
local function children(pid)
   local list, tasks = {}, ('/proc/%d/task'):format(pid)
   if not lfs.attributes(tasks, 'mode') then
      return list
   end
   for thread in lfs.dir(tasks) do
      for child in read('%s/%s/children', tasks, thread):gmatch '%d+' do
         list[#list + 1] = tonumber(child)
      end
   end
   return list
end

-- T: stopped. One that is traced (t) is in somebody's hands.
local function is_stopped(pid)
   return read('/proc/%d/stat', pid):match '.*%) (%a)' == 'T'
end

--- The rank of a process that mpirun has started, as a text; nil where it is none.
function M.rank(pid)
   local number = read('/proc/%d/environ', pid):match '%f[%w]OMPI_COMM_WORLD_RANK=(%d+)'
   return number and 'rank ' .. number + 1
end

--- Look at the children of a process. They have to be found stopped by so many looks one after the
-- other; a caller that is stopped itself, as by Ctrl-Z, takes none meanwhile.
-- @int pid
-- @tab counts by pid, in how many looks so far each was stopped; begins empty
-- @int looks
-- @return list of the pids of those that were stopped in so many
function M.look(pid, counts, looks)
   local seen, found = {}, {}
   for _, child in ipairs(children(pid)) do
      if is_stopped(child) then
         seen[child] = (counts[child] or 0) + 1
         if seen[child] == looks then
            found[#found + 1] = child
         end
      end
   end
   for child in pairs(counts) do
      counts[child] = nil
   end
   for child, count in pairs(seen) do
      counts[child] = count
   end
   return found
end

return M
