-- Element-wise operations, comparisons and copies, from 10 elements to more than any cache holds.
local torch = require 'torch'
local bench = require 'bench.harness'

-- f(r, x, y) with an existing result; without r, a fresh one. The first operand of exp, log and
-- sqrt is y, whose elements are positive.
local OPERATIONS = {
   { 'add', function(r, x, y) return torch.add(r, x, y) end, function(x, y) return x + y end },
   { 'add number', function(r, x) return torch.add(r, x, 2) end, function(x) return x + 2 end },
   { 'mul', function(r, x, y) return torch.cmul(r, x, y) end,
      function(x, y) return torch.cmul(x, y) end },
   { 'div', function(r, x, y) return torch.cdiv(r, x, y) end,
      function(x, y) return torch.cdiv(x, y) end },
   { 'abs', function(r, x) return torch.abs(r, x) end, function(x) return torch.abs(x) end },
   { 'sqrt', function(r, _, y) return torch.sqrt(r, y) end,
      function(_, y) return torch.sqrt(y) end },
   { 'exp', function(r, _, y) return torch.exp(r, y) end, function(_, y) return torch.exp(y) end },
   { 'log', function(r, _, y) return torch.log(r, y) end, function(_, y) return torch.log(y) end },
   { 'tanh', function(r, x) return torch.tanh(r, x) end, function(x) return torch.tanh(x) end },
   { 'copy', function(r, x) return r:copy(x) end, function(x) return x:clone() end },
}
local COMPARISONS = {
   { 'lt', function(r, x, y) return torch.lt(r, x, y) end,
      function(x, y) return torch.lt(x, y) end },
   { 'eq number', function(r, x) return torch.eq(r, x, 0.5) end,
      function(x) return torch.eq(x, 0.5) end },
}

for _, kind in ipairs(bench.types) do
   local typeName, Tensor = unpack(kind)
   for _, entry in ipairs(bench.sizes) do
      local size, n = unpack(entry)
      local x, y = Tensor(n):uniform(-1, 1), Tensor(n):uniform(0.5, 1)
      local function measure(operations, r)
         for _, operation in ipairs(operations) do
            local name, into, fresh = unpack(operation)
            bench.both(('%s, %s %s'):format(name, size, typeName), size,
               function() return into(r, x, y) end, function() return fresh(x, y) end)
         end
      end
      measure(OPERATIONS, Tensor(n):fill(0))
      measure(COMPARISONS, torch.ByteTensor(n):fill(0))
   end
   for _, entry in ipairs(bench.shapes) do
      local size, rows, columns = unpack(entry)
      local x, r = Tensor(rows, columns):uniform(-1, 1), Tensor(columns, rows):fill(0)
      local t = x:t()
      bench.both(('copy transposed, %s %s'):format(size, typeName), size,
         function() return r:copy(t) end, function() return t:clone() end)
   end
end
