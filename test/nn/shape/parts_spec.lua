-- Select, Narrow, Index, MaskedSelect, Padding: parts of an input, or more than it.
local torch = require 'torch'
local nn = require 'nn'
local gradcheck = require 'test.support.gradcheck'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local x = torch.Tensor { { 1, 2, 3 }, { 4, 5, 6 } }

describe('nn.Select and nn.Narrow', function()
   it('count from both ends', function()
      numbers.equal({ 4, 5, 6 }, nn.Select(1, 2):forward(x))
      numbers.equal({ 4, 5, 6 }, nn.Select(1, -1):forward(x))
      numbers.equal({ 2, 5 }, nn.Select(-1, -2):forward(x))
      numbers.equal({ { 2, 3 }, { 5, 6 } }, nn.Narrow(2, 2, 2):forward(x))
      numbers.equal({ { 2, 3 }, { 5, 6 } }, nn.Narrow(-1, 2, -1):forward(x))
      numbers.equal({ { 1 }, { 4 } }, nn.Narrow(2, -1, 2):forward(x))
      numbers.equal({ { 2 }, { 5 } }, nn.Narrow(2, 2):forward(x))
   end)

   it('are copies, of any element type', function()
      local words = torch.LongTensor { { 1, 2 }, { 3, 4 } }
      local row = nn.Select(1, 2):forward(words)
      words[2][1] = 7
      numbers.equal({ 3, 4 }, row)
      assert.equal(words:type(), row:type())
      assert.is_true(nn.Narrow(2, 1, 2):forward(x):isContiguous())
   end)

   it('let a layer behind write over its input', function()
      local net = nn.Sequential():add(nn.Tanh()):add(nn.Select(1, 2)):add(nn.MulConstant(3, true))
      gradcheck(net, torch.randn(2, 3))
   end)

   it('give what any layer takes: without gaps, and no branch writes to another', function()
      local net = nn.ConcatTable():add(nn.Identity())
         :add(nn.Sequential():add(nn.Narrow(2, 2, 2)):add(nn.View(-1)):add(nn.ReLU(true)))
         :add(nn.Sequential():add(nn.Select(2, 1)):add(nn.View(-1)):add(nn.MulConstant(2, true)))
      local y = net:forward(x:clone():mul(-1))
      numbers.equal({ { -1, -2, -3 }, { -4, -5, -6 } }, y[1])
      numbers.equal({ 0, 0, 0, 0 }, y[2])
      numbers.equal({ -2, -8 }, y[3])
   end)

   it('keep nothing of an input but their part', function()
      for _, layer in ipairs { nn.Narrow(1, 3, 1), nn.Select(1, 3) } do
         local y = layer:forward(torch.ones(1000, 2))
         assert.equal(2, y:storage():size())
         assert.is_true(#torch.serialize(layer) < 2000)
      end
   end)

   it('say what is too small', function()
      local select, narrow = nn.Select(1, 3), nn.Narrow(2, 2, 3)
      raises('nn.Select: input is 2x3, expected a size of 3 or more in dimension 1', select.forward,
         select, x)
      raises('nn.Narrow: input is 2x3, expected slices 2 to 4 in dimension 2', narrow.forward,
         narrow, x)
      local layer = nn.Select(1, 2)
      layer:forward(x)
      raises('nn.Select: gradOutput is 2, expected 3', layer.backward, layer, x, torch.ones(2))
   end)
end)

describe('nn.Index and nn.MaskedSelect', function()
   it('add up the gradients of a slice that is taken twice', function()
      local layer, input = nn.Index(2), { x, torch.LongTensor { 3, 1, 3 } }
      numbers.equal({ { 3, 1, 3 }, { 6, 4, 6 } }, layer:forward(input))
      local g = layer:backward(input, torch.Tensor { { 1, 2, 4 }, { 8, 16, 32 } })
      numbers.equal({ { 2, 0, 5 }, { 16, 0, 40 } }, g[1])
      numbers.equal({ 0, 0, 0 }, g[2])
   end)

   it('take positions of any type', function()
      numbers.equal({ { 4, 5, 6 } }, nn.Index(1):forward { x, torch.Tensor { 2 } })
   end)

   it('select by a mask', function()
      local layer, mask = nn.MaskedSelect(), torch.ByteTensor { { 0, 1, 0 }, { 1, 0, 1 } }
      numbers.equal({ 2, 4, 6 }, layer:forward { x, mask })
      numbers.equal({ { 0, 7, 0 }, { 8, 0, 9 } },
         layer:backward({ x, mask }, torch.Tensor { 7, 8, 9 })[1])
      raises('nn.MaskedSelect: the mask is ' .. x:type() .. ', expected a ByteTensor',
         layer.forward, layer, { x, x })
   end)
end)

describe('nn.Padding', function()
   it('pads in front, behind and further in', function()
      numbers.equal({ 5, 6, -1, -1 }, nn.Padding(1, 2, 1, -1):forward(torch.Tensor { 5, 6 }))
      numbers.equal({ 0, 0, 5, 6 }, nn.Padding(1, -2, 1):forward(torch.Tensor { 5, 6 }))
      numbers.equal({ { 1, 0, 2, 3 }, { 4, 0, 5, 6 } }, nn.Padding(1, -1, 1, 0, 2):forward(x))
      numbers.equal({ { 1, 2, 9, 3 }, { 4, 5, 9, 6 } }, nn.Padding(1, 1, 1, 9, 2):forward(x))
      numbers.equal({ { 1, 2, 3 }, { 4, 5, 6 }, { 0, 0, 0 } }, nn.Padding(1, 1):forward(x))
   end)
end)
