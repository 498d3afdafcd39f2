--- Convolution over images (a cross-correlation, as is usual): sizes are given width first.
--
-- Shapes: input N x nInputPlane x H x W, or nInputPlane x H x W; weight nOutputPlane x
-- nInputPlane x kH x kW, or nOutputPlane x nInputPlane*kH*kW as in old code; bias nOutputPlane;
-- output N x nOutputPlane x oH x oW with oH = floor((H + 2 padH - kH) / dH) + 1, and oW likewise.
-- Weight and bias start uniform in ±1/sqrt(kW kH nInputPlane). Setting `gradInput` to nil in a
-- net's first layer saves computing a gradient nobody needs.
-- @classmod nn.SpatialConvolution
-- @example
-- #nn.SpatialConvolution(3, 8, 5, 5):forward(torch.randn(2, 3, 28, 28)) --> { 2, 8, 24, 24 }
-- local y = nn.SpatialConvolution(3, 8, 3, 3, 2, 2, 1, 1):forward(torch.randn(2, 3, 28, 28))
-- #y --> { 2, 8, 14, 14 }

local torch = require 'torch'
local nn = require 'nn'

local SpatialConvolution = nn.declare('nn.SpatialConvolution', 'nn.Convolution', {
   arguments = [[
      nInputPlane   size           planes in
      nOutputPlane  size           planes out
      kW            size           kernel width
      kH            size           kernel height
      dW            integer = 1    step to the right
      dH            integer = 1    step down
      padW          integer = 0    zeros added left and right
      padH          integer = padW zeros added above and below
   ]],
   input = 'N? nInputPlane H W',
   output = 'N? nOutputPlane oH oW',
   text = '({nInputPlane} -> {nOutputPlane}, {kW}x{kH}<, {dW},{dH}><, {padW},{padH}>){no bias}',
})

SpatialConvolution.__axes = require('nn.convolution.axes').image

function SpatialConvolution:__initialize(planes, outputs, kW, kH)
   self:__addWeights({ outputs, planes / self.groups, kH, kW }, { outputs })
end

-- A weight of two dimensions, in the operations' form.
local function unflattened(self, weight)
   return weight.ndim == 4 and weight or weight:view(-1, self.nInputPlane / self.groups, self.kH,
      self.kW)
end

function SpatialConvolution:__kernel()
   return unflattened(self, self.weight)
end

function SpatialConvolution:__kernelGradient()
   return unflattened(self, self.gradWeight)
end

--- Early Torch7 saved one `padding` for both directions, and a weight of two dimensions. Inside an
-- nn.WeightNorm of Torch7 there is no weight: that makes one.
function SpatialConvolution:__upgrade()
   if self.padding then
      self.padW, self.padH = self.padding, self.padding
      self.padding = nil
   end
   local weight = self.weight
   if weight and weight.ndim == 2 and not torch.isTypeOf(self, 'nn.SpatialConvolutionMM') then
      self.weight = unflattened(self, weight)
      self.gradWeight = self.gradWeight and unflattened(self, self.gradWeight)
   end
end

function SpatialConvolution:__advise(x)
   if self.nInputPlane == 1 and (x:dim() == 2 or x:dim() == 3) then
      local size = table.concat(x:size():totable(), ', ', x:dim() - 1)
      return ('. Add the plane dimension: nn.View(1, %s)'):format(size)
   end
   local dims = x:dim()
   if (dims == 3 or dims == 4) and x:size(dims) == self.nInputPlane then
      return ('. Planes come before height and width: x:permute(%s)'):format(
         dims == 4 and '1, 4, 2, 3' or '3, 1, 2')
   end
   return ''
end
