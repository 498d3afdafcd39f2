-- Random numbers: the sequences are Torch7's, one MT19937 for all of them.
local torch = require 'torch'
local bench = require 'bench.harness'

local N = 1e6

for _, kind in ipairs(bench.types) do
   local typeName, Tensor = unpack(kind)
   local r, p = Tensor(N), Tensor(10000):uniform()
   local function case(name, goal, f)
      bench.case(('%s %s'):format(name, typeName), bench.loop(f), 1, goal)
   end
   case('uniform, 1e6', 1, function() return r:uniform(0, 1) end)
   case('normal, 1e6', nil, function() return r:normal(0, 1) end)
   case('bernoulli, 1e6', nil, function() return r:bernoulli(0.3) end)
   case('multinomial, 1000 of 1e4', nil, function() return torch.multinomial(p, 1000, false) end)
   case('multinomial with replacement, 1000 of 1e4', nil,
      function() return torch.multinomial(p, 1000, true) end)
end
bench.case('randperm, 1e6', bench.loop(function() return torch.randperm(N) end))
