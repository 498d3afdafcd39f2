--- Files against dd, by turns.
--
-- Cached: a file may stay in the page cache; what is measured is the copying, as long as the kernel
-- lets a writer go ahead of the disk. BENCH_FILE_MIB (1024) is the size of the data,
-- BENCH_FILE_FOLDER (/tmp) where the files lie.
local torch = require 'torch'
local clock = require 'torch.clock'

local M = {}

--- Mebibytes of data.
M.mib = tonumber(os.getenv 'BENCH_FILE_MIB' or 1024)

local folder = os.getenv 'BENCH_FILE_FOLDER' or '/tmp'
local ROUNDS = 5

--- Run a command of the shell, formatted.
function M.shell(command, ...)
   command = command:format(...)
   assert(os.execute(command) == 0, command .. ' failed')
end

local function freeMiB()
   local pipe = io.popen(("df -Pm '%s'"):format(folder))
   local line = pipe:read '*a':match '\n(.*)'
   pipe:close()
   return tonumber(line:match '^%S+%s+%d+%s+%d+%s+(%d+)')
end

--- Names for our file and dd's, for which there is room.
function M.names(extension)
   assert(freeMiB() > 3 * M.mib, ('%s has less than %d MiB free'):format(folder, 3 * M.mib))
   local name = ('%s/torch-bench-%d'):format(folder, os.time())
   return name .. extension, name .. '.dd'
end

local function seconds(f)
   local start = clock.now()
   f()
   return clock.now() - start
end

--- Measure a case by turns with what dd takes for it, the best of several: what else the machine
-- does only adds. `prepare` is not measured.
function M.case(label, ours, theirs, body, peer, prepare)
   local times = { {}, {} }
   for round = 0, ROUNDS do -- the first one warms up
      for side, f in ipairs { body, peer } do
         collectgarbage()
         if prepare then
            prepare(side == 1 and ours or theirs)
         end
         times[side][round] = seconds(f)
      end
   end
   for side, suffix in ipairs { '', ' (dd itself)' } do
      table.sort(times[side])
      print(('%s of %d MiB, %s%s\t%d\t%.6g'):format(label:match '^[^,]+', M.mib,
         label:match ', (.*)', suffix, torch.getnumthreads(),
         times[side][1]))
   end
   io.stdout:flush()
end

--- Remove the files, and raise the error of body() if there was one.
function M.run(ours, theirs, body)
   local ok, message = pcall(body)
   os.remove(ours)
   os.remove(theirs)
   assert(ok, message)
end

return M
