--- Convolution over images (a cross-correlation, as is usual): sizes are given width first.
--
-- Shapes: input N x nInputPlane x H x W, or nInputPlane x H x W; weight nOutputPlane x
-- nInputPlane x kH x kW; bias nOutputPlane; output N x nOutputPlane x oH x oW with oH = floor((H
-- + 2 padH - kH) / dH) + 1, and oW likewise. Weight and bias start uniform in ±1/sqrt(kW kH
-- nInputPlane). Setting `gradInput` to nil in a net's first layer saves computing a gradient
-- nobody needs.
-- @classmod nn.SpatialConvolution

local torch = require 'torch'
local nn = require 'nn'
local ops = require 'nn.base.ops'

local SpatialConvolution = nn.declare('nn.SpatialConvolution', 'nn.Weighted', {
   arguments = [[
      nInputPlane   size           planes in
      nOutputPlane  size           planes out
      kW            size           kernel width
      kH            size           kernel height
      dW            number = 1     step to the right
      dH            number = 1     step down
      padW          number = 0     zeros added left and right
      padH          number = padW  zeros added above and below
   ]],
   input = 'N? nInputPlane H W',
   output = 'N? nOutputPlane oH oW',
   text = '({nInputPlane} -> {nOutputPlane}, {kW}x{kH}<, {dW},{dH}><, {padW},{padH}>){no bias}',
})

SpatialConvolution.groups = 1 -- more of them: cudnn.SpatialConvolution

function SpatialConvolution:__initialize(planes, outputs, kW, kH)
   self:__addWeights({ outputs, planes / self.groups, kH, kW }, { outputs })
end

function SpatialConvolution:__fanIn()
   return self.kW * self.kH * self.nInputPlane / self.groups
end

--- Early Torch7 saved one `padding` for both directions, and a weight of two dimensions.
function SpatialConvolution:__upgrade()
   if self.padding then
      self.padW, self.padH = self.padding, self.padding
      self.padding = nil
   end
   if self.weight:dim() == 2 then
      local size = torch.LongStorage { self.nOutputPlane, self.nInputPlane, self.kH, self.kW }
      self.weight = self.weight:view(size)
      self.gradWeight = self.gradWeight and self.gradWeight:view(size)
   end
end

function SpatialConvolution:__advise(x)
   if self.nInputPlane == 1 and (x:dim() == 2 or x:dim() == 3) then
      local size = table.concat(x:size():totable(), ', ', x:dim() - 1)
      return ('. Add the plane dimension: nn.View(1, %s)'):format(size)
   end
   return ''
end

function SpatialConvolution:__computeOutput(y, x)
   return ops.conv2d(self, y, x, self.weight, self.bias, self.dH, self.dW, self.padH, self.padW,
      self.groups)
end

function SpatialConvolution:__computeGradInput(gx, x, g)
   return ops.conv2d_backward_input(self, gx, g, x, self.weight, self.dH, self.dW, self.padH,
      self.padW, self.groups)
end

function SpatialConvolution:__computeGradParameters(x, g, scale)
   ops.conv2d_backward_weight(self, self.gradWeight, self.gradBias, g, x, self.dH, self.dW,
      self.padH, self.padW, self.groups, scale)
end

function SpatialConvolution:clearState()
   -- Scratch memory in modules saved by Torch7.
   nn.utils.clear(self, 'finput', 'fgradInput', '_input', '_gradOutput')
   return nn.Module.clearState(self)
end
