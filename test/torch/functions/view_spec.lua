local torch = require 'torch'

local function refused(pattern, f)
   local ok, message = pcall(f)
   assert.is_false(ok)
   assert.matches(pattern, message)
   assert.matches('^[^:]*view_spec%.lua:%d+: ', message)
end

local function counted(...) -- 1, 2, 3, ... in row-major order
   local t = torch.DoubleTensor(...)
   for i = 1, t:nElement() do
      t:storage()[i] = i
   end
   return t
end

describe('construction', function()
   it('takes sizes, a LongStorage, a table, a tensor or a storage', function()
      assert.same({ 2, 3 }, torch.DoubleTensor(2, 3):size():totable())
      assert.same({ 2, 3, 4 }, torch.DoubleTensor(torch.LongStorage { 2, 3, 4 }):size():totable())
      assert.same({ { 1, 2 }, { 3, 4 } }, torch.DoubleTensor({ { 1, 2 }, { 3, '4' } }):totable())
      local t = counted(2, 2)
      local view = torch.DoubleTensor(t)
      view[1][1] = 9
      assert.equal(9, t[1][1])
      assert.same({ 2, 3 }, torch.DoubleTensor(torch.DoubleStorage { 1, 2, 3 }, 2, 2):totable())
      assert.same({ { 1, 3 }, { 2, 4 } },
         torch.DoubleTensor(torch.DoubleStorage { 1, 2, 3, 4 }, 1, 2, 1, 2, 2):totable())
   end)

   it('cuts sizes at the first that is not positive', function()
      assert.equal(0, torch.DoubleTensor(0):dim())
      assert.equal(0, torch.DoubleTensor(-1):dim())
      assert.same({ 2 }, torch.DoubleTensor(2, 0, 3):size():totable())
   end)

   it('views a LongStorage as a LongTensor', function()
      local s = torch.LongStorage { 4, 5 }
      local t = torch.LongTensor(s)
      t[1] = 7
      assert.equal(7, s[1])
   end)

   it('reads at most eight sizes as numbers', function()
      assert.equal(8, torch.ByteTensor(1, 1, 1, 1, 1, 1, 1, 1, 1, 1):dim())
      assert.equal(10, torch.ByteTensor(torch.LongStorage(10):fill(1)):dim())
   end)

   it('is refused for bad arguments', function()
      refused('invalid tensor sizes', function() torch.DoubleTensor { { 1, 2 }, { 3 } } end)
      refused('invalid element %(not a number%): x', function() torch.DoubleTensor { 'x' } end)
      refused('element 2 is a tensor; torch.stack%(t%) and torch.cat%(t, 1%) join', function()
         torch.DoubleTensor { 1, torch.DoubleTensor(2) }
      end)
      refused('cannot be made from a torch.%w*Tensor', function()
         torch.DoubleTensor(torch.FloatTensor(2))
      end)
      refused('at most 16 dimensions, got 17', function()
         torch.DoubleTensor(torch.LongStorage(17):fill(1))
      end)
      refused('Tensor: size 2 is a string', function() torch.DoubleTensor(2, 'x') end)
      refused('Tensor: size 4 is a table', function() torch.DoubleTensor(2, 3, 4, {}) end)
      refused('2 sizes but 1 strides', function()
         torch.DoubleTensor(torch.LongStorage { 2, 3 }, torch.LongStorage { 1 })
      end)
      refused('sizes and strides must be numbers, got number and string', function()
         torch.DoubleTensor(torch.DoubleStorage(4), 1, 2, 'x')
      end)
   end)

   it('ends for a table that holds itself', function()
      local t = {}
      t[1] = t
      refused('at most 16 dimensions', function() torch.DoubleTensor(t) end)
   end)

   it('is refused for more memory than there is, and the process lives on', function()
      refused('Tensor: out of memory on [%w ]+: asked 7.11 PiB', function()
         torch.DoubleTensor(1e15)
      end)
      refused('does not fit into any memory', function() torch.DoubleTensor(2 ^ 40, 2 ^ 40) end)
      assert.equal(1, torch.DoubleTensor(1):fill(1)[1])
   end)
end)

