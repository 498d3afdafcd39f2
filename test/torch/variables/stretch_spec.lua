-- Operators between tensors and Variables of one element: as with the numbers that plain tensors
-- give in their place.
local torch = require 'torch'
local raises = require 'test.support.raises'

local EXPRESSIONS = {
   'x + s', 's + x', 'x - s', 's - x', 'x * s', 's * x', 'x / s', 'm + s', 'm - s', 's - m',
   'm * s', 's * m', 'm / s', 's * s', 's / s', 's - s', '2 / s', 's / 2', '3 - s',
   'x / s + m:sum() * s',
}

describe('a Variable of one element', function()
   local x, m = torch.Tensor { 1, 2, 3 }, torch.Tensor { { 1, 2, 3 }, { 4, 5, 7 } }

   for _, expression in ipairs(EXPRESSIONS) do
      it('is a number in ' .. expression, function()
         local f = assert(loadstring('local x, m, s = ... return ' .. expression))
         local v = torch.Tensor { 1, 2, 4 }
         local expected = f(x, m, v:sum())
         v:requiresGrad()
         local found = f(x, m, v:sum()):detach()
         if not torch.isTensor(expected) then
            expected = torch.Tensor { expected }
         end
         assert.same(expected:size():totable(), found:size():totable())
         assert.is_true((expected - found):abs():max() < 1e-14)
         assert.is_true(torch.gradcheck(function(u) return f(x, m, u:sum()) end, { v }))
      end)
   end

   it('may be among what it normalises', function()
      local v = torch.rand(2, 3):add(0.5):requiresGrad()
      assert.is_true(torch.gradcheck(function(u) return (u - u:mean()) / u:norm() end, { v }))
   end)

   it('is a vector in products that fit, unless it stands for a number', function()
      local column = torch.Tensor { { 1 }, { 2 } }
      local s = torch.Tensor { 3 }:requiresGrad()
      local w = torch.Tensor { { 1, 2 } }
      for _, vector in ipairs {
         s, s * 2, -s, s + s, w * torch.Tensor { 3, 4 }:requiresGrad(),
         torch.cat(s, s):narrow(1, 1, 1),
      } do
         assert.same({ 2 }, (column * vector):size():totable())
      end
      local u = column:clone():requiresGrad()
      local sum, norm = u:sum(), u:norm()
      for _, number in ipairs {
         sum, norm, sum / 2, -sum, sum + norm, 2 / sum, sum * norm, torch.sqrt(sum), sum:clone(),
         u:mean() - 1, torch.dot(u:view(2), u:view(2)),
      } do
         assert.same({ 2, 1 }, (column * number):size():totable())
         assert.same({ 2, 1 }, (number * column):size():totable())
         assert.is_true((column * number - column * number:item()):abs():max():item() < 1e-15)
      end
      assert.is_true(torch.gradcheck(function(v) return v * v:sum() end, { u }))
   end)

   it('that is a plain tensor is none', function()
      local s = torch.Tensor { 3 }
      raises('+: inconsistent tensor size', function() return x + s end)
      raises('dot: inconsistent tensor size', function() return x * s end)
      raises('/: no such operation', function() return x / s end)
   end)
end)
