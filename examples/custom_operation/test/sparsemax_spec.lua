-- The operation as scripts see it; ctest runs it.
local torch = require 'torch'
local sparsemax = require 'sparsemax'

-- The definition, by bisection: tau is where the elements above it sum up to 1.
local function byBisection(x)
   local low, high = x:min() - 1, x:max()
   for _ = 1, 100 do
      local tau = (low + high) / 2
      if torch.clamp(x - tau, 0, math.huge):sum() > 1 then
         low = tau
      else
         high = tau
      end
   end
   return torch.clamp(x - low, 0, math.huge)
end

describe('sparsemax', function()
   it('agrees with its definition, whatever the strides', function()
      local x = torch.randn(7, 20):mul(2):t()
      local y = sparsemax(x)
      assert.same({ 20, 7 }, y:size():totable())
      for i = 1, 20 do
         assert.is_true((y[i] - byBisection(x[i])):abs():max() < 1e-12)
      end
      assert.is_true(y:eq(0):sum() > 0)
   end)

   it('has gradients, and gradients of gradients', function()
      local x = torch.randn(5, 6):requiresGrad()
      assert.is_true(torch.gradcheck(sparsemax, x))
      assert.is_true(torch.gradgradcheck(sparsemax, x))
   end)

   it('is part of a longer computation', function()
      local w = torch.randn(4, 6):mul(0.01):float():requiresGrad() -- nothing is 0 at first
      local target = torch.FloatTensor { 0, 0.5, 0.5, 0, 0, 0 }:view(1, 6):expand(4, 6)
      local function distance(x)
         return torch.pow(sparsemax(x) - target, 2):sum()
      end
      local before
      for _ = 1, 200 do
         local loss = distance(w)
         before = before or loss:detach()[1]
         loss:backward()
         torch.noGrad(function()
            w:add(-0.1, w.grad)
            w.grad:zero()
         end)
      end
      local after = distance(w):detach()[1]
      assert.is_true(after < 0.01 * before, ('%g, %g'):format(before, after))
   end)

   it("raises at the caller's line", function()
      local ok, message = pcall(function() sparsemax(torch.IntTensor { 1 }) end)
      assert.is_false(ok)
      assert.matches('sparsemax_spec%.lua:%d+: sparsemax: IntTensor is not supported', message)
      ok, message = pcall(function() sparsemax 'x' end)
      assert.is_false(ok)
      assert.matches('sparsemax_spec%.lua:%d+: sparsemax: x is a string, wanted a tensor', message)
   end)
end)