describe('a view', function()
   it('shares elements', function()
      local t = counted(3, 4)
      for _, v in ipairs { t:narrow(1, 2, 1), t:select(1, 2), t:sub(2, 2), t[2], t[{ 2, {} }],
         t:t():narrow(2, 2, 1), t:view(12):narrow(1, 5, 4) } do
         v:add(100)
      end
      assert.same({ 705, 706, 707, 708 }, t[2]:totable())
      assert.equal(1, t[1][1])
   end)

   it('sub names its range, which is not one', function()
      local t = torch.ones(2, 3)
      for _, range in ipairs { { 1, 3 }, { 0, 1 }, { 2, 1 }, { -3, 2 } } do
         local ok, message = pcall(t.sub, t, unpack(range))
         assert.is_false(ok)
         assert.matches('sub: %-?%d to %d is out of range: dimension 1 has size 2', message)
      end
   end)

   it('narrow, sub, select, transpose, permute, unfold have the right elements', function()
      local t = counted(3, 4)
      assert.same({ { 2, 3 }, { 6, 7 }, { 10, 11 } }, t:narrow(2, 2, 2):totable())
      assert.same({ { 6, 7 }, { 10, 11 } }, t:sub(2, -1, 2, -2):totable())
      assert.same({ 3, 7, 11 }, t:select(2, 3):totable())
      assert.same({ { 1, 5, 9 }, { 2, 6, 10 }, { 3, 7, 11 }, { 4, 8, 12 } }, t:t():totable())
      assert.same({ 4, 2, 3 }, counted(2, 3, 4):permute(3, 1, 2):size():totable())
      assert.equal(counted(2, 3, 4)[2][3][1], counted(2, 3, 4):permute(3, 1, 2)[1][2][3])
      assert.same({ { 1, 2, 3 }, { 3, 4, 5 } }, counted(6):unfold(1, 3, 2):totable())
      assert.equal(7, counted(9):select(1, 7))
   end)

   it('unfold takes steps of any length where one slice is left', function()
      local t = counted(2, 3):unfold(1, 2, 2 ^ 62)
      assert.same({ 1, 3, 2 }, t:size():totable())
      assert.same({ 1, 4 }, t[1][1]:totable())
   end)

   it('expand repeats without copying', function()
      local t = counted(2, 1):expand(2, 3)
      assert.same({ { 1, 1, 1 }, { 2, 2, 2 } }, t:totable())
      assert.equal(0, t:stride(2))
      assert.same({ 2, 3 }, counted(2, 1):expandAs(torch.FloatTensor(2, 3)):size():totable())
   end)

   it('view infers one size, and needs contiguous elements', function()
      assert.equal(0, torch.DoubleTensor():view(-1):dim())
      assert.equal(0, torch.DoubleTensor():view(3, -1):dim())
      assert.same({ 3, 4 }, counted(12):view(3, -1):size():totable())
      assert.same({ 3, 4 }, counted(12):viewAs(torch.ByteTensor(3, 4)):size():totable())
      refused('expecting a contiguous tensor', function() counted(3, 4):t():view(12) end)
      refused('Wrong size for view. Input size: 2x3. Output size: 4x2', function()
         counted(2, 3):view(4, 2)
      end)
      refused('only one size may be %-1', function() counted(4):view(-1, -1) end)
   end)

   it('squeeze drops dimensions of size 1; one element is a number', function()
      assert.same({ 2, 3 }, counted(2, 1, 3, 1):squeeze():size():totable())
      assert.same({ 2, 3, 1 }, counted(2, 1, 3, 1):squeeze(2):size():totable())
      assert.equal(1, counted(1, 1):squeeze())
      assert.same({ 2, 1, 3 }, counted(2, 3):unsqueeze(2):size():totable())
   end)

   it('split and chunk give pieces, the last possibly smaller', function()
      local function sizes(list)
         local result = {}
         for i, t in ipairs(list) do
            result[i] = t:size(1)
         end
         return result
      end
      assert.same({ 2, 2, 1 }, sizes(counted(5):split(2)))
      assert.same({ 2, 2, 1 }, sizes(counted(5):chunk(3)))
      assert.same({ 2, 2, 2 }, sizes(counted(6):chunk(4)))
      local kept = { 1, 2, 3, 4 }
      assert.equal(kept, torch.split(kept, counted(5), 3))
      assert.equal(2, #kept)
   end)

   it('is refused for bad dimensions and ranges', function()
      local beyond = 2 ^ 31
      refused('dimension 2147483648 out of range', function() counted(2):narrow(beyond, 1, 1) end)
      refused('dimension 2147483648 out of range', function() counted(2):unsqueeze(beyond) end)
      local t = counted(2, 3)
      refused('dimension 3 out of range of 2D tensor', function() t:narrow(3, 1, 1) end)
      refused('dimension 0 out of range', function() t:size(0) end)
      refused('dimension %-1 out of range', function() t:size(-1) end)
      refused('length 3 out of range: dimension 2 has size 3, the first index is 2', function()
         t:narrow(2, 2, 3)
      end)
      refused('t: wanted a 2D tensor, got 1D', function() counted(3):t() end)
      refused('dimension 1 is named twice', function() t:permute(1, 1) end)
      refused('only dimensions of size 1 expand', function() t:expand(4, 3) end)
      refused('must be a number, got string', function() t:narrow('a', 1, 1) end)
   end)
end)

describe('resize', function()
   it('keeps elements in memory order and grows the storage', function()
      local t = counted(2, 3)
      local other = t:narrow(1, 1, 1)
      t:resize(3, 2)
      assert.same({ { 1, 2 }, { 3, 4 }, { 5, 6 } }, t:totable())
      t:resize(1000)
      t:fill(5)
      assert.same({ { 5, 5, 5 } }, other:totable()) -- the view follows its storage
   end)

   it('is refused for strides that do not go with the sizes', function()
      refused('strides must be a LongStorage, got number', function()
         torch.DoubleTensor():resize(torch.LongStorage { 2, 3 }, 5)
      end)
      refused('2 sizes but 3 strides', function()
         torch.DoubleTensor():resize(torch.LongStorage { 2, 3 }, torch.LongStorage { 3, 1, 1 })
      end)
   end)

   it('on the same sizes changes nothing, strides included', function()
      local t = counted(2, 3):t()
      t:resize(3, 2)
      assert.equal(1, t:stride(1))
   end)

   it('never lets a tensor leave its storage when that shrinks', function()
      local t = counted(100)
      t:storage():resize(1)
      assert.equal(100, t[100])
      t:fill(1)
   end)
end)

describe('contiguous and clone', function()
   it('contiguous returns the same tensor when it can', function()
      local t = counted(2, 3)
      assert.is_true(rawequal(t, t:contiguous()))
      local copy = t:t():contiguous()
      assert.is_true(copy:isContiguous())
      assert.same({ { 1, 4 }, { 2, 5 }, { 3, 6 } }, copy:totable())
   end)

   it('clone shares nothing', function()
      local t = counted(2)
      t:clone():fill(0)
      assert.equal(2, t[2])
   end)
end)

describe('set', function()
   it('shares, empties, and refuses other types', function()
      local t, other = counted(2), counted(3)
      t:set(other)
      assert.is_true(t:isSetTo(other))
      refused('set: invalid arguments', function()
         t:set(nil) -- a field that is not there
      end)
      assert.equal(0, t:set():dim())
      refused('set: invalid arguments: %w*DoubleTensor %w*Tensor', function()
         t:set(torch.FloatTensor(1))
      end)
   end)

   it('grows a storage that is too small for the sizes', function()
      local s = torch.DoubleStorage { 1, 2 }
      local t = torch.DoubleTensor():set(s, 2, torch.LongStorage { 3 })
      assert.equal(4, #s)
      assert.equal(2, t[1])
   end)
end)
