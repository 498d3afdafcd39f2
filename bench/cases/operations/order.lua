-- Sorting, selecting, scanning and picking elements.
local torch = require 'torch'
local bench = require 'bench.harness'

local N, SIDE = 1e6, 1000

local function case(name, goal, f)
   bench.case(name, bench.loop(f), 1, goal)
end

for _, kind in ipairs(bench.types) do
   local typeName, Tensor = unpack(kind)
   local v, m = Tensor(N):uniform(), Tensor(SIDE, SIDE):uniform()
   local r, positions = Tensor(), torch.LongTensor()
   case('sort, 1e6 ' .. typeName, 3, function() return torch.sort(r, positions, v) end)
   case('sort descending, 1e6 ' .. typeName, 3,
      function() return torch.sort(r, positions, v, 1, true) end)
   case('sort rows, 1000x1000 ' .. typeName, 3,
      function() return torch.sort(r, positions, m, 2) end)
   case('topk 100 of 1e6 ' .. typeName, 1,
      function() return torch.topk(r, positions, v, 100, 1, true, true) end)
   case('topk 10 of rows, 1000x1000 ' .. typeName, 1,
      function() return torch.topk(r, positions, m, 10, 2, true, true) end)
   case('kthvalue 5e5 of 1e6 ' .. typeName, 1,
      function() return torch.kthvalue(r, positions, v, 500000) end)
   case('cumsum, 1e6 ' .. typeName, 1, function() return torch.cumsum(r, v) end)
   local pick = torch.LongTensor(SIDE, SIDE):random(1, SIDE)
   local list = torch.LongTensor(SIDE):random(1, SIDE)
   for dim, side in ipairs { 'first', 'last' } do
      case(('cumsum %s, 1000x1000 %s'):format(side, typeName), 1,
         function() return torch.cumsum(r, m, dim) end)
      case(('gather %s, 1000x1000 %s'):format(side, typeName), 1,
         function() return torch.gather(r, m, dim, pick) end)
      case(('indexSelect %s, 1000x1000 %s'):format(side, typeName), 1,
         function() return torch.index(r, m, dim, list) end)
   end
   local places = torch.LongTensor(N):random(1, N)
   case('indexSelect, 1e6 ' .. typeName, 1, function() return torch.index(r, v, 1, places) end)
   local a, b = Tensor(1000):uniform(), Tensor(1000):uniform()
   case('cat, 2 x 1000 ' .. typeName, 1, function() return torch.cat(r, a, b, 1) end)
   case('cat, 2 x 1e6 ' .. typeName, 1, function() return torch.cat(r, v, v, 1) end)
   case('linspace, 1e6 ' .. typeName, 1, function() return torch.linspace(r, 0, 1, N) end)
   case('dot, 1e6 ' .. typeName, 1, function() return v:dot(v) end)
end
