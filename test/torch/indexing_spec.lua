local torch = require 'torch'

local typenames = { 'torch.ByteTensor', 'torch.CharTensor', 'torch.ShortTensor', 'torch.IntTensor',
   'torch.LongTensor', 'torch.HalfTensor', 'torch.BFloat16Tensor', 'torch.FloatTensor',
   'torch.DoubleTensor' }

local function new(typename, values)
   return torch.getconstructortable(typename)(values)
end

-- A 2x3x4 tensor whose element (i, j, k) is 100 i + 10 j + k.
local function coded()
   local t = torch.DoubleTensor(2, 3, 4)
   for i = 1, 2 do
      for j = 1, 3 do
         for k = 1, 4 do
            t[i][j][k] = 100 * i + 10 * j + k
         end
      end
   end
   return t
end

local function refused(pattern, f)
   local ok, message = pcall(f)
   assert.is_false(ok)
   assert.matches(pattern, message)
   assert.matches('^[^:]*indexing_spec%.lua:%d+: ', message)
end

describe('t[i]', function()
   it('reads and writes elements of every type', function()
      for _, typename in ipairs(typenames) do
         local t = new(typename, { 1, 2, 3 })
         t[2] = 7
         assert.same({ 1, 7, 3 }, { t[1], t[2], t[3] })
         assert.equal('number', type(t[1]))
      end
   end)

   it('counts negative positions from the end', function()
      local t = torch.DoubleTensor { 1, 2, 3 }
      assert.equal(3, t[-1])
      t[-3] = 9
      assert.equal(9, t[1])
   end)

   it('is a view of a tensor with more dimensions', function()
      local t = coded()
      local row = t[2][3]
      assert.same({ 231, 232, 233, 234 }, row:totable())
      row[1] = 0
      assert.equal(0, t[{ 2, 3, 1 }])
   end)

   it('truncates and wraps what an integer type cannot hold', function()
      local b = torch.ByteTensor(3)
      b[1], b[2], b[3] = 300, -1, 2.9
      assert.same({ 44, 255, 2 }, b:totable())
   end)

   it('keeps 16-bit floating types at their precision', function()
      assert.equal(0.0999755859375, new('torch.HalfTensor', { 0.1 })[1]) -- nearest binary16
      assert.equal(0.10009765625, new('torch.BFloat16Tensor', { 0.1 })[1]) -- nearest bfloat16
   end)

   it('fills a row with a number and copies a tensor of any type into it', function()
      local t = torch.DoubleTensor(2, 2):fill(0)
      t[1] = 5
      t[2] = torch.IntTensor { 1, 2 }
      assert.same({ { 5, 5 }, { 1, 2 } }, t:totable())
   end)

   it('is refused out of range', function()
      local t = torch.DoubleTensor { 1, 2, 3 }
      refused('index: 4 is out of range: dimension 1 has size 3', function() return t[4] end)
      refused('index: 0 is out of range', function() return t[0] end)
      refused('index: %-4 is out of range', function() return t[-4] end)
      refused('index: 4 is out of range', function() t[4] = 1 end)
      refused('index: cannot index an empty tensor', function() return torch.DoubleTensor()[1] end)
      assert.same({ 1, 2, 3 }, t:totable())
   end)
end)

