-- Work so small that only the way into the library counts: loops that LuaJIT compiles.
local torch = require 'torch'
local bench = require 'bench.harness'

local x = torch.FloatTensor(10):fill(1)
local m = torch.FloatTensor(10, 10):fill(1)

bench.case('x[i] read', function(n)
   local sum = 0
   for i = 1, n do
      sum = sum + x[i % 10 + 1]
   end
   return sum
end)

bench.case('x[i] write', function(n)
   for i = 1, n do
      x[i % 10 + 1] = i
   end
end)

bench.case('m[{i,j}] read', function(n)
   local sum = 0
   for i = 1, n do
      sum = sum + m[{ i % 10 + 1, 3 }]
   end
   return sum
end)

bench.case('y:add(1), 10 floats', function(n)
   for _ = 1, n do
      x:add(1)
   end
end)

bench.case('y:cmul(x), 10 floats', function(n)
   for _ = 1, n do
      x:cmul(x)
   end
end)

bench.case('new view', function(n)
   for _ = 1, n do
      local _ = x:narrow(1, 2, 5)
   end
end)

bench.case('new tensor, 10 floats', function(n)
   for _ = 1, n do
      local _ = torch.FloatTensor(10)
   end
end)

bench.case('x + 1, 10 floats', function(n)
   for _ = 1, n do
      local _ = x + 1
   end
end)

bench.case('x:sum(), 10 floats', function(n)
   local sum = 0
   for _ = 1, n do
      sum = sum + x:sum()
   end
   return sum
end)
