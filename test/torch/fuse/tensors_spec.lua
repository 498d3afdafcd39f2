local torch = require 'torch'
local fused = require 'test.support.fused'
local raises = require 'test.support.raises'

local difference, isCompiled, randn = fused.difference, fused.isCompiled, fused.randn

describe('tensors of torch.fuse', function()
   fused.prepare(setup, teardown, before_each)

   it('reads and writes tensors as they lie', function()
      local f = torch.fuse 'y = a * b - sigmoid(c) + d'
      local function expected(a, b, c, d)
         local shape = { 6, 7, 5 }
         return torch.cmul(a:expand(unpack(shape)), b:expand(unpack(shape)))
            - torch.sigmoid(c:expand(unpack(shape))) + d
      end
      local a = randn(5, 7, 6):transpose(1, 3)
      local b = randn(6, 14, 10):unfold(2, 1, 2):select(4, 1):narrow(3, 2, 5)
      local c = randn(7, 1)
      local y = randn(6, 5, 14):transpose(2, 3):narrow(2, 3, 7)
      local before = y:storage():size()
      local wide = torch.DoubleTensor(1, 1, 1):expand(6, 7, 5)
      assert.truthy(difference(f(a, b, c:view(1, 7, 1), 2), expected(a, b, c:view(1, 7, 1), 2))
         < 1e-14)
      assert.equal(y, (f(y, a, b, c, 0.5)))
      assert.equal(before, y:storage():size())
      assert.truthy(difference(y, expected(a, b, c:view(1, 7, 1), 0.5)) < 1e-14)
      assert.equal(6 * 7 * 5, f(wide, a, b, c):nElement()) -- a, b, c are the last three names
   end)

   it('gives an element the same bits wherever it stands', function()
      local f = torch.fuse 'y = tanh(a) * exp(b) + log1p(abs(a)) / 3'
      local a, b = torch.randn(100003):float(), torch.randn(100003):float()
      local whole = f(a, b)
      for _, n in ipairs { 1, 2, 15, 16, 17, 63, 100 } do
         for _, first in ipairs { 1, 2, 77 } do
            local part = f(a:narrow(1, first, n), b:narrow(1, first, n))
            assert.equal(0, (part - whole:narrow(1, first, n)):abs():max())
         end
      end
      local strided = torch.FloatTensor(100003, 2)
      strided:select(2, 1):copy(a)
      assert.equal(0, (f(strided:select(2, 1), b) - whole):abs():max())
      local threads = torch.getnumthreads()
      torch.setnumthreads(threads == 1 and 2 or 1)
      local again = f(a, b)
      torch.setnumthreads(threads)
      assert.equal(0, (again - whole):abs():max())
   end)

   it('writes past the caches what no cache holds', function()
      local n = 10000019 -- 160 MB: more than any cache is taken to hold
      local f = torch.fuse('s = a + 2 * b; d = a - b', { results = { 's', 'd' } })
      local a, b = torch.FloatTensor(n):uniform(), torch.FloatTensor(n):uniform()
      local s, d = f(a, b)
      assert.equal(0, (d - (a - b)):abs():max())
      assert.truthy((s - a - b - b):abs():max() < 1e-6)
      -- The same bits as what the caches hold.
      local g = torch.fuse 'y = tanh(a) * b + exp(s) / (b + 2)'
      assert.equal(0, (g(a, b, s):narrow(1, n - 99, 100) - g(a:narrow(1, n - 99, 100),
         b:narrow(1, n - 99, 100), s:narrow(1, n - 99, 100))):abs():max())
      f(a, s, a, b) -- onto an operand
      assert.truthy((a - s):max() > 0)
      assert.equal(0, (s - d):abs():max())
   end)

   it('computes half and bfloat16 in float', function()
      local f = torch.fuse 'y = a * b + tanh(a) / 7'
      for _, name in ipairs { 'half', 'bfloat16' } do
         local a, b = torch.randn(6, 41)[name](torch.randn(6, 41)), torch.randn(41)
         b = b[name](b)
         local y = f(a, b)
         assert.truthy(isCompiled(f, a, b))
         assert.equal(torch.type(a), torch.type(y))
         local exact = f(a:float(), b:float())
         assert.equal(0, (y:float() - exact[name](exact):float()):abs():max())
      end
   end)

   it('reads masks and labels as numbers', function()
      local x = randn(9)
      local mask, label = x:gt(0), torch.LongTensor(9):random(3)
      local y = torch.fuse 'y = where(mask, x, 0) + label' (mask, x, label)
      assert.truthy(difference(y, torch.relu(x) + label:double()) < 1e-15)
      raises('torch.fuse: label is a 9 LongTensor; it computes in floating point: convert it, as '
         .. 'in label:double()', torch.fuse 'y = label + 1', label)
   end)

   it('writes into what it is given', function()
      local f = torch.fuse 'y = 2 * a + b'
      local a, b, y = randn(8), randn(8), torch.DoubleTensor()
      local expected = a * 2 + b
      assert.equal(y, (f(y, a, b)))
      assert.equal(0, (y - expected):abs():max())
      local kept = a:clone()
      f(a, a, b)
      assert.equal(0, (a - expected):abs():max())
      -- A result that lies over other elements of an operand.
      local memory = randn(9)
      local x = memory:narrow(1, 1, 8)
      local should = x * 2 + b
      f(memory:narrow(1, 2, 8), x, b)
      assert.equal(0, (memory:narrow(1, 2, 8) - should):abs():max())
      -- One that has to grow, over an operand.
      local small = kept:narrow(1, 1, 1)
      should = small:expand(8) * 2 + b
      f(small, small, b)
      assert.equal(0, (small - should):abs():max())
      assert.same({ 8 }, small:size():totable())
      -- One without elements, whose memory an operand has.
      local long = torch.range(1, 100):double()
      local emptied = long:narrow(1, 2, 99):resize(0)
      torch.fuse 'y = 2 * a' (emptied, long:narrow(1, 1, 99))
      assert.same(torch.range(2, 198, 2):totable(), emptied:totable())
      -- Results between each other's elements, and in one place, where the last one stays.
      local both = torch.fuse('s = a + b; d = a - b', { results = { 's', 'd' } })
      local columns, c = torch.DoubleTensor(8, 2), randn(8)
      both(columns:select(2, 1), columns:select(2, 2), c, b)
      assert.equal(0, (columns:select(2, 1) - (c + b)):abs():max())
      assert.equal(0, (columns:select(2, 2) - (c - b)):abs():max())
      both(y, y, c, b)
      assert.equal(0, (y - (c - b)):abs():max())
      local empty = torch.DoubleTensor()
      both(empty, empty, c, b)
      assert.equal(0, (empty - (c - b)):abs():max())
   end)

   it('reads every operand before it writes a result', function()
      for _, compile in ipairs { true, false } do
         local f = torch.fuse('old = w\n w = w - rate * g',
            { results = { 'w', 'old' }, arguments = { 'w', 'g', 'rate' }, compile = compile })
         local w, old, g = torch.ones(3), torch.zeros(3), torch.ones(3)
         f(w, old, w, g, 0.5)
         assert.same({ 0.5, 0.5, 0.5 }, w:totable())
         assert.same({ 1, 1, 1 }, old:totable())
         local swap = torch.fuse('x = b; y = a',
            { results = { 'x', 'y' }, arguments = { 'a', 'b' }, compile = compile })
         local a, b = torch.DoubleTensor { 1, 2 }, torch.DoubleTensor { 3, 4 }
         swap(a, b, a, b)
         assert.same({ 3, 4 }, a:totable())
         assert.same({ 1, 2 }, b:totable())
         -- Over parts of each other, and one that has to grow over its operand.
         local memory = torch.DoubleTensor { 1, 2, 3, 4, 5 }
         local first, last = memory:narrow(1, 1, 4), memory:narrow(1, 2, 4)
         local copy = torch.fuse('s = x + y; r = x',
            { results = { 's', 'r' }, arguments = { 'x', 'y' }, compile = compile })
         local r = torch.DoubleTensor()
         copy(last, r, first, 10)
         assert.same({ 1, 11, 12, 13, 14 }, memory:totable())
         assert.same({ 1, 2, 3, 4 }, r:totable())
         local small = torch.DoubleTensor { 7, 8, 9 }:narrow(1, 2, 1)
         copy(r, small, small, torch.DoubleTensor { 1, 2 })
         assert.same({ 9, 10 }, r:totable())
         assert.same({ 8, 8 }, small:totable())
      end
   end)
end)
