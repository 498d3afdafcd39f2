-- Chains of element-wise operations: fused into one pass over memory, and as separate calls.
local torch = require 'torch'
local bench = require 'bench.harness'

-- Name, text, separate calls that make their results, separate calls into y and t.
local CHAINS = {
   { 'arithmetic', 'y = ((a + b) * c - a) / (b * b + 1)',
      function(a, b, c)
         return torch.cdiv(torch.cmul(a + b, c) - a, torch.cmul(b, b) + 1)
      end,
      function(y, t, a, b, c)
         torch.add(y, a, b):cmul(c):add(-1, a)
         torch.cmul(t, b, b):add(1)
         y:cdiv(t)
      end },
   { 'tanh', 'y = tanh(a * b + c) * a - b + 1',
      function(a, b, c)
         return torch.cmul(torch.tanh(torch.cmul(a, b) + c), a) - b + 1
      end,
      function(y, _, a, b, c)
         torch.cmul(y, a, b):add(c):tanh():cmul(a):add(-1, b):add(1)
      end },
   { 'exp', 'y = relu(a) * sigmoid(b) + exp(c) * a',
      function(a, b, c)
         return torch.cmul(torch.relu(a), torch.sigmoid(b)) + torch.cmul(torch.exp(c), a)
      end,
      function(y, t, a, b, c)
         torch.relu(y, a):cmul(torch.sigmoid(t, b))
         y:add(torch.exp(t, c):cmul(a))
      end },
}

for _, entry in ipairs(bench.sizes) do
   local size, n = unpack(entry)
   local a, b, c = torch.randn(n):float(), torch.randn(n):float(), torch.randn(n):float()
   local y, t = torch.FloatTensor(n):fill(0), torch.FloatTensor(n):fill(0)
   for _, chain in ipairs(CHAINS) do
      local name, text, fresh, into = unpack(chain)
      local f = torch.fuse(text)
      local function case(what, body, goal)
         bench.case(('six operations (%s), %s floats, %s'):format(name, size, what),
            bench.loop(body), nil, goal)
      end
      case('fused, existing', function() f(y, a, b, c) end, size == '1e7' and 1)
      case('fused, fresh', function() return f(a, b, c) end, size == '1e7' and 1)
      case('separate, existing', function() into(y, t, a, b, c) end)
      case('separate, fresh', function() return fresh(a, b, c) end)
   end
   local A, B, C = a:requiresGrad(), b:requiresGrad(), c:requiresGrad()
   local f = torch.fuse(CHAINS[2][2])
   local g = torch.FloatTensor(n):fill(1)
   local function step(forward)
      return function()
         forward(A, B, C):backward(g)
         A.grad, B.grad, C.grad = nil, nil, nil
      end
   end
   bench.case(('six operations (tanh), %s floats, fused with gradients'):format(size),
      bench.loop(step(f)), nil, size == '1e7' and 1)
   bench.case(('six operations (tanh), %s floats, separate with gradients'):format(size),
      bench.loop(step(CHAINS[2][3])))
end
