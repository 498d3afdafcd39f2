--- Repeats each element of an image `scale` times in both directions.
--
-- Shapes: input N x C x H x W or C x H x W; output likewise with scale H and scale W.
-- @classmod nn.SpatialUpSamplingNearest
-- @example
-- local y = nn.SpatialUpSamplingNearest(2):forward(torch.range(1, 2):view(1, 1, 2))
-- y --> { { { 1, 1, 2, 2 }, { 1, 1, 2, 2 } } }

local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local sizes = require 'nn.resampling.sizes'

local SpatialUpSamplingNearest = nn.declare('nn.SpatialUpSamplingNearest', {
   arguments = [[
      scale -> scale_factor  number  a whole number
   ]],
   input = 'N? C H W',
   output = 'N? C oH oW',
   text = '({scale_factor})',
})

function SpatialUpSamplingNearest:__initialize(scale)
   if not (scale >= 1 and scale % 1 == 0) then
      check.fail(self, 'scale is %s, expected a whole number from 1 on', check.given(scale))
   end
end

local function size(self, x)
   local n, scale = x:dim(), self.scale_factor
   return sizes.of(scale * x:size(n - 1), scale * x:size(n))
end

function SpatialUpSamplingNearest:__computeOutput(y, x)
   return ops.upsample_nearest(self, y, x, size(self, x))
end

function SpatialUpSamplingNearest:__computeGradInput(gx, x, g)
   return ops.upsample_nearest_backward(self, gx, g, x, size(self, x))
end
