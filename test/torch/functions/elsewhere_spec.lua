-- PyTorch's names: each against what Torch7 spells otherwise, or numbers worked out by hand.
local torch = require 'torch'

local function refused(pattern, f, ...)
   local ok, message = pcall(f, ...)
   assert.is_false(ok)
   assert.matches(pattern, message)
end

local m = torch.Tensor { { 3, 9, 5 }, { 8, 1, 2 } }

describe('argmax and argmin', function()
   it('give the place in row-major order, from 1', function()
      assert.equal(2, torch.argmax(m))
      assert.equal(5, m:argmin())
      assert.equal(3, m:t():argmax()) -- 3 8 / 9 1 / 5 2: strides do not matter
   end)

   it('give positions along a dimension, which is left out or kept', function()
      assert.same({ 2, 1 }, m:argmax(2):totable())
      assert.same({ 2, 1, 1 }, m:argmax(1):totable())
      assert.same({ { 1 }, { 2 } }, m:argmin(-1, true):totable())
      assert.equal('torch.LongTensor', m:argmax(1):type())
      assert.same({ 2 }, m[1]:argmax(1):totable())
   end)

   it('refuse other dimensions', function()
      refused('argmax: dimension 3 out of range of 2D tensor', m.argmax, m, 3)
      refused('argmin: dimension 0 out of range', m.argmin, m, 0)
      refused('argmax: invalid arguments: number', torch.argmax, 3)
   end)
end)

describe('argsort', function()
   it('gives the second result of sort, along the last dimension', function()
      assert.same({ { 1, 3, 2 }, { 2, 3, 1 } }, m:argsort():totable())
      assert.same({ { 1, 2, 2 }, { 2, 1, 1 } }, torch.argsort(m, 1):totable())
      assert.same({ { 2, 3, 1 }, { 1, 3, 2 } }, m:argsort(2, true):totable())
   end)
end)

describe('tensors like another', function()
   it('have its type and sizes, in memory of their own', function()
      for _, type in ipairs { 'torch.FloatTensor', 'torch.DoubleTensor' } do
         local x = torch.ones(2, 3):type(type):t()
         for name, values in pairs { zeros_like = 0, ones_like = 1 } do
            local y = torch[name](x)
            assert.equal(type, y:type())
            assert.same({ 3, 2 }, y:size():totable())
            assert.equal(values, y:min())
            assert.equal(values, y:max())
         end
         assert.same({ 3, 2 }, torch.empty_like(x):size():totable())
         assert.equal(42, torch.full_like(x, 7):sum())
         assert.equal(6, x:sum())
      end
      assert.equal('torch.LongTensor', torch.zeros_like(torch.LongTensor(2)):type())
   end)

   it('draw what rand and randn draw', function()
      torch.manualSeed(3)
      local u, n = torch.rand(4), torch.randn(4)
      torch.manualSeed(3)
      local x = torch.Tensor(4)
      assert.is_true(u:equal(torch.rand_like(x)))
      assert.is_true(n:equal(torch.randn_like(x)))
   end)

   it('want a tensor', function()
      refused('zeros_like: invalid arguments: table', torch.zeros_like, { 2, 3 })
   end)
end)

describe('tensors of numbers', function()
   it('are made by full, tensor and arange, whose end is left out', function()
      assert.same({ { 7, 7, 7 }, { 7, 7, 7 } }, torch.full({ 2, 3 }, 7):totable())
      assert.same({ 7 }, torch.full(torch.LongStorage { 1 }, 7):totable())
      assert.same({ { 1, 2 } }, torch.tensor({ { 1, 2 } }):totable())
      assert.same({ 3 }, torch.tensor(3):totable())
      assert.same({ 0, 1, 2 }, torch.arange(3):totable())
      assert.same({ 1, 3 }, torch.arange(1, 5, 2):totable())
      assert.same({ 3, 2 }, torch.arange(3, 1, -1):totable())
      assert.equal(0, torch.arange(0):nElement())
      refused('arange: invalid arguments: number number number', torch.arange, 0, 1, 0)
      refused('full: the sizes must be a table or a LongStorage, got number', torch.full, 2, 3)
   end)

   it('are drawn by randint from the first up to, and without, the last', function()
      local x = torch.randint(3, 6, { 50, 20 })
      assert.equal('torch.LongTensor', x:type())
      assert.same({ 50, 20 }, x:size():totable())
      assert.equal(3, x:min())
      assert.equal(5, x:max())
      assert.equal(0, torch.randint(1, { 4 }):max())
      refused('randint: there is no integer from 3 up to, and without, 3', torch.randint, 3, 3,
         { 1 })
   end)
end)