describe('t[{...}]', function()
   it('with a number for every dimension is an element', function()
      local t = coded()
      assert.equal(234, t[{ 2, 3, 4 }])
      assert.equal(234, t[{ -1, -1, -1 }])
      t[{ 1, 2, 3 }] = 5
      assert.equal(5, t[1][2][3])
      assert.equal(2, torch.DoubleTensor({ { 1, 2 } })[{ 1, 2 }])
   end)

   it('selects by number and narrows by table', function()
      local t = coded()
      assert.same({ { 112, 113 }, { 122, 123 } }, t[{ 1, { 1, 2 }, { 2, 3 } }]:totable())
      assert.same({ 1, 3, 4 }, t[{ { 2 } }]:size():totable())
      assert.same({ 3, 4 }, t[{ 2 }]:size():totable())
      assert.same({ 2, 4 }, t[{ {}, 2 }]:size():totable())
      assert.same({ 2, 3, 2 }, t[{ {}, {}, { -2, -1 } }]:size():totable())
      assert.equal(124, t[{ { 1 }, { 2 }, { 4 } }][1][1][1])
   end)

   it('is a view', function()
      local t = coded()
      t[{ {}, 2, { 1, 2 } }]:fill(0)
      assert.equal(0, t[1][2][1])
      assert.equal(0, t[2][2][2])
      assert.equal(123, t[1][2][3])
   end)

   it('assigns numbers and tensors', function()
      local t = torch.DoubleTensor(2, 3):fill(0)
      t[{ {}, 2 }] = 7
      t[{ 1, { 2, 3 } }] = torch.FloatTensor { 8, 9 }
      assert.same({ { 0, 8, 9 }, { 0, 7, 0 } }, t:totable())
   end)

   it('is refused for bad lists', function()
      local t = coded()
      refused('too many indices provided: 4 for a 3D tensor', function()
         return t[{ 1, 1, 1, 1 }]
      end)
      refused('first to last is a table of its own', function()
         return torch.range(1, 5)[{ 2, 4 }]
      end)
      refused('dimension 2 has size 3', function() return t[{ 1, 4 }] end)
      refused('dimension 3 has size 4', function() return t[{ 1, 1, { 1, 5 } }] end)
      refused('ends before it begins', function() return t[{ { 2, 1 } }] end)
      refused('index 2 is a string', function() return t[{ 1, 'a' }] end)
      refused('can only assign a number or a tensor, got string', function() t[{ 1 }] = 'x' end)
      refused('sizes do not match', function() t[{ 1 }] = torch.DoubleTensor(5) end)
      assert.is_true(t:equal(coded()))
   end)
end)

describe('t[LongStorage]', function()
   it('is the element with those indices', function()
      assert.equal(123, coded()[torch.LongStorage { 1, 2, 3 }])
   end)
   it('wants one index per dimension', function()
      refused('a LongStorage of 3 indices', function() return coded()[torch.LongStorage { 1 }] end)
   end)
   it('is refused for an empty tensor', function()
      local empty = torch.DoubleTensor()
      refused('cannot index an empty tensor', function() return empty[torch.LongStorage()] end)
      refused('cannot index an empty tensor', function() empty[torch.LongStorage()] = 1 end)
   end)
end)

describe('t[mask]', function()
   it('selects, fills and copies', function()
      local t = torch.DoubleTensor { { 1, 5 }, { 7, 2 } }
      assert.same({ 5, 7 }, t[t:gt(4)]:totable())
      t[t:gt(4)] = 0
      assert.same({ { 1, 0 }, { 0, 2 } }, t:totable())
      t[t:eq(0)] = torch.DoubleTensor { 8, 9 }
      assert.same({ { 1, 8 }, { 9, 2 } }, t:totable())
      assert.equal(0, t[t:gt(100)]:dim())
   end)

   it('writes what it selects where elements are one in memory', function()
      local mask = torch.DoubleTensor { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 0 } }:eq(1)
      local t = torch.DoubleTensor { { 1, 2, 3 } }
      t:expand(3, 3)[mask] = 7
      assert.same({ { 7, 7, 3 } }, t:totable())
      t:expand(3, 3)[mask] = torch.DoubleTensor { 8, 9 }
      assert.same({ { 8, 9, 3 } }, t:totable())
      local v = torch.DoubleTensor { 1, 2, 3, 4 }
      v:unfold(1, 2, 1)[torch.DoubleTensor { { 0, 1 }, { 0, 0 }, { 0, 0 } }:eq(1)] = 0
      assert.same({ 1, 0, 3, 4 }, v:totable())
   end)

   it('must be a ByteTensor', function()
      refused('a mask must be a ByteTensor.-, got torch.%w*Tensor', function()
         return coded()[torch.FloatTensor(2, 3, 4)]
      end)
   end)
end)

describe('a name', function()
   it('that is unknown is nil, and cannot be assigned', function()
      local t = torch.DoubleTensor(2)
      assert.is_nil(t.nonsense)
      refused('the class torch.%w*DoubleTensor cannot be indexed', function() t.nonsense = 1 end)
      refused('attempt to write to constant location', function() t.ndim = 5 end)
      assert.equal(1, t:dim())
   end)
end)
