-- Reductions to a number, over the last and over the first dimension of a matrix; then layouts that
-- take a path of their own.
local torch = require 'torch'
local bench = require 'bench.harness'

local function number(name, size, f)
   bench.case(name, bench.loop(f), 1, bench.goal(size, false))
end

for _, kind in ipairs(bench.types) do
   local typeName, Tensor = unpack(kind)
   for _, entry in ipairs(bench.shapes) do
      local size, rows, columns = unpack(entry)
      local label = size .. ' ' .. typeName
      local x = Tensor(rows, columns):uniform(-1, 1)
      number('sum all, ' .. label, size, function() return x:sum() end)
      number('max all, ' .. label, size, function() return x:max() end)
      number('mean all, ' .. label, size, function() return x:mean() end)
      number('norm all, ' .. label, size, function() return x:norm() end)
      for dim, side in ipairs { 'first', 'last' } do
         local r, positions = Tensor(), torch.LongTensor()
         local function name(operation)
            return ('%s %s, %s'):format(operation, side, label)
         end
         bench.both(name 'sum', size,
            function() return torch.sum(r, x, dim) end, function() return x:sum(dim) end)
         bench.both(name 'max', size,
            function() return torch.max(r, positions, x, dim) end,
            function() return x:max(dim) end)
         bench.both(name 'mean', size,
            function() return torch.mean(r, x, dim) end, function() return x:mean(dim) end)
         bench.both(name 'norm', size,
            function() return torch.norm(r, x, 2, dim) end, function() return x:norm(2, dim) end)
      end
   end
end

local half = torch.FloatTensor(1000, 1000):uniform(-1, 1):half()
local cube = torch.FloatTensor(100, 100, 100):uniform(-1, 1)
local even = torch.FloatTensor(1000, 1000, 2):uniform(-1, 1):select(3, 1)
local r, halves = torch.FloatTensor(), torch.HalfTensor()
number('sum all, 1e6 half', '1e6', function() return half:sum() end)
number('sum all, 1e6 float stride 2', '1e6', function() return even:sum() end)
for dim, side in ipairs { 'first', 'last' } do
   number(('sum %s, 1e6 half, existing'):format(side), '1e6',
      function() return torch.sum(halves, half, dim) end)
   number(('sum %s, 1e6 float stride 2, existing'):format(side), '1e6',
      function() return torch.sum(r, even, dim) end)
end
number('sum middle, 100x100x100 float, existing', '1e6',
   function() return torch.sum(r, cube, 2) end)
