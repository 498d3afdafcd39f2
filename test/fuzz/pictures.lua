-- Random damage to pictures, for some time: th test/fuzz/pictures.lua [SECONDS [SEED]] Whatever
-- comes must be a picture or an error that names the function, and the process must not grow. It
-- prints how many of each there were; test/image/hostile_spec.lua does a few thousand of them.
package.path = './?.lua;' .. package.path
local torch = require 'torch'
local image = require 'image'
local clock = require 'torch.clock'
local mutations = require 'test.image.mutations'
local read = require('test.support.shell').read

local seconds, seed = tonumber(arg[1]) or 60, tonumber(arg[2]) or os.time()
image.maxPixels = 2 ^ 22
math.randomseed(seed)

local counts, start, total = {}, clock.now(), 0
while clock.now() - start < seconds do
   local text, name = mutations.random()
   local ok, x = pcall(image.decompress, mutations.tensor(text))
   local count = counts[name] or { 0, 0 }
   counts[name] = count
   count[ok and 1 or 2] = count[ok and 1 or 2] + 1
   total = total + 1
   if ok then
      assert(torch.isTensor(x) and x:dim() == 3 and x:min() >= 0 and x:max() <= 1, name)
   else
      assert(x:find('image.decompress', 1, true), x)
   end
end

print(('seed %d: %d pictures in %d s, at most %d MiB'):format(seed, total, seconds,
   read('/proc/self/status'):match 'VmHWM:%s*(%d+)' / 1024))
for _, name in ipairs(mutations.names) do
   print(('%-16s %d read, %d refused'):format(name, counts[name][1], counts[name][2]))
end
