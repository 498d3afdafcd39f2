-- Gradients of products whose operands lie by rows or by columns, as a layer's weight does that is
-- shown transposed: the right numbers, and in the order in which the leaf lies.
local torch = require 'torch'

local function matrix(...)
   return torch.DoubleTensor(...):uniform(-1, 1):requiresGrad()
end

-- A leaf, and a function that shows it as n x m, or a batch of `count` such.
local function operand(transposed, count, n, m)
   local sizes = transposed and { m, n } or { n, m }
   if count then
      table.insert(sizes, 1, count)
   end
   return matrix(unpack(sizes)), function(x)
      return transposed and x:transpose(#sizes - 1, #sizes) or x
   end
end

describe('the gradients of products', function()
   for _, ta in ipairs { false, true } do
      for _, tb in ipairs { false, true } do
         local name = ('A%s B%s'):format(ta and "'" or '', tb and "'" or '')

         it('agree with differences: ' .. name, function()
            local a, showA = operand(ta, nil, 3, 4)
            local b, showB = operand(tb, nil, 4, 2)
            local t = matrix(3, 2)
            local function f(x, y, z)
               return torch.addmm(0.5, x, 2, showA(y), showB(z))
            end
            assert.is_true(torch.gradcheck(f, { t, a, b }))
            assert.is_true(torch.gradgradcheck(f, { t, a, b }))
            f(t, a, b):backward(torch.ones(3, 2))
            assert.is_true(a.grad:isContiguous() and b.grad:isContiguous())
         end)

         it('agree with differences in batches: ' .. name, function()
            local a, showA = operand(ta, 2, 3, 4)
            local b, showB = operand(tb, 2, 4, 2)
            local t = matrix(2, 3, 2)
            local function f(x, y, z)
               return torch.baddbmm(0.5, x, 2, showA(y), showB(z))
            end
            assert.is_true(torch.gradcheck(f, { t, a, b }))
            assert.is_true(torch.gradgradcheck(f, { t, a, b }))
         end)
      end
   end

   it('is added to what a leaf has, in whatever order that lies', function()
      torch.manualSeed(6)
      local W = torch.randn(3, 4):requiresGrad()
      local x, g = torch.randn(5, 4), torch.randn(5, 3)
      local once = g:t() * x
      for name, given in pairs { rows = torch.ones(3, 4), columns = torch.ones(4, 3):t(),
         part = torch.ones(3, 9):narrow(2, 2, 4), ['all one'] = torch.ones(1, 1):expand(3, 4) } do
         W.grad = given
         for times = 1, 2 do
            torch.linear(x, W):backward(g)
            assert.is_true((W.grad - 1 - once * times):abs():max() < 1e-12, name)
         end
      end
      W.grad = torch.zeros(3, 4)
      local seen
      local off = W:hook(function(d) seen = d:clone() end)
      torch.linear(x[1], W):backward(g[1])
      off()
      local outer = torch.ger(g[1], x[1])
      assert.is_true((seen - outer):abs():max() < 1e-12)
      torch.linear(x[1], W):backward(g[1])
      assert.is_true((W.grad - outer * 2):abs():max() < 1e-12)
   end)
end)
