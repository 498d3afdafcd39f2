-- th test/fuzz/damage.lua TARGET SECONDS [SEED]: damage the seeds of a fuzz target, without
-- libFuzzer.
--
-- Prints how many inputs there were, and stops at the first that breaks a promise; it is left in
-- /tmp/damage-TARGET. TARGET is npy, safetensors, onnx, pth, or hdf5: whole files, read by
-- hdf5.verify.
package.path = './?.lua;' .. package.path
local lfs = require 'lfs'
local clock = require 'torch.clock'
local mutations = require 'test.support.mutations'
local shell = require 'test.support.shell'

local name, seconds, seed = arg[1], tonumber(arg[2]) or 600, tonumber(arg[3]) or 1
local found = '/tmp/damage-' .. name

local one
if name == 'hdf5' then
   local verify = require('hdf5').verify
   one = function(input)
      local out = assert(io.open(found .. '.h5', 'wb'))
      out:write(input:sub(2))
      out:close()
      local ok, reason = verify(found .. '.h5', 20)
      os.remove(found .. '.h5')
      assert(ok or type(reason) == 'string' and not reason:match 'attempt to', reason)
   end
else
   one = require('test.fuzz.' .. name).one
end

local texts = {}
for file in lfs.dir('test/data/' .. name) do
   if file:match '%.np[yz]$' or file:match '%.safetensors$' or file:match '%.h5$'
      or file:match '%.onnx$' or file:match '%.pth$' then
      texts[#texts + 1] = shell.read('test/data/' .. name .. '/' .. file)
   end
end

local start, count = clock.now(), 0
while clock.now() - start < seconds do
   for _, text in ipairs(texts) do
      seed = seed + 1
      mutations.each(text, 20, seed, 1024, function(damaged)
         local input = string.char(count % 256) .. damaged
         local ok, message = pcall(one, input)
         if not ok then
            local out = assert(io.open(found, 'wb'))
            out:write(input)
            out:close()
            error(('input %d, kept in %s: %s'):format(count + 1, found, tostring(message)), 0)
         end
         count = count + 1
      end)
   end
end
print(('%s: %d damaged files in %.0f s, every promise kept; %.0f MiB of Lua at the end'):format(
   name, count, clock.now() - start, collectgarbage 'count' / 1024))
