-- Forward only, in evaluation mode, for one sample and for 32.
local bench = require 'bench.harness'
local nets = require 'bench.nets'

for _, batch in ipairs { 1, 32 } do
   for case in nets.each(batch) do
      local name = case.name .. ', forward'
      if bench.wanted(name) then
         local net, _, input = case.make()
         net:evaluate()
         bench.case(name, bench.loop(function()
            net:forward(input)
         end), 1, 1)
      end
   end
end
