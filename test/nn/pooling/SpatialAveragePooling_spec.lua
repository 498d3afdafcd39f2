local torch = require 'torch'
local nn = require 'nn'
local gradcheck = require 'test.support.gradcheck'
local numbers = require 'test.support.numbers'

-- The definition on an image with a border of zeros; a window that sticks out even of the border
-- is cut off there.
local function reference(layer, x)
   local round = layer.ceil_mode and math.ceil or math.floor
   local N, C, H, W = x:size(1), x:size(2), x:size(3), x:size(4)
   local padH, padW = layer.padH, layer.padW
   local oH = round((H + 2 * padH - layer.kH) / layer.dH) + 1
   local oW = round((W + 2 * padW - layer.kW) / layer.dW) + 1
   local padded = torch.zeros(N, C, H + 2 * padH, W + 2 * padW)
   local ones = padded:clone()
   padded:narrow(3, padH + 1, H):narrow(4, padW + 1, W):copy(x)
   ones:narrow(3, padH + 1, H):narrow(4, padW + 1, W):fill(1)
   local y = torch.Tensor(N, C, oH, oW)
   local function window(t, i, j)
      local top, left = (i - 1) * layer.dH + 1, (j - 1) * layer.dW + 1
      local height = math.min(layer.kH, t:size(3) - top + 1)
      local width = math.min(layer.kW, t:size(4) - left + 1)
      return t:narrow(3, top, height):narrow(4, left, width)
   end
   for i = 1, oH do
      for j = 1, oW do
         local sum = window(padded, i, j):sum(4):sum(3):view(N, C)
         local place = window(ones, i, j)[1][1]
         local count = layer.count_include_pad and place:nElement() or place:sum()
         y:select(3, i):select(3, j):copy(sum):div(count)
      end
   end
   return y
end

local cases = {
   { { 2, 2 } },
   { { 3, 2, 1, 2 } },
   { { 3, 3, 2, 2, 1, 1 } },
   { { 3, 3, 2, 2, 1, 1 }, exclude = true },
   { { 2, 2, 2, 2 }, ceil = true },
   { { 3, 3, 2, 2, 1, 1 }, ceil = true, exclude = true },
}

describe('nn.SpatialAveragePooling', function()
   before_each(function()
      torch.manualSeed(8)
   end)

   for _, case in ipairs(cases) do
      local name = table.concat(case[1], ', ') .. (case.ceil and ', ceil' or '')
         .. (case.exclude and ', without padding' or '')
      local function new()
         local layer = nn.SpatialAveragePooling(unpack(case[1]))
         layer = case.ceil and layer:ceil() or layer:floor()
         return case.exclude and layer:setCountExcludePad() or layer:setCountIncludePad()
      end

      it('computes its definition: ' .. name, function()
         local layer, x = new(), torch.randn(2, 3, 7, 6)
         local y = layer:forward(x):clone()
         numbers.same(reference(layer, x), y, 1e-12)
         numbers.same(y[1], layer:forward(x[1]), 1e-12)
         numbers.same(y, layer:forward(x:transpose(3, 4):contiguous():transpose(3, 4)), 1e-12)
         numbers.same(y:float(), layer:float():forward(x:float()), 1e-6)
      end)

      it('has the gradients of central differences: ' .. name, function()
         gradcheck(new(), torch.randn(2, 2, 6, 5))
         gradcheck(new(), torch.randn(2, 6, 5))
      end)
   end

   it('sums where an old module does not divide', function()
      local layer, x = nn.SpatialAveragePooling(3, 2, 1, 2), torch.randn(1, 1, 4, 4)
      local y = layer:forward(x):clone()
      layer.divide, layer.ceil_mode, layer.count_include_pad, layer.padW = false, nil, nil, nil
      layer = torch.deserialize(torch.serialize(layer))
      numbers.same(y * 6, layer:forward(x), 1e-12)
      gradcheck(layer, x)
   end)

   it('says what shapes it takes, and prints its window', function()
      local layer = nn.SpatialAveragePooling(2, 2)
      local _, err = pcall(function() layer:forward(torch.Tensor(4, 4)) end)
      assert.matches('SpatialAveragePooling_spec.*Pooling: input is 4x4, expected N x C', err)
      assert.equal('nn.SpatialAveragePooling(2x2, 1,1)', tostring(layer))
      assert.equal('nn.SpatialAveragePooling(3x3, 2,2, 1,1)',
         tostring(nn.SpatialAveragePooling(3, 3, 2, 2, 1, 1)))
   end)
end)
