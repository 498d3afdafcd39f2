local torch = require 'torch'
local nn = require 'nn'
local gradcheck = require 'test.support.gradcheck'
local numbers = require 'test.support.numbers'

local function sizes(tensor)
   return table.concat(tensor:size():totable(), 'x')
end

describe('nn.Reshape', function()
   it('reshapes a sample, and a batch of samples', function()
      numbers.equal({ { 1, 2 }, { 3, 4 }, { 5, 6 } }, nn.Reshape(3, 2):forward(torch.range(1, 6)))
      assert.equal('4x3x2', sizes(nn.Reshape(3, 2):forward(torch.Tensor(4, 6))))
      assert.equal('1x3x2', sizes(nn.Reshape(3, 2):forward(torch.Tensor(1, 6))))
      assert.equal('3x2', sizes(nn.Reshape(torch.LongStorage { 3, 2 }):forward(torch.Tensor(2, 3))))
   end)

   it('obeys batchMode', function()
      assert.equal('3x2', sizes(nn.Reshape(3, 2, false):forward(torch.Tensor(1, 6))))
      assert.equal('2x3', sizes(nn.Reshape(3, true):forward(torch.Tensor(2, 3))))
   end)

   it('takes inputs and gradients with gaps', function()
      local layer, x = nn.Reshape(6), torch.range(1, 6):view(3, 2):t()
      numbers.equal({ 1, 3, 5, 2, 4, 6 }, layer:forward(x))
      layer = nn.Reshape(3, 2)
      layer:forward(torch.range(1, 6))
      numbers.equal({ 1, 4, 2, 5, 3, 6 },
         layer:backward(torch.range(1, 6), torch.range(1, 6):view(2, 3):t()))
   end)

   it('has the gradients of central differences', function()
      gradcheck(nn.Reshape(3, 2), torch.randn(4, 6))
   end)

   it('says what it got and what it expected', function()
      local _, err = pcall(function() nn.Reshape(3, 2):forward(torch.Tensor(4, 5)) end)
      assert.matches('Reshape_spec.*nn.Reshape: input is 4x5 %(20 elements%), expected 4x3x2', err)
   end)

   it('prints its sizes', function()
      assert.equal('nn.Reshape(2x2)', tostring(nn.Reshape(2, 2)))
   end)
end)
