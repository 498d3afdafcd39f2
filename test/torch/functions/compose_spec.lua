local torch = require 'torch'

local function refused(pattern, f, ...)
   local ok, message = pcall(f, ...)
   assert.is_false(ok)
   assert.matches(pattern, message)
end

local floating = { 'torch.FloatTensor', 'torch.DoubleTensor' }
local all = {
   'torch.ByteTensor', 'torch.CharTensor', 'torch.ShortTensor', 'torch.IntTensor',
   'torch.LongTensor', 'torch.HalfTensor', 'torch.BFloat16Tensor', 'torch.FloatTensor',
   'torch.DoubleTensor',
}

describe('torch.where', function()
   it('takes a where the mask has 1, b elsewhere, for every type', function()
      for _, type in ipairs(all) do
         local a = torch.range(1, 6):view(2, 3):type(type)
         local b = torch.range(11, 16):view(2, 3):type(type)
         local r = torch.where(a:gt(3), a, b)
         assert.equals(type, r:type())
         assert.same({ { 11, 12, 13 }, { 4, 5, 6 } }, r:totable())
         assert.same({ { 1, 2, 3 }, { 4, 5, 6 } }, a:totable())
      end
   end)

   it('takes numbers on either side', function()
      local a = torch.FloatTensor { -1, 2, -3 }
      assert.same({ 0, 2, 0 }, torch.where(a:gt(0), a, 0):totable())
      assert.same({ -1, 7, -3 }, torch.where(a:gt(0), 7, a):totable())
      local both = torch.where(a:gt(0), 1, -1)
      assert.equals(torch.getdefaulttensortype(), both:type())
      assert.same({ -1, 1, -1 }, both:totable())
   end)

   it('broadcasts, also views that are not contiguous', function()
      local mask = torch.Tensor { { 1 }, { 0 } }:gt(0)
      local a, b = torch.range(1, 6):view(3, 2):t(), torch.Tensor { 7, 8, 9 }
      assert.same({ { 1, 3, 5 }, { 7, 8, 9 } }, torch.where(mask, a, b):totable())
   end)

   it('refuses sizes that do not agree and other arguments', function()
      refused('where: sizes 3 and 4 and 3 do not agree', torch.where, torch.ByteTensor(3):zero(),
         torch.zeros(4), torch.zeros(3))
      refused('where: invalid arguments: table', torch.where, {}, 1, 2)
   end)
end)

describe('torch.clamp', function()
   it('leaves a side open', function()
      for _, type in ipairs(all) do
         local x = torch.range(1, 5):type(type)
         assert.same({ 3, 3, 3, 4, 5 }, torch.clamp(x, 3, nil):totable())
         assert.same({ 1, 2, 2, 2, 2 }, torch.clamp(x, nil, 2):totable())
         assert.same({ 2, 2, 3, 3, 3 }, torch.clamp(x, 2, 3):totable())
         local r = x.new()
         assert.equals(r, r:clamp(x, 4, nil))
         assert.same({ 4, 4, 4, 4, 5 }, r:totable())
         assert.equals(r, torch.clamp(r, x, nil, 1))
         assert.same({ 1, 1, 1, 1, 1 }, r:totable())
         assert.same({ 1, 2, 3, 4, 5 }, x:totable())
         assert.equals(x, x:clamp(nil, 3))
         assert.same({ 1, 2, 3, 3, 3 }, x:totable())
      end
   end)

   it('keeps NaN, with one bound as with two', function()
      local nan = torch.Tensor { 0 / 0 }
      for _, r in ipairs { nan:clone():clamp(0, 1), nan:clone():clamp(0, nil),
         nan:clone():clamp(nil, 1) } do
         assert.is_true(r[1] ~= r[1])
      end
   end)

   it('wants at least one bound', function()
      refused('clamp: invalid arguments', torch.clamp, torch.zeros(2))
      refused('clamp: invalid arguments', torch.clamp, torch.zeros(2), 'low', 3)
   end)
end)

