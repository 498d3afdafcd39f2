-- torch.save and torch.load of one tensor against dd on the same disk (bench/dd.lua).
--
-- On disk: dd's conv=fsync, and `sync FILE` after torch.save; before reading, the file is dropped
-- from the cache (posix_fadvise through dd's nocache). Both sides write a file that is not there
-- yet.
local torch = require 'torch'
local dd = require 'bench.dd'

local MIB = dd.mib
local ours, theirs = dd.names '.t7'
local tensor = torch.FloatTensor(MIB * 2 ^ 18):fill(1) -- MIB mebibytes

local function drop(path)
   dd.shell("dd of='%s' oflag=nocache conv=notrunc,fdatasync count=0 status=none", path)
end

local function save()
   torch.save(ours, tensor)
end

local function load()
   local x = torch.load(ours)
   assert(x:nElement() == tensor:nElement())
end

dd.run(ours, theirs, function()
   dd.case('save, cached', ours, theirs, save, function()
      dd.shell("dd if=/dev/zero of='%s' bs=1M count=%d status=none", theirs, MIB)
   end, os.remove)
   dd.case('save, on disk', ours, theirs, function()
      save()
      dd.shell("sync '%s'", ours)
   end, function()
      dd.shell("dd if=/dev/zero of='%s' bs=1M count=%d conv=fsync status=none", theirs, MIB)
   end, os.remove)
   dd.case('load, cached', ours, theirs, load, function()
      dd.shell("dd if='%s' of=/dev/null bs=1M status=none", theirs)
   end)
   dd.case('load, from disk', ours, theirs, load, function()
      dd.shell("dd if='%s' of=/dev/null bs=1M status=none", theirs)
   end, drop)
end)
