-- Padding and enlarging; test/nn/pooling/oracle_spec.lua has PyTorch's values.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local function row(layer, ...)
   local y = layer:forward(torch.Tensor { { { ... } } })
   return y[1][1]:totable()
end

describe('Padding', function()
   it('adds zeros, mirrors, or repeats the border', function()
      assert.same({ 0, 0, 1, 2, 3, 0 }, row(nn.SpatialZeroPadding(2, 1, 0, 0), 1, 2, 3))
      assert.same({ 3, 2, 1, 2, 3, 2 }, row(nn.SpatialReflectionPadding(2, 1, 0, 0), 1, 2, 3))
      assert.same({ 1, 1, 1, 2, 3, 3 }, row(nn.SpatialReplicationPadding(2, 1, 0, 0), 1, 2, 3))
   end)

   it('crops where it is negative', function()
      assert.same({ 2, 3, 0 }, row(nn.SpatialZeroPadding(-1, 1, 0, 0), 1, 2, 3))
      assert.same({ 2, 3, 2 }, row(nn.SpatialReflectionPadding(-1, 1, 0, 0), 1, 2, 3))
      assert.same({ 2, 3, 3 }, row(nn.SpatialReplicationPadding(-1, 1, 0, 0), 1, 2, 3))
   end)

   it('pads all sides alike by default', function()
      assert.same({ 1, 6, 7 },
         nn.SpatialZeroPadding(2):forward(torch.rand(1, 2, 3)):size():totable())
      assert.equal('nn.SpatialZeroPadding(l=1, r=1, t=1, b=1)', tostring(nn.SpatialZeroPadding(1)))
   end)

   it('says when nothing would be left, or there is too little to mirror', function()
      raises('padding by -2 and -1 leaves nothing', function()
         nn.SpatialZeroPadding(-2, -1, 0, 0):forward(torch.rand(1, 2, 3))
      end)
      raises('nothing of its 3 elements is left', function()
         nn.SpatialReplicationPadding(-2, -1, 0, 0):forward(torch.rand(1, 2, 3))
      end)
      raises('reflection by 3 and 0 needs more than its 3 elements', function()
         nn.SpatialReflectionPadding(3, 0, 0, 0):forward(torch.rand(1, 2, 3))
      end)
   end)
end)

describe('Enlarging', function()
   it('repeats elements, or goes evenly from corner to corner', function()
      assert.same({ 1, 1, 2, 2 }, row(nn.SpatialUpSamplingNearest(2), 1, 2))
      assert.same({ 1, 1.25, 1.5, 1.75, 2 },
         row(nn.SpatialUpSamplingBilinear { oheight = 1, owidth = 5 }, 1, 2))
   end)

   it('linearly needs a whole number or both sizes', function()
      for _, wrong in ipairs { 0, 2.5, -1, 'two', { oheight = 3 }, { owidth = 3 }, {}, true } do
         raises('expected a whole number or { oheight = , owidth = }', nn.SpatialUpSamplingBilinear,
            wrong)
      end
   end)

   it('adds up the gradients of what an element went into', function()
      local layer, x = nn.SpatialUpSamplingNearest(3), torch.rand(1, 2, 2)
      layer:forward(x)
      numbers.same(torch.Tensor(1, 2, 2):fill(9), layer:backward(x, torch.ones(1, 6, 6)))
   end)

   it('takes sizes for volumes only with a depth', function()
      local layer = nn.UpSampling { oheight = 4, owidth = 4 }
      assert.same({ 1, 1, 4, 4 }, layer:forward(torch.rand(1, 1, 2, 2)):size():totable())
      raises('expected images: there is no odepth', function()
         layer:forward(torch.rand(1, 1, 2, 2, 2))
      end)
      raises("mode is 'cubic', expected 'nearest' or 'linear'", function()
         nn.UpSampling(2, 'cubic')
      end)
   end)

   it('by shuffling needs a square of planes', function()
      raises('nn.PixelShuffle: input is 1x3x2x2, expected a multiple of 4 planes', function()
         nn.PixelShuffle(2):forward(torch.rand(3, 2, 2))
      end)
   end)
end)
