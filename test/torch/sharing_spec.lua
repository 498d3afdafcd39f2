local torch = require 'torch'
local sharing = require 'torch.sharing'

describe('torch.sharing', function()
   it('numbers the tensor that each one of a list is part of', function()
      local w, b = torch.rand(3, 4), torch.rand(4)
      assert.same({}, sharing.wholes {})
      assert.same({ 1, 2, 1, 1, 2 }, sharing.wholes { w, b, w, w:t(), b:view(2, 2) })
      assert.same({ 1, 2 }, sharing.wholes { w, w:clone() })
      assert.same({ 1, 2 }, sharing.wholes { torch.Tensor(), torch.Tensor() })
   end)

   it('finds parts, wherever they begin and whatever comes first', function()
      local w = torch.rand(3, 4)
      assert.same({ 1, 1, 1, 1 }, sharing.wholes { w, w:narrow(1, 2, 2), w[1], w:select(2, 3) })
      assert.same({ 2, 2, 2 }, sharing.wholes { w[1], w, w[1] })
      assert.same({ 3, 3, 3 }, sharing.wholes { w[3], w:narrow(1, 2, 2):t(), w:t() })
   end)

   it('keeps apart what overlaps otherwise', function()
      local w = torch.rand(3, 4)
      assert.same({ 1, 2 }, sharing.wholes { w:select(1, 1), w:select(2, 1) })
      assert.same({ 1, 2 }, sharing.wholes { w:narrow(1, 1, 2), w:narrow(1, 2, 2) })
      local left = w:narrow(2, 1, 2) -- has gaps: 3 x 2
      assert.same({ 1, 1, 3 }, sharing.wholes { left, left:t(), w:narrow(1, 1, 2):narrow(2, 1, 2) })
      assert.same({ 1, 2 }, sharing.wholes { w:narrow(2, 1, 2), w:narrow(2, 3, 2) })
   end)

   it('leaves out what is there already', function()
      local w, b = torch.rand(3, 4), torch.rand(4)
      local once = sharing.once { w[2], b, w, w:t(), b }
      assert.equal(2, #once)
      assert.is_true(rawequal(w, once[1]) and rawequal(b, once[2]))
   end)

   it('has one key for views of the same elements', function()
      local w = torch.rand(4, 4)
      assert.equal(sharing.key(w), sharing.key(w:t()))
      assert.equal(sharing.key(w), sharing.key(w:view(-1)))
      assert.equal(sharing.key(w:narrow(2, 1, 2)), sharing.key(w:narrow(2, 1, 2):t()))
      local repeated = w:narrow(1, 1, 1):narrow(2, 1, 1):expand(2, 3) -- two strides of 0
      assert.equal(sharing.key(repeated), sharing.key(repeated:t()))
      assert.not_equal(sharing.key(w:select(1, 1)), sharing.key(w:select(2, 1)))
      assert.not_equal(sharing.key(w:narrow(1, 1, 2)), sharing.key(w))
      assert.is_nil(sharing.key(torch.Tensor()))
   end)

   it('tells where a tensor is in another one', function()
      local x = torch.rand(24):narrow(1, 3, 20)
      local function place(t)
         local first, sizes = sharing.place(x, t)
         return { first or false, sizes and sizes:totable() }
      end
      assert.same({ 1, { 20 } }, place(x))
      assert.same({ 5, { 2, 3 } }, place(x:narrow(1, 5, 6):view(2, 3)))
      assert.same({ 5, { 2, 3 } }, place(x:narrow(1, 5, 6):view(2, 3):t()))
      assert.same({ false }, place(x:narrow(1, 5, 6):view(2, 3):select(2, 1))) -- has gaps
      assert.same({ false }, place(torch.Tensor(x:storage(), 1, 4)))
      assert.same({ false }, place(torch.Tensor(x:storage(), 20, 4)))
      assert.same({ false }, place(x:clone()))
      assert.same({ false }, place(torch.Tensor()))
   end)

   it('copies what has the same parts', function()
      local w = torch.rand(3, 4)
      for _, case in ipairs {
         { w, w:t() }, { w:t(), w }, { w:t(), w:narrow(1, 2, 2) }, { w, w:select(2, 3) },
         { w:narrow(2, 2, 2), w:narrow(2, 2, 2):t() }, { w[2], w[2]:narrow(1, 2, 2) },
      } do
         local whole, part = case[1], case[2]
         local copy = sharing.copy(whole)
         assert.is_true(copy:equal(whole))
         assert.equal(whole:nElement(), copy:storage():size())
         assert.is_true(sharing.part(copy, whole, part):equal(part))
      end
      assert.is_true(sharing.copy(w:t(), torch.ones(4, 3)):equal(torch.ones(4, 3)))
   end)
end)
