--- Convolution of each input plane by itself, with nOutputPlane kernels each.
--
-- Shapes: input N x nInputPlane x H x W, or without N; weight nOutputPlane x nInputPlane x kH x kW;
-- bias nOutputPlane x nInputPlane; output N x nInputPlane*nOutputPlane x oH x oW, the planes that
-- come from one input plane side by side, with oH = floor((H + 2 padH - kH) / dH) + 1, and oW
-- likewise. Weight and bias start uniform in ±1/sqrt(kW kH nInputPlane). Sifre, Rigid-Motion
-- Scattering for Image Classification, 2014.
-- @classmod nn.SpatialDepthWiseConvolution
-- @example
-- #nn.SpatialDepthWiseConvolution(3, 2, 3, 3):forward(torch.randn(2, 3, 6, 6)) --> { 2, 6, 4, 4 }

local nn = require 'nn'

local Convolution = nn.declare('nn.SpatialDepthWiseConvolution', 'nn.SpatialConvolution', {
   arguments = [[
      nInputPlane   size           planes in
      nOutputPlane  size           planes out of each
      kW            size           kernel width
      kH            size           kernel height
      dW            integer = 1    step to the right
      dH            integer = 1    step down
      padW          integer = 0    zeros added left and right
      padH          integer = padW zeros added above and below
   ]],
   output = 'N? O oH oW',
   text = '({nInputPlane} -> {nOutputPlane}, {kW}x{kH}<, {dW},{dH}><, {padW},{padH}>){no bias}',
})

function Convolution:__initialize(planes, outputs, kW, kH)
   self:__addWeights({ outputs, planes, kH, kW }, { outputs, planes })
end

function Convolution:__fanIn()
   return self.kW * self.kH * self.nInputPlane
end

-- The operations have the kernels of one input plane side by side: a group for each.
function Convolution:__kernel()
   local kernel = self._kernel or self.weight.new()
   self._kernel = kernel
   self.groups = self.nInputPlane
   kernel:resize(self.nInputPlane, self.nOutputPlane, self.kH, self.kW)
   return kernel:copy(self.weight:transpose(1, 2)):view(-1, 1, self.kH, self.kW)
end

function Convolution:__kernelGradient()
   local gradient = self._kernelGradient or self.gradWeight.new()
   self._kernelGradient = gradient
   return gradient:resize(self.nInputPlane * self.nOutputPlane, 1, self.kH, self.kW):zero()
end

function Convolution:__takeGradient(gradient)
   self.gradWeight:add(gradient:view(self.nInputPlane, self.nOutputPlane, self.kH, self.kW)
      :transpose(1, 2))
end

-- One number for each output plane.
local function flat(bias)
   return bias and bias:t():contiguous():view(-1)
end

function Convolution:__computeOutput(y, x)
   return self:__convolve(y, x, flat(self.bias))
end

function Convolution:__computeGradParameters(x, g, scale)
   local bias = self.gradBias and flat(self.gradBias):clone()
   self:__addGradients(x, g, bias, scale)
   if bias then
      self.gradBias:copy(bias:view(self.nInputPlane, self.nOutputPlane):t())
   end
end