describe('torch.stack', function()
   it('puts list[i] at position i of the new dimension', function()
      local list = {}
      for i = 1, 3 do
         list[i] = torch.randn(2, 4)
      end
      for dim, sizes in ipairs { { 3, 2, 4 }, { 2, 3, 4 }, { 2, 4, 3 } } do
         local r = torch.stack(list, dim)
         assert.same(sizes, r:size():totable())
         assert.is_true(r:equal(torch.stack(list, dim - 4)))
         for i = 1, 3 do
            assert.is_true(r:select(dim, i):equal(list[i]))
         end
      end
      assert.is_true(torch.stack(list):equal(torch.stack(list, 1)))
      local r = torch.Tensor()
      assert.equals(r, r:stack(list, 2))
      assert.is_true(r:equal(torch.stack(list, 2)))
   end)

   it('refuses unequal sizes and dimensions that do not exist', function()
      refused('stack: tensor 2 is 3x2, the first is 2x3', torch.stack,
         { torch.zeros(2, 3), torch.zeros(3, 2) })
      refused('stack: dimension 4 out of range', torch.stack, { torch.zeros(2, 3) }, 4)
      refused('stack: dimension 0 out of range', torch.stack, { torch.zeros(2, 3) }, 0)
      refused('stack: invalid arguments', torch.stack, {})
   end)
end)

describe('torch.logsumexp', function()
   it('is log sum exp', function()
      for _, type in ipairs(floating) do
         local x = torch.randn(3, 5):type(type)
         local tolerance = type:match 'Float' and 1e-6 or 1e-14
         for dim = 1, 2 do
            local wanted = torch.exp(x):sum(dim):log()
            assert.is_true((x:logsumexp(dim) - wanted):abs():max() < tolerance)
            assert.is_true((torch.logsumexp(x.new(), x, dim) - wanted):abs():max() < tolerance)
         end
         assert.is_near(math.log(torch.exp(x):sum()), x:t():logsumexp(), tolerance)
      end
   end)

   it('neither overflows nor loses infinities', function()
      local inf = math.huge
      assert.is_near(1000 + math.log(2), torch.Tensor({ 1000, 1000 }):logsumexp(), 1e-12)
      assert.is_near(-1000 + math.log(2), torch.Tensor({ -1000, -1000 }):logsumexp(), 1e-12)
      assert.equals(-inf, torch.Tensor({ -inf, -inf }):logsumexp())
      assert.equals(inf, torch.Tensor({ 1, inf }):logsumexp())
      assert.near(2, torch.Tensor({ 2, -inf }):logsumexp(), 1e-15) -- 2 + log(e^0 + 0)
      local nan = torch.Tensor({ 1, 0 / 0 }):logsumexp()
      assert.is_true(nan ~= nan)
   end)
end)

describe('item', function()
   it('is the one element, whatever the sizes and the type', function()
      for _, type in ipairs(all) do
         assert.equals(7, torch.Tensor { 7 }:type(type):item())
         assert.equals(7, torch.Tensor { { { 7 } } }:type(type):item())
      end
      assert.equals(6, torch.range(1, 6):narrow(1, 6, 1):item())
   end)

   it('is a number itself, so that sums and Variables of one element read alike', function()
      assert.equals(6, torch.item(torch.ones(6):sum()))
      assert.equals(6, torch.item(torch.ones(6):requiresGrad():sum()))
      refused('item: ', torch.item, 'x')
      refused('item: ', torch.item)
   end)

   it('refuses more or less than one', function()
      local x = torch.zeros(2, 3)
      refused('item: a tensor of 6 elements %(2x3%)', function() x:item() end)
      refused('item: a tensor of 0 elements %(empty%)', function() torch.Tensor():item() end)
   end)
end)

describe('torch.allclose', function()
   it('allows atol + rtol |b|', function()
      local b = torch.Tensor { 0, 1, 100 }
      local function with(rtol, atol, factor)
         local distance = (b:clone():abs() * rtol + atol) * factor
         return torch.allclose(b + distance, b, rtol, atol)
            and torch.allclose(b - distance, b, rtol, atol)
      end
      assert.is_true(with(1e-3, 1e-4, 0.99))
      assert.is_false(with(1e-3, 1e-4, 1.01))
      assert.is_true(torch.allclose(b, b, 0, 0))
      assert.is_true(b:allclose(b + 1e-9))
      assert.is_false(b:allclose(b + 1e-7))
      assert.is_true(torch.allclose(b:float(), b:int()))
   end)

   it('wants equal infinities, and NaN only when asked', function()
      local inf, nan = math.huge, 0 / 0
      local function close(a, b, equalNan)
         return torch.allclose(torch.Tensor { a }, torch.Tensor { b }, nil, nil, equalNan)
      end
      assert.is_true(close(inf, inf))
      assert.is_false(close(inf, -inf))
      assert.is_false(close(1, inf))
      assert.is_false(close(inf, 1))
      assert.is_false(close(nan, nan))
      assert.is_true(close(nan, nan, true))
      assert.is_false(close(nan, 1, true))
   end)

   it('refuses unequal sizes', function()
      refused('allclose: sizes 2x3 and 6 differ', torch.allclose, torch.zeros(2, 3), torch.zeros(6))
   end)
end)
