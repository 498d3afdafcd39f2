local torch = require 'torch'
local nn = require 'nn'
local gradcheck = require 'test.support.gradcheck'
local numbers = require 'test.support.numbers'

-- The definition, with windows cut off at the edges.
local function reference(layer, x)
   local round = layer.ceil_mode and math.ceil or math.floor
   local N, C, H, W = x:size(1), x:size(2), x:size(3), x:size(4)
   local oH = round((H + 2 * layer.padH - layer.kH) / layer.dH) + 1
   local oW = round((W + 2 * layer.padW - layer.kW) / layer.dW) + 1
   local y = torch.Tensor(N, C, oH, oW)
   for i = 1, oH do
      for j = 1, oW do
         local top, left = (i - 1) * layer.dH - layer.padH + 1, (j - 1) * layer.dW - layer.padW + 1
         local bottom, right = math.min(top + layer.kH - 1, H), math.min(left + layer.kW - 1, W)
         top, left = math.max(top, 1), math.max(left, 1)
         local window = x:narrow(3, top, bottom - top + 1):narrow(4, left, right - left + 1)
         y:select(3, i):select(3, j):copy(window:max(3):max(4))
      end
   end
   return y
end

local cases = {
   { { 2, 2 } },
   { { 3, 2, 1, 2 } },
   { { 3, 3, 2, 2, 1, 1 } },
   { { 2, 2 }, ceil = true },
   { { 3, 3, 2, 2 }, ceil = true },
}

describe('nn.SpatialMaxPooling', function()
   before_each(function()
      torch.manualSeed(8)
   end)

   for _, case in ipairs(cases) do
      local name = table.concat(case[1], ', ') .. (case.ceil and ', ceil' or '')
      local function new()
         local layer = nn.SpatialMaxPooling(unpack(case[1]))
         return case.ceil and layer:ceil() or layer
      end

      it('computes its definition: ' .. name, function()
         local layer, x = new(), torch.randn(2, 3, 7, 6)
         numbers.same(reference(layer, x), layer:forward(x))
         numbers.same(reference(layer, x)[1], layer:forward(x[1]))
         numbers.same(reference(layer, x):float(), layer:float():forward(x:float()))
      end)

      it('has the gradients of central differences: ' .. name, function()
         -- A permutation: all elements are at least 0.1 apart, so no maximum changes.
         local x = torch.randperm(2 * 2 * 6 * 5):mul(0.1):view(2, 2, 6, 5)
         gradcheck(new(), x)
         gradcheck(new(), x[1]:clone())
      end)
   end

   it('keeps where the maxima were', function()
      local layer = nn.SpatialMaxPooling(2, 2)
      layer:forward(torch.Tensor { { { 1, 2, 0, 0 }, { 4, 3, 9, 0 } } })
      assert.matches('LongTensor', torch.typename(layer.indices)) -- of the input's device
      numbers.equal({ { { 5, 7 } } }, layer.indices)
   end)

   it('changes its rounding and says what shapes it takes', function()
      local layer = nn.SpatialMaxPooling(2, 2):ceil():floor()
      assert.is_false(layer.ceil_mode)
      local _, err = pcall(function() layer:forward(torch.Tensor(4, 4)) end)
      assert.matches('SpatialMaxPooling_spec.*MaxPooling: input is 4x4, expected N x C', err)
   end)

   it('prints its window, steps and padding', function()
      assert.equal('nn.SpatialMaxPooling(2x2, 2,2)', tostring(nn.SpatialMaxPooling(2, 2)))
      assert.equal('nn.SpatialMaxPooling(3x3, 2,2, 1,1)',
         tostring(nn.SpatialMaxPooling(3, 3, 2, 2, 1, 1)))
   end)
end)
