-- Ten million floats: memory bandwidth, and what a fresh result costs.
local torch = require 'torch'
local bench = require 'bench.harness'

local N = 1e7
local x = torch.FloatTensor(N):uniform(-1, 1)
local y = torch.FloatTensor(N):uniform(-1, 1)
local r = torch.FloatTensor(N):fill(0)

local function cases(name, into, fresh)
   bench.case(name .. ', 1e7 floats, existing result', function(n)
      for _ = 1, n do
         into()
      end
   end)
   bench.case(name .. ', 1e7 floats, fresh result', function(n)
      for _ = 1, n do
         fresh()
      end
   end)
end

cases('add', function()
   torch.add(r, x, y)
end, function()
   return x + y
end)

cases('copy', function()
   r:copy(x)
end, function()
   return x:clone()
end)

cases('exp', function()
   torch.exp(r, x)
end, function()
   return torch.exp(x)
end)
