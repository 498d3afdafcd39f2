-- distributed.allReduce, with and without what the ranks tell each other before: the least time.
local torch = require 'torch'
local clock = require 'torch.clock'
local distributed = require 'distributed'

for _, n in ipairs { 1024, 65536, 431080, 25000000 } do
   local x = torch.FloatTensor(n):fill(1)
   for _, check in ipairs { true, false } do
      distributed.init { check = check }
      local least = math.huge
      for _ = 1, n > 1e6 and 10 or 300 do
         distributed.barrier()
         local begun = clock.now()
         distributed.allReduce(x, 'max')
         least = math.min(least, clock.now() - begun)
      end
      if distributed.rank() == 1 then
         print(('%d floats\tallReduce%s\t%.5g'):format(n, check and '' or ', unchecked', least))
      end
   end
end
