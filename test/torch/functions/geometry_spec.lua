local torch = require 'torch'

local function refused(pattern, f)
   local ok, message = pcall(f)
   assert.is_false(ok)
   assert.matches(pattern, message)
   assert.matches('^[^:]*geometry_spec%.lua:%d+: ', message)
end

local function near(a, b, tolerance)
   assert.same(a:size():totable(), b:size():totable())
   assert.is_true((a:double() - b:double()):abs():max() <= tolerance)
end

describe('cross', function()
   it('turns the axes into each other, in every type', function()
      local types = { 'Double', 'Float', 'Half', 'BFloat16', 'Long', 'Int', 'Short', 'Char' }
      for _, type in ipairs(types) do
         local axes = torch.eye(3):type('torch.' .. type .. 'Tensor')
         local ahead = axes:index(1, torch.LongTensor { 2, 3, 1 })
         local third = axes:index(1, torch.LongTensor { 3, 1, 2 })
         assert.is_true(torch.cross(axes, ahead, 2):equal(third))
         assert.is_true(torch.cross(ahead, axes, 2):equal(-third))
      end
   end)

   it('is orthogonal to both, as long as the area between them; along any dimension', function()
      torch.manualSeed(5)
      local x, y = torch.randn(2, 3, 4), torch.randn(2, 3, 4)
      local r = torch.cross(x, y) -- the first dimension of size 3 is the second
      local zero = torch.zeros(2, 1, 4)
      near(zero, torch.cmul(r, x):sum(2), 1e-14)
      near(zero, torch.cmul(r, y):sum(2), 1e-14)
      local function dot(a, b) return torch.cmul(a, b):sum(2) end
      near(dot(x, x):cmul(dot(y, y)) - torch.pow(dot(x, y), 2), dot(r, r), 1e-12)
      near(r, x:transpose(1, 2):cross(y:transpose(1, 2), 1):transpose(1, 2), 0)
      near(r, torch.cross(x, y, 0), 0) -- what Torch7 passes on for a dimension left out
      near(r, torch.cross(x, y, -1), 0)
      torch.cross(x, x, y)
      near(r, x, 0)
   end)

   it('refuses other sizes', function()
      refused('cross: no dimension of size 3', function()
         torch.cross(torch.ones(2), torch.ones(2))
      end)
      refused('cross: dimension 1 has size 2', function()
         torch.cross(torch.ones(2, 3), torch.ones(2, 3), 1)
      end)
      refused('cross: sizes differ', function() torch.cross(torch.ones(3), torch.ones(3, 1)) end)
      refused('cross: dimension 4', function() torch.cross(torch.ones(3), torch.ones(3), 4) end)
   end)
end)

describe('match', function()
   it('gives squared distances', function()
      torch.manualSeed(6)
      local x, y = torch.randn(4, 2, 3), torch.randn(5, 6)
      local r = torch.match(x, y, 0.5)
      assert.same({ 4, 5 }, r:size():totable())
      for i = 1, 4 do
         for j = 1, 5 do
            local distance = x[i]:dist(y[j])
            assert.is_near(0.5 * distance * distance, r[i][j], 1e-13)
         end
      end
      local m = torch.DoubleTensor()
      assert.equals(m, m:match(x, y))
      near(r * 2, m, 1e-13)
   end)

   it('works in integers, and refuses other lengths', function()
      local b = torch.ByteTensor { { 1, 2 }, { 20, 0 } }
      -- 19^2 + 2^2 = 365 = 256 + 109
      assert.same({ { 0, 109 }, { 109, 0 } }, torch.match(b, b):totable())
      refused('match: the vectors have 2 and 3 elements', function()
         torch.match(torch.ones(2, 2), torch.ones(2, 3))
      end)
      refused('match: invalid arguments', function() torch.match(torch.ones(2), 3) end)
   end)
end)

describe('renorm', function()
   it('shortens long slices, and only those', function()
      for _, type in ipairs { 'torch.DoubleTensor', 'torch.FloatTensor', 'torch.HalfTensor' } do
         local x = torch.DoubleTensor { { 3, 0.3 }, { 4, 0.4 } }:type(type)
         local tolerance = type:match 'Half' and 1e-3 or 1e-6
         local r = torch.renorm(x, 2, 2, 1)
         near(torch.DoubleTensor { { 0.6, 0.3 }, { 0.8, 0.4 } }, r, tolerance)
         near(torch.DoubleTensor { { 3, 0.3 }, { 4, 0.4 } }, x, tolerance)
         assert.equals(x, x:renorm(2, 2, 1))
         near(r, x, 0)
      end
   end)

   it('for any exponent and dimension', function()
      torch.manualSeed(7)
      local x = torch.randn(3, 4, 5)
      for _, p in ipairs { 1, 2, 3, 0.5 } do
         for dim = 1, 3 do
            local before = torch.renorm(x, p, dim, 1e9)
            near(x, before, 0)
            local limit = x:select(dim, 2):norm(p) * 0.99
            local r = torch.DoubleTensor():renorm(x:transpose(1, 3), p, 4 - dim, limit)
            r = r:transpose(1, 3)
            for i = 1, x:size(dim) do
               local old, new = x:select(dim, i), r:select(dim, i)
               local length = old:norm(p)
               near(old * (length > limit and limit / length or 1), new, 1e-6)
            end
         end
      end
   end)

   it('refuses vectors, integers, bad exponents and dimensions', function()
      local x = torch.ones(2, 2)
      refused('renorm: wanted a tensor of at least 2', function() torch.ones(3):renorm(2, 1, 1) end)
      refused('renorm: the norm\'s exponent is 0', function() x:renorm(0, 1, 1) end)
      refused('renorm: the largest norm is %-1', function() x:renorm(2, 1, -1) end)
      refused('renorm: dimension 3', function() x:renorm(2, 3, 1) end)
      refused('renorm: LongTensor is not supported', function() x:long():renorm(2, 1, 1) end)
      refused('renorm: invalid arguments', function() x:renorm(2, 1) end)
      assert.equals(4, x:sum())
   end)
end)
