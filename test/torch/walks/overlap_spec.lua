-- Results that lie where an operand lies: as if all operands had been read first.
local torch = require 'torch'

local function fresh(class, ...)
   local sizes = { ... }
   local n = 1
   for _, size in ipairs(sizes) do
      n = n * size
   end
   local x = torch.DoubleTensor(n)
   for i = 1, n do
      x[i] = (i * 37) % 101
   end
   return x:type(class):view(...)
end

local CLASSES = { 'torch.DoubleTensor', 'torch.FloatTensor', 'torch.ByteTensor',
   'torch.ShortTensor', 'torch.LongTensor', 'torch.HalfTensor' }
local SIZES = { 3, 8, 9, 16, 33, 65, 300 } -- below and above every tile and short cut

describe('a copy within one storage', function()
   it('of a transpose onto the matrix itself transposes it', function()
      for _, class in ipairs(CLASSES) do
         for _, n in ipairs(SIZES) do
            local x = fresh(class, n, n)
            local expected = x:t():clone()
            x:copy(x:t())
            assert.is_true(x:equal(expected), class .. ' ' .. n)
         end
      end
   end)

   it('of other dimensions, and of a part onto another', function()
      for _, class in ipairs(CLASSES) do
         for _, n in ipairs { 2, 5, 17, 40 } do
            local x = fresh(class, n, n, 3)
            local expected = x:transpose(1, 2):clone()
            x:copy(x:transpose(1, 2))
            assert.is_true(x:equal(expected))
            x = fresh(class, n, 3, n):transpose(1, 3)
            expected = x:transpose(1, 3):clone()
            x:copy(x:transpose(1, 3))
            assert.is_true(x:equal(expected))
            local m = fresh(class, n + 1, n + 1)
            local from, to = m:sub(1, n, 1, n), m:sub(2, n + 1, 2, n + 1)
            expected = from:clone()
            to:copy(from)
            assert.is_true(to:equal(expected))
            m = fresh(class, n + 1, n + 1)
            from, to = m:sub(2, n + 1, 2, n + 1):t(), m:sub(1, n, 1, n)
            expected = from:clone()
            to:copy(from)
            assert.is_true(to:equal(expected))
         end
      end
   end)

   it('of a shifted vector, short and long, to either side', function()
      for _, class in ipairs(CLASSES) do
         for _, n in ipairs { 5, 70, 1000, 200000 } do
            for _, shift in ipairs { 1, 3, 64 } do
               local x = fresh(class, n + shift)
               local expected = x:narrow(1, 1, n):clone()
               x:narrow(1, shift + 1, n):copy(x:narrow(1, 1, n))
               assert.is_true(x:narrow(1, shift + 1, n):equal(expected))
               x = fresh(class, n + shift)
               expected = x:narrow(1, shift + 1, n):clone()
               x:narrow(1, 1, n):copy(x:narrow(1, shift + 1, n))
               assert.is_true(x:narrow(1, 1, n):equal(expected))
            end
         end
      end
   end)

   it('of every second element, and of one element to all', function()
      local x = fresh('torch.FloatTensor', 1000)
      local expected = x:view(500, 2):select(2, 2):clone()
      x:narrow(1, 1, 500):copy(x:view(500, 2):select(2, 2))
      assert.is_true(x:narrow(1, 1, 500):equal(expected))
      x = fresh('torch.FloatTensor', 300)
      expected = x[150]
      x:copy(x:narrow(1, 150, 1):expand(300))
      assert.equal(300, x:eq(expected):sum())
   end)
end)

describe('an element-wise result that lies under an operand', function()
   it('shifted, is what it is elsewhere', function()
      for _, class in ipairs(CLASSES) do
         for _, n in ipairs { 9, 100, 100000 } do
            local x = fresh(class, n + 1)
            local expected = x:narrow(1, 2, n):clone():add(x:narrow(1, 1, n))
            x:narrow(1, 2, n):add(x:narrow(1, 1, n))
            assert.is_true(x:narrow(1, 2, n):equal(expected), class .. ' ' .. n)
         end
      end
   end)

   it('transposed, is what it is elsewhere', function()
      for _, n in ipairs(SIZES) do
         local x = fresh('torch.DoubleTensor', n, n)
         local expected = x:clone():add(2, x:t():clone())
         x:add(2, x:t())
         assert.is_true(x:equal(expected))
         expected = x:t():clone():cmul(x)
         torch.cmul(x, x:t(), x)
         assert.is_true(x:equal(expected))
      end
   end)

   it('takes the shape of the first operand when it is the second', function()
      local y = torch.range(1, 6):view(3, 2):t()
      assert.same({ { 1, 3 }, { 5, 2 }, { 4, 6 } },
         torch.cmul(y, torch.ones(3, 2), y):totable())
      y = torch.range(1, 6):view(3, 2):t()
      torch.add(y, torch.zeros(6), 10, y)
      assert.same({ 10, 30, 50, 20, 40, 60 }, y:totable())
      y = torch.ByteTensor { { 0, 1 }, { 1, 1 }, { 0, 1 } }:t()
      torch.eq(y, torch.ByteTensor(3, 2):fill(1), y)
      assert.same({ { 0, 1 }, { 0, 1 }, { 1, 1 } }, y:totable())
   end)

   it('whose elements are one in memory reads them once', function()
      local x = torch.DoubleTensor { 1, 2 }
      local wide = x:view(2, 1):expand(2, 5)
      wide:add(1)
      assert.same({ 2, 3 }, x:totable())
      wide:cmul(wide)
      assert.same({ 4, 9 }, x:totable())
   end)
end)

describe('a result among the operands', function()
   it('of cat, in any place', function()
      for place = 1, 3 do
         local list = {}
         for i = 1, 3 do
            list[i] = fresh('torch.FloatTensor', 3, 4):add(100 * i):t()
         end
         local expected = torch.cat(list, 1)
         assert.is_true(torch.cat(list[place], list, 1):equal(expected))
      end
   end)

   it('of reductions and scans, transposed', function()
      for _, name in ipairs { 'sum', 'prod', 'mean', 'var', 'cumsum', 'norm' } do
         for dim = 1, 2 do
            local x = fresh('torch.DoubleTensor', 5, 7):t()
            local args = name == 'norm' and { 2, dim } or { dim }
            local expected = torch[name](x, unpack(args))
            torch[name](x, x, unpack(args))
            assert.is_true(x:equal(expected), name .. dim)
         end
      end
   end)

   it('of reshape and repeatTensor', function()
      local x = fresh('torch.DoubleTensor', 4, 6):t()
      local expected = torch.reshape(x, 3, 8)
      assert.is_true(torch.reshape(x, x, 3, 8):equal(expected))
      x = fresh('torch.DoubleTensor', 4, 6):t()
      expected = torch.repeatTensor(x, 2, 3)
      assert.is_true(torch.repeatTensor(x, x, 2, 3):equal(expected))
   end)

   it('is refused where it would be two results', function()
      local x = fresh('torch.LongTensor', 3, 4)
      local r = torch.LongTensor()
      local ok, message = pcall(torch.max, r, r, x, 1)
      assert.is_false(ok)
      assert.matches('two results cannot go into the same tensor', message)
   end)
end)
