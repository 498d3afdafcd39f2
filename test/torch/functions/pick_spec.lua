local torch = require 'torch'

local function refused(pattern, f)
   local ok, message = pcall(f)
   assert.is_false(ok)
   assert.matches(pattern, message)
   assert.matches('^[^:]*pick_spec%.lua:%d+: ', message)
end

local function m()
   return torch.range(1, 6):view(2, 3)
end

local L = torch.LongTensor

describe('by position', function()
   it('index copies slices', function()
      assert.same({ { 3, 1 }, { 6, 4 } }, m():index(2, L { 3, 1 }):totable())
      local r = torch.DoubleTensor()
      r:index(m(), 1, L { 2, 2 })
      assert.same({ { 4, 5, 6 }, { 4, 5, 6 } }, r:totable())
   end)

   it('indexCopy, indexAdd, indexFill write slices', function()
      assert.same({ { 9, 2, 8 }, { 9, 5, 8 } },
         m():indexCopy(2, L { 3, 1 }, torch.DoubleTensor { { 8, 9 }, { 8, 9 } }):totable())
      assert.same({ { 1, 2, 3 }, { 6, 7, 8 } },
         m():indexAdd(1, L { 2, 2 }, torch.ones(2, 3)):totable())
      assert.same({ { 0, 2, 0 }, { 0, 5, 0 } }, m():indexFill(2, L { 1, 3 }, 0):totable())
   end)

   it('gather and scatter undo each other', function()
      local i = L { { 2, 1, 2 } }
      assert.same({ { 4, 2, 6 } }, m():gather(1, i):totable())
      assert.same({ { 0, 8, 0 }, { 7, 0, 9 } },
         torch.zeros(2, 3):scatter(1, i, torch.DoubleTensor { { 7, 8, 9 } }):totable())
      assert.same({ { 0, 5, 0 }, { 5, 0, 5 } }, torch.zeros(2, 3):scatter(1, i, 5):totable())
   end)

   it('a position out of range is refused before anything is written', function()
      local t = m()
      refused('index: ', function() t:index(1, L { 1, 3 }) end)
      refused('indexFill: ', function() t:indexFill(1, L { 1, 0 }, 9) end)
      refused('scatter: ', function() t:scatter(1, L { { 1, 3, 1 } }, 9) end)
      refused('gather: ', function() t:gather(1, L { { 1, -1, 1 } }) end)
      assert.is_true(t:equal(m()))
   end)
end)

describe('by mask', function()
   it('select, fill, copy', function()
      local t = m()
      assert.same({ 5, 6 }, t:maskedSelect(t:gt(4)):totable())
      assert.same({ { 1, 2, 3 }, { 4, 0, 0 } }, t:maskedFill(t:gt(4), 0):totable())
      t:maskedCopy(t:eq(0), torch.DoubleTensor { 7, 8 })
      assert.same({ { 1, 2, 3 }, { 4, 7, 8 } }, t:totable())
   end)

   it('nonzero lists coordinates', function()
      local t = torch.DoubleTensor { { 0, 5 }, { 3, 0 } }
      assert.same({ { 1, 2 }, { 2, 1 } }, t:nonzero():totable())
   end)

   it('is refused for masks that do not fit', function()
      local t = m()
      refused('maskedSelect: ', function() t:maskedSelect(torch.ByteTensor(5):fill(1)) end)
      refused('maskedFill: ', function() t:maskedFill(torch.ByteTensor(2, 3):fill(2), 0) end)
      refused('maskedCopy: ', function() t:maskedCopy(t:gt(0), torch.ones(2)) end)
      assert.is_true(t:equal(m()))
   end)
end)

describe('order', function()
   it('sort along a dimension', function()
      local t = torch.DoubleTensor { { 3, 1, 2 }, { 9, 7, 8 } }
      local values, positions = t:sort()
      assert.same({ { 1, 2, 3 }, { 7, 8, 9 } }, values:totable())
      assert.same({ { 2, 3, 1 }, { 2, 3, 1 } }, positions:totable())
      assert.same({ { 9, 7, 8 }, { 3, 1, 2 } }, (torch.sort(t, 1, true)):totable())
      assert.same({ { 3, 2, 1 }, { 9, 8, 7 } }, (torch.sort(t, true)):totable())
   end)

   it('topk gives the smallest by default', function()
      local t = torch.DoubleTensor { 4, 1, 3, 2 }
      assert.same({ 1 }, (t:topk()):totable())
      assert.same({ 1, 2 }, (t:topk(2, 1, false, true)):totable())
      local values, positions = torch.topk(t, 2, 1, true, true)
      assert.same({ 4, 3 }, values:totable())
      assert.same({ 1, 3 }, positions:totable())
   end)

   it('kthvalue, median, mode', function()
      local t = torch.DoubleTensor { 4, 1, 3, 2 }
      assert.equal(3, (t:kthvalue(3))[1])
      assert.equal(2, (t:median())[1])
      assert.equal(4, (torch.kthvalue(t, 4))[1])
      assert.equal(7, (torch.mode(torch.DoubleTensor { 1, 7, 7, 3 }))[1])
   end)

   it('is refused for bad arguments', function()
      refused('topk: ', function() torch.range(1, 3):topk(4) end)
      refused('kthvalue: ', function() torch.range(1, 3):kthvalue(0) end)
      refused('sort: dimension 2 out of range', function() torch.range(1, 3):sort(2) end)
   end)
end)