describe('matmul', function()
   local a = torch.Tensor { { 1, 2 }, { 3, 4 }, { 5, 6 } }
   local v, w = torch.Tensor { 1, 10 }, torch.Tensor { 1, 10, 100 }

   it('takes vectors, matrices and batches', function()
      assert.equal(101, torch.matmul(v, v))
      assert.same({ 21, 43, 65 }, torch.matmul(a, v):totable())
      assert.same({ 531, 642 }, w:matmul(a):totable())
      assert.same({ { 5, 11 }, { 11, 25 } }, torch.matmul(a:narrow(1, 1, 2),
         a:narrow(1, 1, 2).T):totable())
      local batch = torch.Tensor { { { 2 } }, { { 3 } } }
      assert.same({ { { 4 } }, { { 9 } } }, torch.matmul(batch, batch):totable())
   end)

   it('says which products there are', function()
      refused('matmul: size mismatch, x: %[3 x 2%], y: %[3 x 2%]; the columns of x %(2%) must '
         .. 'equal the rows of y %(3%)', torch.matmul, a, a)
      refused('x: %[3 x 2%], y: %[3%]; the columns of x %(2%) must equal the elements of y',
         torch.matmul, a, torch.ones(3))
      refused('x: %[2%], y: %[3 x 2%]; the elements of x %(2%) must equal the rows of y',
         torch.matmul, torch.ones(2), a)
      refused('x: %[2%], y: %[3%]; the elements', torch.matmul, torch.ones(2), torch.ones(3))
      refused('x: %[2 x 1 x 3%], y: %[2 x 1 x 3%]; the columns of x %(3%) must equal',
         torch.matmul, torch.ones(2, 1, 3), torch.ones(2, 1, 3))
      refused('there are 2 matrices and 4', torch.matmul, torch.ones(2, 1, 1), torch.ones(4, 1, 1))
      refused('matmul: no product of a 3D and a 1D tensor', torch.matmul, torch.ones(2, 2, 2), v)
      refused('matmul: invalid arguments: DoubleTensor number', torch.matmul, a, 2)
   end)

   it('of outer is each with each', function()
      assert.same({ { 1, 10 }, { 10, 100 } }, torch.outer(v, v):totable())
   end)
end)

describe('a tensor', function()
   it('has its sizes as shape and its transpose as T', function()
      assert.same({ 2, 3 }, m.shape:totable())
      assert.equal(3, m.shape[2])
      assert.same({ { 3, 8 }, { 9, 1 }, { 5, 2 } }, m.T:totable())
      m.T[1][2] = 80
      assert.equal(80, m[2][1])
      m[2][1] = 8
      local v = torch.ones(2)
      assert.same({ 1, 1 }, v.T:totable())
      assert.is_nil(torch.ones(1, 1, 1).T)
   end)

   it('says whether it needs a gradient, as PyTorch does', function()
      local x = torch.ones(2)
      assert.is_false(x.requires_grad)
      assert.is_true(x.is_leaf)
      x.requires_grad = true
      assert.is_true(x.requires_grad and x:isVariable())
      local y = x * 2
      assert.is_true(y.requires_grad)
      assert.is_false(y.is_leaf)
      x.requires_grad = false
      assert.is_false(x.requires_grad)
      refused('requires_grad: invalid arguments', function() x.requires_grad = 1 end)
      assert.equal(x:type():find 'Cuda' ~= nil, x.is_cuda)
   end)

   it('has what a script puts in their place', function()
      local methods = torch.getmetatable 'torch.IntTensor'
      methods.shape = function() return 'mine' end
      assert.equal('mine', torch.IntTensor(2):shape())
      methods.shape = nil
      assert.same({ 2 }, torch.IntTensor(2).shape:totable())
      assert.is_nil(torch.IntTensor(2).nothing)
   end)

   it('becomes a table', function()
      assert.same(m:totable(), m:tolist())
      assert.same({ { 3, 8 }, { 9, 1 }, { 5, 2 } }, m:t():tolist())
   end)
end)
