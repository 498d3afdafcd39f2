local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

-- Row i is { i, 10 i }.
local function table_of(n, ...)
   local layer = nn.LookupTable(n, 2, ...)
   local column = torch.range(1, n):view(n, 1)
   layer.weight:copy(torch.cat({ column, column * 10 }, 2))
   layer:zeroGradParameters()
   return layer
end

describe('nn.LookupTable', function()
   it('looks up rows, of positions of any type and shape', function()
      local layer = table_of(4)
      numbers.equal({ { 3, 30 }, { 1, 10 } }, layer:forward(torch.LongTensor { 3, 1 }))
      numbers.equal({ { 4, 40 } }, layer:forward(torch.Tensor { 4 }))
      numbers.equal({ { { 1, 10 }, { 2, 20 } }, { { 2, 20 }, { 1, 10 } } },
         layer:forward(torch.IntTensor { { 1, 2 }, { 2, 1 } }))
      numbers.equal({ { { { 2, 20 } } } }, layer:forward(torch.LongTensor(1, 1, 1):fill(2)))
      numbers.equal({ { 2, 20 }, { 4, 40 } },
         layer:forward(torch.LongTensor { { 1, 2 }, { 3, 4 } }:select(2, 2)))
   end)

   it('adds up the gradients of a row', function()
      local layer, words = table_of(4), torch.LongTensor { 3, 1, 3 }
      local g = torch.Tensor { { 1, 2 }, { 3, 4 }, { 5, 6 } }
      layer:forward(words)
      local gx = layer:backward(words, g, 2)
      numbers.equal({ { 6, 8 }, { 0, 0 }, { 12, 16 }, { 0, 0 } }, layer.gradWeight)
      numbers.equal({ 0, 0, 0 }, gx)
      assert.equal(words:type(), gx:type())
   end)

   it('divides them by the frequencies', function()
      local layer, words = table_of(4):scaleGradByFreq(), torch.LongTensor { { 3, 1 }, { 3, 3 } }
      layer:forward(words)
      layer:backward(words, torch.ones(2, 2, 2):mul(6))
      numbers.equal({ { 6, 6 }, { 0, 0 }, { 6, 6 }, { 0, 0 } }, layer.gradWeight)
   end)

   it('leaves the row of the padding alone', function()
      local layer, words = table_of(3, 2), torch.LongTensor { 2, 1, 2 }
      layer.gradWeight:fill(1)
      layer:forward(words)
      layer:backward(words, torch.ones(3, 2))
      numbers.equal({ { 2, 2 }, { 1, 1 }, { 1, 1 } }, layer.gradWeight)
      layer:backwardUpdate(words, torch.ones(3, 2), 1)
      numbers.equal({ { 0, 9 }, { 2, 20 }, { 3, 30 } }, layer.weight)
      layer:setPadding(0):backwardUpdate(words, torch.ones(3, 2), 1)
      numbers.equal({ 0, 18 }, layer.weight[2])
   end)

   it('keeps the norms of the rows that it looks up', function()
      local layer = table_of(3):setMaxNorm(5):setNormType(1)
      numbers.equal({ { 2 * 5 / 22, 20 * 5 / 22 } }, layer:forward(torch.LongTensor { 2 }), 1e-6)
      numbers.equal({ { 1, 10 }, { 2 * 5 / 22, 20 * 5 / 22 }, { 3, 30 } }, layer.weight, 1e-6)
   end)

   it('takes the largest norm behind the padding, of exponent 2 by default', function()
      local words = torch.LongTensor { 1, 2 }
      local function rows(...)
         local layer = nn.LookupTable(3, 2, 0, ...)
         layer.weight:copy(torch.Tensor { { 6, 8 }, { 3, -4 }, { 30, 40 } })
         return layer:forward(words)
      end
      numbers.equal({ { 3, 4 }, { 3, -4 } }, rows(5), 1e-5)
      numbers.equal({ { 3 * 5 / 7, 4 * 5 / 7 }, { 3 * 5 / 7, -4 * 5 / 7 } }, rows(5, 1), 1e-5)
      numbers.equal({ { 6, 8 }, { 3, -4 } }, rows(), 0)
      numbers.equal({ { 6, 8 }, { 3, -4 } }, rows(10), 1e-5)
   end)

   it('steps without a gradient in memory', function()
      local layer, words = table_of(3):accUpdateOnly(), torch.LongTensor { 1, 1 }
      layer:forward(words)
      assert.is_nil(layer.gradWeight)
      layer:backwardUpdate(words, torch.ones(2, 2), 0.25)
      numbers.equal({ 0.5, 9.5 }, layer.weight[1])
   end)

   it('starts normally distributed', function()
      torch.manualSeed(4)
      local layer = nn.LookupTable(100, 100)
      assert.near(1, layer.weight:std(), 0.02)
      layer:reset(3)
      assert.near(3, layer.weight:std(), 0.06)
      assert.equal(0, layer.gradWeight:max())
   end)

   it('says which position is wrong', function()
      local layer = table_of(3)
      raises('nn.LookupTable: index: position 2 of 2 is 4, out of range', layer.forward, layer,
         torch.LongTensor { 1, 4 })
      raises('nn.LookupTable: input is empty, expected a tensor', layer.forward, layer,
         torch.LongTensor())
      raises('nn.LookupTable: gradOutput is 2x3, expected the size of the output',
         layer.accGradParameters, layer, torch.LongTensor { 1, 2 }, torch.ones(2, 3))
   end)
end)
