local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'

local function sizes(tensor)
   return table.concat(tensor:size():totable(), 'x')
end

describe('nn.View', function()
   it('finds the batch in the element count', function()
      local x = torch.range(1, 24):view(2, 3, 4)
      assert.equal('2x12', sizes(nn.View(12):forward(x)))
      assert.equal('24', sizes(nn.View(24):forward(x)))
      assert.equal('4x6', sizes(nn.View(6):forward(x)))
      assert.equal('2x2x6', sizes(nn.View(2, 6):forward(x)))
      assert.equal('12', sizes(nn.View(12):forward(torch.Tensor(1, 12))))
      assert.equal('2x3x4', sizes(nn.View(torch.LongStorage { 3, 4 }):forward(torch.Tensor(2, 12))))
   end)

   it('keeps a batch of one when it knows the dimensions of a sample', function()
      local view = nn.View(12):setNumInputDims(2)
      assert.equal('1x12', sizes(view:forward(torch.Tensor(1, 3, 4))))
      assert.equal('2x12', sizes(view:forward(torch.Tensor(2, 3, 4))))
      assert.equal('12', sizes(view:forward(torch.Tensor(3, 4))))
   end)

   it('works out one size of -1', function()
      assert.equal('24', sizes(nn.View(-1):forward(torch.Tensor(2, 3, 4))))
      assert.equal('6x4', sizes(nn.View(-1, 4):forward(torch.Tensor(2, 3, 4))))
      assert.equal('2x12', sizes(nn.View(-1):setNumInputDims(2):forward(torch.Tensor(2, 3, 4))))
   end)

   it('shares memory with the input, and gives gradients the input\'s shape', function()
      local view, x = nn.View(6), torch.range(1, 12):view(2, 2, 3)
      local y = view:forward(x)
      y[2][1] = -1
      assert.equal(-1, x[2][1][1])
      local g = view:backward(x, torch.range(1, 12):view(2, 6))
      numbers.equal({ { { 1, 2, 3 }, { 4, 5, 6 } }, { { 7, 8, 9 }, { 10, 11, 12 } } }, g)
      numbers.equal({ { { 1, 3, 5 }, { 7, 9, 11 } }, { { 2, 4, 6 }, { 8, 10, 12 } } },
         view:backward(x, torch.range(1, 12):view(6, 2):t()))
   end)

   it('forgets its buffers', function()
      local view = nn.View(6)
      view:forward(torch.Tensor(2, 6))
      view:backward(torch.Tensor(2, 6), torch.Tensor(6, 2):t())
      view:clearState()
      for name, value in pairs(view) do
         assert.is_true(not torch.isTensor(value) or value:nElement() == 0, name)
      end
   end)

   it('changes its sizes on resetSize', function()
      local view = nn.View(6)
      view:forward(torch.Tensor(2, 6))
      assert.equal('2x2x3', sizes(view:resetSize(2, 3):forward(torch.Tensor(2, 6))))
   end)

   it('refuses inputs that do not divide, that have gaps, and sizes with two -1', function()
      local _, err = pcall(function() nn.View(5):forward(torch.Tensor(3, 4)) end)
      assert.matches('View_spec.*input view %(3x4%) and desired view %(5%) do not match', err)
      _, err = pcall(function() nn.View(12):forward(torch.Tensor(3, 4):t()) end)
      assert.matches('nn.View: input 4x3 is not contiguous', err)
      _, err = pcall(nn.View, -1, -1)
      assert.matches('only one size can be %-1', err)
   end)

   it('prints its sizes', function()
      assert.equal('nn.View(-1, 4)', tostring(nn.View(-1, 4)))
   end)
end)
