-- Products of matrices, of a matrix and a vector, and of batches; squares and skinny shapes.
local torch = require 'torch'
local bench = require 'bench.harness'

local SKINNY = { { 16, 1024, 16 }, { 1024, 16, 1024 }, { 1, 1024, 1024 }, { 1024, 1024, 1 } }

for _, kind in ipairs(bench.types) do
   local typeName, Tensor = unpack(kind)
   local function case(name, f)
      bench.case(('%s %s'):format(name, typeName), bench.loop(f), 1, 1)
   end
   local function random(...)
      return Tensor(...):uniform(-1, 1)
   end
   for _, n in ipairs { 16, 64, 256, 1024 } do
      local a, b, v = random(n, n), random(n, n), random(n)
      local at, batch = a:t(), math.max(1, 1024 / n)
      local xs, ys = random(batch, n, n), random(batch, n, n)
      local r, rv, rs = Tensor(n, n), Tensor(n), Tensor(batch, n, n)
      case('gemm ' .. n, function() return torch.mm(r, a, b) end)
      case(('gemm %d, first transposed'):format(n), function() return torch.mm(r, at, b) end)
      case('gemv ' .. n, function() return torch.mv(rv, a, v) end)
      case(('gemv %d, transposed'):format(n), function() return torch.mv(rv, at, v) end)
      case(('bmm %d x %d'):format(batch, n), function() return torch.bmm(rs, xs, ys) end)
   end
   for _, shape in ipairs(SKINNY) do
      local m, k, n = unpack(shape)
      local a, b = random(m, k), random(k, n)
      local at, bt, r = random(k, m):t(), random(n, k):t(), Tensor(m, n)
      local name = ('gemm %dx%dx%d'):format(m, k, n)
      case(name, function() return torch.mm(r, a, b) end)
      case(name .. ', both transposed', function() return torch.mm(r, at, bt) end)
   end
end
