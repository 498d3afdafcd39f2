--- A case's body that calls f again and again, to the end of the device's work.
local cutorch = require 'cutorch'
local bench = require 'bench.harness'

return function(f)
   local loop = bench.loop(f)
   return function(n)
      loop(n)
      cutorch.synchronize()
   end
end
