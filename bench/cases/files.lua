-- torch.save and torch.load of one tensor against dd on the same disk.
--
-- Cached: the file may stay in the page cache; what is measured is the copying, as long as the
-- kernel lets a writer go ahead of the disk. On disk: dd's conv=fsync, and `sync FILE` after
-- torch.save; before reading, the file is dropped from the cache (posix_fadvise through dd's
-- nocache). Both sides write a file that is not there yet.
-- BENCH_FILE_MIB (1024) is the tensor's size, BENCH_FILE_FOLDER (/tmp) where the file lies.
local torch = require 'torch'
local clock = require 'torch.clock'

local MIB = tonumber(os.getenv 'BENCH_FILE_MIB' or 1024)
local folder = os.getenv 'BENCH_FILE_FOLDER' or '/tmp'
local ROUNDS = 3

local function shell(command, ...)
   command = command:format(...)
   assert(os.execute(command) == 0, command .. ' failed')
end

local function freeMiB()
   local pipe = io.popen(("df -Pm '%s'"):format(folder))
   local line = pipe:read '*a':match '\n(.*)'
   pipe:close()
   return tonumber(line:match '^%S+%s+%d+%s+%d+%s+(%d+)')
end

assert(freeMiB() > 3 * MIB, ('%s has less than %d MiB free'):format(folder, 3 * MIB))
local name = ('%s/torch-bench-%d'):format(folder, os.time())
local ours, theirs = name .. '.t7', name .. '.dd'

local tensor = torch.FloatTensor(MIB * 2 ^ 18):fill(1) -- MIB mebibytes

local function seconds(f)
   local start = clock.now()
   f()
   return clock.now() - start
end

-- What a case measures, by turns with what dd takes for it; `prepare` is not measured.
local function case(label, body, peer, prepare)
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
      print(('%s of %d MiB, %s%s\t%d\t%.6g'):format(label:match '^%w+', MIB, label:match ', (.*)',
         suffix, torch.getnumthreads(), times[side][math.ceil(ROUNDS / 2)]))
   end
   io.stdout:flush()
end

local function drop(path)
   shell("dd of='%s' oflag=nocache conv=notrunc,fdatasync count=0 status=none", path)
end

local function save()
   torch.save(ours, tensor)
end

local function load()
   local x = torch.load(ours)
   assert(x:nElement() == tensor:nElement())
end

local ok, message = pcall(function()
   case('save, cached', save, function()
      shell("dd if=/dev/zero of='%s' bs=1M count=%d status=none", theirs, MIB)
   end, os.remove)
   case('save, on disk', function()
      save()
      shell("sync '%s'", ours)
   end, function()
      shell("dd if=/dev/zero of='%s' bs=1M count=%d conv=fsync status=none", theirs, MIB)
   end, os.remove)
   case('load, cached', load, function()
      shell("dd if='%s' of=/dev/null bs=1M status=none", theirs)
   end)
   case('load, from disk', load, function()
      shell("dd if='%s' of=/dev/null bs=1M status=none", theirs)
   end, drop)
end)
os.remove(ours)
os.remove(theirs)
assert(ok, message)
