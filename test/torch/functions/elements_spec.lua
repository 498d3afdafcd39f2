-- apply, map and map2: loops that are compiled for each function, shared by small tensors.
local torch = require 'torch'

describe('torch.apply', function()
   for _, n in ipairs { 7, 200000 } do -- a shared loop, and one of its own
      it('calls every one of several functions on ' .. n .. ' elements', function()
         for _, name in ipairs { 'FloatTensor', 'DoubleTensor', 'IntTensor' } do
            for factor = 1, 5 do
               local x = torch[name](n):fill(3)
               assert.equal(x, x:apply(function(v)
                  return v * factor + 1
               end))
               assert.equal(3 * factor + 1, x:min())
               assert.equal(3 * factor + 1, x:max())
            end
         end
      end)

      it('keeps elements for which nothing is returned, of ' .. n, function()
         local i = 0
         local x = torch.DoubleTensor(n):fill(1):apply(function()
            i = i + 1
            if i == 5 then
               return 2
            end
         end)
         assert.equal(n, i)
         assert.equal(n + 1, x:sum())
         assert.equal(2, x[5])
      end)

      it('maps two and three tensors of ' .. n .. ' elements', function()
         local x, y, z = torch.range(1, n), torch.range(1, n):int(), torch.FloatTensor(n):fill(0.5)
         x:map(y, function(a, b)
            return a - b
         end)
         assert.equal(0, x:norm())
         x:map2(y, z, function(a, b, c)
            return a + b * c
         end)
         assert.equal(n * (n + 1) / 4, x:sum())
      end)
   end

   it('keeps elements for which false is returned', function()
      local x, y = torch.range(1, 4), torch.range(2, 5)
      x:apply(function(a) return a > 2 and 2 * a end)
      assert.same({ 1, 2, 6, 8 }, x:totable())
      x:map(y, function(a, b) return b < 4 and a - b end)
      assert.same({ -1, -1, 6, 8 }, x:totable())
      x:map2(y, y, function(a, b, c) return a > 6 and a + b * c end)
      assert.same({ -1, -1, 6, 33 }, x:totable())
   end)

   it('names the wrong result of a function, at the line that called', function()
      local ok, message = pcall(function()
         torch.ones(3):apply(function()
            return 'three'
         end)
      end)
      assert.is_false(ok)
      assert.matches('elements_spec.lua:%d+: apply: the function must return a number', message)
   end)
end)
