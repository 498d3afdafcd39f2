--- Convolution over images of one size in which each place of the output has kernels and biases of
-- its own.
--
-- Shapes: input N x nInputPlane x iH x iW, or without N; weight oH x oW x nOutputPlane x
-- nInputPlane x kH x kW; bias nOutputPlane x oH x oW; output N x nOutputPlane x oH x oW with
-- oH = floor((iH + 2 padH - kH) / dH) + 1, and oW likewise. Weight and bias start uniform in
-- ±1/sqrt(kW kH nInputPlane).
-- @classmod nn.SpatialConvolutionLocal
-- @example
-- local y = nn.SpatialConvolutionLocal(3, 8, 6, 6, 3, 3):forward(torch.randn(2, 3, 6, 6))
-- #y --> { 2, 8, 4, 4 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local Local = nn.declare('nn.SpatialConvolutionLocal', 'nn.Weighted', {
   arguments = [[
      nInputPlane   size           planes in
      nOutputPlane  size           planes out
      iW            size           width of the input
      iH            size           height of the input
      kW            size           kernel width
      kH            size           kernel height
      dW            integer = 1    step to the right
      dH            integer = 1    step down
      padW          integer = 0    zeros added left and right
      padH          integer = padW zeros added above and below
   ]],
   input = 'N? nInputPlane iH iW',
   output = 'N? nOutputPlane oH oW',
   batch = true,
   text = '({nInputPlane} -> {nOutputPlane}, {iW}x{iH}, {kW}x{kH}<, {dW},{dH}><, {padW},{padH}>)',
})

function Local:__initialize(planes, outputs, iW, iH, kW, kH, dW, dH, padW, padH)
   self.oW = math.floor((iW + 2 * padW - kW) / dW) + 1
   self.oH = math.floor((iH + 2 * padH - kH) / dH) + 1
   if self.oW < 1 or self.oH < 1 then
      check.fail(self, 'the output of an input of %dx%d (width first) would be %dx%d', iW, iH,
         self.oW, self.oH)
   end
   self:__addWeights({ self.oH, self.oW, outputs, planes, kH, kW }, { outputs, self.oH, self.oW })
end

function Local:__fanIn()
   return self.kW * self.kH * self.nInputPlane
end

-- An image's windows: N x planes x oH x oW x kH x kW, a view.
local function windows(self, padded)
   return padded:unfold(3, self.kH, self.dH):unfold(4, self.kW, self.dW)
end

-- Zeros for images with their borders, and the index of what is within them; x, where it has none.
local function bordered(self, x)
   if self.padW == 0 and self.padH == 0 then
      return x
   end
   local padded = x.new(x:size(1), x:size(2), self.iH + 2 * self.padH, self.iW + 2 * self.padW)
   return padded:zero(), { {}, {}, { self.padH + 1, self.padH + self.iH },
      { self.padW + 1, self.padW + self.iW } }
end

-- places x taps x N: what each place sees of each image.
local function seen(self, x)
   local padded, inside = bordered(self, x)
   if inside then
      padded[inside] = x
   end
   return windows(self, padded):permute(3, 4, 2, 5, 6, 1):contiguous():view(self.oH * self.oW, -1,
      x:size(1))
end

-- places x outputs x N: a gradient in the same order.
local function by_place(self, g)
   return g:permute(3, 4, 2, 1):contiguous():view(self.oH * self.oW, self.nOutputPlane, g:size(1))
end

-- The kernels of each place: places x outputs x taps.
local function kernels(self, weight)
   return weight:view(self.oH * self.oW, self.nOutputPlane, -1)
end

function Local:__computeOutput(y, x)
   local N = x:size(1)
   local r = torch.bmm(kernels(self, self.weight), seen(self, x))
   r = r:view(self.oH, self.oW, self.nOutputPlane, N):permute(4, 3, 1, 2)
   y:resize(r:size()):copy(r)
   return self.bias and y:add(self.bias:viewAs(y[1]):view(1, self.nOutputPlane, self.oH, self.oW)
      :expandAs(y)) or y
end

function Local:__computeGradInput(gx, x, g)
   local N = x:size(1)
   local taps = torch.bmm(kernels(self, self.weight):transpose(2, 3), by_place(self, g))
   taps = taps:view(self.oH, self.oW, self.nInputPlane, self.kH, self.kW, N)
      :permute(6, 3, 1, 2, 4, 5)
   gx:resizeAs(x):zero()
   local padded, inside = bordered(self, gx)
   local to = windows(self, padded)
   for i = 1, self.kH do -- the same tap of all places: they lie apart
      for j = 1, self.kW do
         to:select(6, j):select(5, i):add(taps:select(6, j):select(5, i))
      end
   end
   return inside and gx:copy(padded[inside]) or gx
end

function Local:__computeGradParameters(x, g, scale)
   kernels(self, self.gradWeight):baddbmm(scale, by_place(self, g), seen(self, x):transpose(2, 3))
   if self.gradBias then
      self.gradBias:add(scale, g:sum(1):viewAs(self.gradBias))
   end
end

function Local:clearState()
   nn.utils.clear(self, 'finput', 'fgradInput', '_input', '_gradOutput')
   return nn.Module.clearState(self)
end
