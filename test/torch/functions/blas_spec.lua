-- Call forms and shapes; the products are compared with naive loops in test/TH/cpu/blas_test.cpp.
local torch = require 'torch'

local function refused(pattern, f)
   local ok, message = pcall(f)
   assert.is_false(ok)
   assert.matches(pattern, message)
   assert.matches('^[^:]*blas_spec%.lua:%d+: ', message)
end

local D = torch.DoubleTensor
local A, B = D { { 1, 2 }, { 3, 4 } }, D { { 5, 6 }, { 7, 8 } }
local AB = { { 19, 22 }, { 43, 50 } }
local I = torch.eye(2)
local x, y = D { 1, 2 }, D { 3, 4 }

describe('products', function()
   it('make new tensors as functions and operators', function()
      assert.same(AB, torch.mm(A, B):totable())
      assert.same(AB, (A * B):totable())
      assert.same({ 5, 11 }, torch.mv(A, x):totable())
      assert.same({ 5, 11 }, (A * x):totable())
      assert.equal(11, x * y)
      assert.equal(11, torch.dot(x, y))
      assert.same({ { 3, 4 }, { 6, 8 } }, torch.ger(x, y):totable())
      local batch = torch.bmm(torch.cat(A:view(1, 2, 2), I:view(1, 2, 2), 1),
         torch.cat(B:view(1, 2, 2), B:view(1, 2, 2), 1))
      assert.same({ AB, B:totable() }, batch:totable())
   end)

   it('into a tensor of the right shape', function()
      local r = D(2, 2)
      assert.equal(r, torch.mm(r, A, B))
      assert.same(AB, r:totable())
      assert.equal(r, r:mm(B, I))
      assert.same(B:totable(), r:totable())
      assert.same({ 5, 11 }, D(2):mv(A, x):totable())
   end)

   it('ignore what an overwritten result held, NaN included', function()
      local r = D(2, 2):fill(0 / 0)
      assert.same(AB, torch.mm(r, A, B):totable())
   end)

   it('work on transposed operands', function()
      assert.same({ { 26, 30 }, { 38, 44 } }, (A:t() * B):totable())
      assert.same({ { 17, 23 }, { 39, 53 } }, (A * B:t()):totable())
   end)

   it('of integers are exact', function()
      assert.same(AB, torch.mm(A:long(), B:long()):totable())
      assert.same(AB, torch.mm(A:half(), B:half()):totable())
   end)
end)

describe('addmm', function()
   local function sum(beta, t, alpha)
      return (t * beta + torch.mm(A, B) * alpha):totable()
   end

   it('in all its method forms', function()
      local function M()
         return torch.ones(2, 2)
      end
      assert.same(sum(1, M(), 1), M():addmm(A, B):totable())
      assert.same(sum(1, M(), 2), M():addmm(2, A, B):totable())
      assert.same(sum(3, M(), 2), M():addmm(3, 2, A, B):totable())
      local r = D()
      assert.same(sum(1, M(), 1), r:addmm(M(), A, B):totable())
      assert.same(sum(1, M(), 2), r:addmm(M(), 2, A, B):totable())
      assert.same(sum(3, M(), 1), r:addmm(3, M(), A, B):totable())
      assert.same(sum(3, M(), 2), r:addmm(3, M(), 2, A, B):totable())
   end)

   it('in all its function forms', function()
      local M, r = torch.ones(2, 2), D()
      assert.same(sum(1, M, 1), torch.addmm(M, A, B):totable())
      assert.same(sum(1, M, 2), torch.addmm(M, 2, A, B):totable())
      assert.same(sum(3, M, 1), torch.addmm(3, M, A, B):totable())
      assert.same(sum(3, M, 2), torch.addmm(3, M, 2, A, B):totable())
      assert.same(sum(1, M, 1), torch.addmm(r, M, A, B):totable())
      assert.same(sum(1, M, 2), torch.addmm(r, M, 2, A, B):totable())
      assert.same(sum(3, M, 1), torch.addmm(r, 3, M, A, B):totable())
      assert.same(sum(3, M, 2), torch.addmm(r, 3, M, 2, A, B):totable())
      assert.is_true(M:equal(torch.ones(2, 2)))
   end)

   it('has relatives', function()
      assert.same({ 6, 12 }, torch.addmv(torch.ones(2), A, x):totable())
      assert.same({ { 4, 5 }, { 7, 9 } }, torch.addr(torch.ones(2, 2), x, y):totable())
      local a, b = A:view(1, 2, 2):expand(3, 2, 2), B:view(1, 2, 2):expand(3, 2, 2)
      assert.same((torch.mm(A, B) * 3 + 1):totable(),
         torch.addbmm(torch.ones(2, 2), a, b):totable())
      assert.same({ 3, 2, 2 }, torch.baddbmm(torch.ones(3, 2, 2), a, b):size():totable())
   end)
end)

