--- An image in another size, linear between its elements; corners lie on corners.
--
-- Shapes: input N x C x H x W or C x H x W; output likewise with scale H and scale W, or the
-- sizes that were given.
-- @classmod nn.SpatialUpSamplingBilinear
-- @usage nn.SpatialUpSamplingBilinear(2)
-- nn.SpatialUpSamplingBilinear { oheight = 32, owidth = 48 }
-- @example #nn.SpatialUpSamplingBilinear(2):forward(torch.randn(2, 3, 4, 4)) --> { 2, 3, 8, 8 }

local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local sizes = require 'nn.resampling.sizes'

local SpatialUpSamplingBilinear = nn.declare('nn.SpatialUpSamplingBilinear', {
   arguments = [[
      (scale)  any  a whole number, or { oheight = , owidth = }
   ]],
   input = 'N? C H W',
   output = 'N? C oH oW',
})

function SpatialUpSamplingBilinear:__initialize(scale)
   scale = tonumber(scale) or scale
   if type(scale) == 'table' then
      self.oheight, self.owidth = scale.oheight, scale.owidth
   else
      self.scale_factor = scale
   end
   if not (self.scale_factor and type(scale) == 'number' and scale >= 1 and scale % 1 == 0
      or self.oheight and self.owidth) then
      check.fail(self, 'got %s, expected a whole number or { oheight = , owidth = }',
         check.given(scale))
   end
end

--- Note the sizes of an input and of the output for it.
function SpatialUpSamplingBilinear:setSize(input)
   local n = input:dim()
   self.inputSize = input:size()
   self.outputSize = input:size()
   self.outputSize[n - 1] = self.oheight or input:size(n - 1) * self.scale_factor
   self.outputSize[n] = self.owidth or input:size(n) * self.scale_factor
end

local function size(self, x)
   self:setSize(x)
   local n = x:dim()
   return sizes.of(self.outputSize[n - 1], self.outputSize[n])
end

function SpatialUpSamplingBilinear:__computeOutput(y, x)
   return ops.upsample_linear(self, y, x, size(self, x))
end

function SpatialUpSamplingBilinear:__computeGradInput(gx, x, g)
   return ops.upsample_linear_backward(self, gx, g, x, size(self, x))
end

function SpatialUpSamplingBilinear:__tostring__()
   local to = self.scale_factor and tostring(self.scale_factor)
      or ('%s, %s'):format(self.oheight, self.owidth)
   return ('nn.SpatialUpSamplingBilinear(%s)'):format(to)
end
