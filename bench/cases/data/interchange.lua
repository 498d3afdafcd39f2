-- .npy and safetensors of one tensor, in the page cache, against dd (bench/dd.lua).
--
-- Reading is compared with dd into /dev/null, which copies every mebibyte into the same place: the
-- best that reading can be; and with dd into a new file, which is what a file copy is. A mapped
-- file is to be there in less than a millisecond.
local torch = require 'torch'
local dd = require 'bench.dd'
local npy = require 'npy'
local safetensors = require 'safetensors'

local MIB = dd.mib
local tensor = torch.FloatTensor(MIB * 2 ^ 18):fill(1)

local formats = {
   npy = {
      save = function(path)
         npy.save(path, tensor)
      end,
      load = npy.load,
   },
   safetensors = {
      save = function(path)
         safetensors.save(path, { x = tensor })
      end,
      load = function(path, options)
         return safetensors.load(path, options).x
      end,
   },
}

for name, format in pairs(formats) do
   local ours, theirs = dd.names('.' .. name)
   local function load(options)
      return function()
         local x = format.load(ours, options)
         assert(x:nElement() == tensor:nElement())
      end
   end
   dd.run(ours, theirs, function()
      dd.case(name .. ' save, cached', ours, theirs, function()
         format.save(ours)
      end, function()
         dd.shell("dd if=/dev/zero of='%s' bs=1M count=%d status=none", theirs, MIB)
      end, os.remove)
      dd.case(name .. ' load, cached', ours, theirs, load(), function()
         dd.shell("dd if='%s' of=/dev/null bs=1M status=none", theirs)
      end)
      dd.case(name .. ' load or copy, cached', ours, theirs, load(), function()
         dd.shell("dd if='%s' of='%s' bs=1M status=none", ours, theirs)
      end)
      dd.case(name .. ' load, mapped', ours, theirs, load { map = true }, function()
         dd.shell("dd if='%s' of=/dev/null bs=1M count=1 status=none", theirs)
      end)
   end)
end