-- Whole numbers, which 16 bits hold and their sums too, in the orders in which they may lie.
describe('a product of 16-bit elements', function()
   local function numbers(...)
      return torch.FloatTensor(...):random(-4, 4)
   end
   local shown = {
      function(n, m) return numbers(n, m) end,
      function(n, m) return numbers(m, n):t() end,
      function(n, m) return numbers(n, m + 3):narrow(2, 2, m) end,
      function(n, m) return numbers(m + 3, n):t():narrow(2, 2, m) end,
      function(n, m) return numbers(n, 2, m):select(2, 1) end,
      function(n) return numbers(n, 1):expand(n, 5) end,
   }

   for _, class in ipairs { 'BFloat16Tensor', 'HalfTensor' } do
      it('is that of ' .. class .. 's as floats', function()
         for _, left in ipairs(shown) do
            for _, right in ipairs(shown) do
               local a, b = left(7, 5), right(5, 5)
               local function typed(t) -- of the same strides
                  local flat = torch.FloatTensor(t:storage()):type('torch.' .. class)
                  return torch[class](flat:storage(), t:storageOffset(), t:size(),
                     t:stride())
               end
               assert.same(torch.mm(a, b):totable(), torch.mm(typed(a), typed(b)):totable())
               local c = numbers(7, 5)
               assert.same(torch.addmm(c, a, b):totable(),
                  torch.addmm(typed(c), typed(a), typed(b)):totable())
            end
         end
         local a, b = numbers(3, 5, 7):transpose(2, 3), numbers(3, 6, 5):transpose(2, 3)
         assert.same(torch.bmm(a, b):totable(),
            torch.bmm(a:type('torch.' .. class), b:type('torch.' .. class)):totable())
      end)

      -- Sums of integers are exact in float: results are the same bits, rounded.
      it('of long sums, with a vector and on top of rows is that of floats, rounded to ' .. class,
         function()
            local name = 'torch.' .. class
            local function both(...)
               local t = numbers(...)
               return t, t:type(name)
            end
            for _, sizes in ipairs { { 40, 1301, 70 }, { 260, 96, 130 }, { 300, 600, 34 },
               { 37, 600, 1 }, { 1, 600, 37 }, { 2000, 33, 2 } } do
               local m, k, n = unpack(sizes)
               local a, low_a = both(m, k)
               local at, low_at = both(k, m)
               local b, low_b = both(k, n)
               local bt, low_bt = both(n, k)
               local row, low_row = both(n)
               local c, low_c = both(m, n)
               for _, left in ipairs { { a, low_a }, { at:t(), low_at:t() } } do
                  for _, right in ipairs { { b, low_b }, { bt:t(), low_bt:t() } } do
                     local product = torch.mm(left[1], right[1])
                     local low = torch.mm(left[2], right[2])
                     assert.is_true(torch.equal(product:type(name), low))
                     low = torch.addmm(low_row:view(1, n):expand(m, n), left[2], right[2])
                     local sum = product + row:view(1, n):expand(m, n)
                     assert.is_true(torch.equal(sum:type(name), low))
                     low = low_c:clone():addmm(left[2], right[2])
                     assert.is_true(torch.equal((product + c):type(name), low))
                     local u, low_u = both(k)
                     local v, low_v = both(m)
                     low = torch.addmv(2, low_v, 3, left[2], low_u)
                     assert.is_true(torch.equal(torch.addmv(2, v, 3, left[1], u):type(name), low))
                  end
               end
            end
         end)
   end
end)

describe('a product that does not fit', function()
   it('names the sizes', function()
      refused('size mismatch, m1: %[2 x 3%], m2: %[2 x 2%]', function() torch.mm(D(2, 3), A) end)
      refused('mm: ', function() torch.mm(D(3, 3), A, B) end)
      refused(' mm: size mismatch, m1: %[2 x 3%]', function() torch.mm(D(2, 3), A) end)
      refused(' mm: size mismatch, m1', function() D(2, 2):mm(D(2, 3), A) end)
      refused(' mv: size mismatch, m: %[2 x 3%], v: %[2%]; .* the elements of v %(2%)', function()
         torch.mv(D(2, 3), D(2))
      end)
      refused(' bmm: size mismatch, batch1: %[4 x 2 x 3%]', function()
         torch.bmm(D(4, 2, 3), D(4, 2, 3))
      end)
      refused(' mm: types differ: DoubleTensor and FloatTensor', function()
         torch.mm(A, A:float())
      end)
      refused('multiplication between 1D and 2D tensors not yet supported', function()
         return x * A
      end)
      refused('mm: wanted a 2D and a 2D tensor, got 2D and 1D', function() torch.mm(A, x) end)
      refused('dot: ', function() torch.dot(x, D(3)) end)
      refused('addmm: invalid arguments', function() torch.ones(2, 2):addmm(A) end)
   end)
end)

describe('torch.linear', function()
   it('is the product with the weight turned, and the bias', function()
      local X, W, b = D { { 1, 2, 3 }, { 4, 5, 6 } }, D { { 1, 0, -1 }, { 2, 2, 2 } }, D { 10, 20 }
      assert.same({ { 8, 32 }, { 8, 50 } }, torch.linear(X, W, b):totable())
      assert.same({ { -2, 12 }, { -2, 30 } }, torch.linear(X, W):totable())
      assert.same({ 8, 32 }, torch.linear(X[1], W, b):totable())
   end)

   it('says what does not fit', function()
      refused('linear: input is 2x2, expected N x 3', function() torch.linear(A, D(4, 3)) end)
      refused('linear: invalid arguments', function() torch.linear(A, 3) end)
   end)

   it('has gradients, and gradients of those', function()
      local list = { torch.randn(2, 3), torch.randn(4, 3), torch.randn(4) }
      for i, t in ipairs(list) do
         list[i] = t:double():requiresGrad()
      end
      assert.is_true(torch.gradcheck(torch.linear, list))
      assert.is_true(torch.gradgradcheck(torch.linear, list))
   end)
end)
