--- Convolution over images (a cross-correlation, as is usual): sizes are given width first.
--
-- Shapes: input N x nInputPlane x H x W, or nInputPlane x H x W; weight nOutputPlane x
-- nInputPlane x kH x kW; bias nOutputPlane; output N x nOutputPlane x oH x oW with oH = floor((H
-- + 2 padH - kH) / dH) + 1, and oW likewise. Weight and bias start uniform in ±1/sqrt(kW kH
-- nInputPlane).
-- @classmod nn.SpatialConvolution

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'
local C = th.C

local SpatialConvolution = torch.class('nn.SpatialConvolution', 'nn.Module', nn)

--- @int nInputPlane planes in
-- @int nOutputPlane planes out
-- @int kW kernel width
-- @int kH kernel height
-- @int[opt=1] dW step to the right
-- @int[opt=1] dH step down
-- @int[opt=0] padW zeros added left and right
-- @int[opt=padW] padH zeros added above and below
function SpatialConvolution:__init(nInputPlane, nOutputPlane, kW, kH, dW, dH, padW, padH)
   check.sizes(
      self,
      'nn.SpatialConvolution(nInputPlane, nOutputPlane, kW, kH[, dW, dH, padW, padH])',
      nInputPlane, nOutputPlane, kW, kH, dW, dH, padW, padH
   )
   nn.Module.__init(self)
   self.nInputPlane = nInputPlane
   self.nOutputPlane = nOutputPlane
   self.kW = kW
   self.kH = kH
   self.dW = dW or 1
   self.dH = dH or 1
   self.padW = padW or 0
   self.padH = padH or self.padW
   self.weight = torch.Tensor(nOutputPlane, nInputPlane, kH, kW)
   self.bias = torch.Tensor(nOutputPlane)
   self.gradWeight = torch.Tensor(nOutputPlane, nInputPlane, kH, kW)
   self.gradBias = torch.Tensor(nOutputPlane)
   self:reset()
end

--- Drop the bias.
-- @return self
function SpatialConvolution:noBias()
   self.bias = nil
   self.gradBias = nil
   return self
end

--- Draw weight and bias uniformly.
-- @number[opt] stdv standard deviation; default 1/sqrt(3 kW kH nInputPlane)
function SpatialConvolution:reset(stdv)
   local bound = stdv and stdv * math.sqrt(3) or 1 / math.sqrt(self.kW * self.kH * self.nInputPlane)
   self.weight:uniform(-bound, bound)
   if self.bias then
      self.bias:uniform(-bound, bound)
   end
end

-- Early Torch7 saved one `padding` for both directions, and a weight of two dimensions.
local function update_old_fields(self)
   if self.padding then
      self.padW, self.padH = self.padding, self.padding
      self.padding = nil
   end
   self.padW, self.padH = self.padW or 0, self.padH or 0
   if self.weight:dim() == 2 then
      local size = torch.LongStorage { self.nOutputPlane, self.nInputPlane, self.kH, self.kW }
      self.weight = self.weight:view(size)
      self.gradWeight = self.gradWeight and self.gradWeight:view(size)
   end
end

local function wrong_input(self, input)
   local planes = self.nInputPlane
   local message = ('input is %s, expected N x %d x H x W or %d x H x W'):format(
      check.describe(input),
      planes,
      planes
   )
   if planes == 1 and (input:dim() == 2 or input:dim() == 3) then
      local size = table.concat(input:size():totable(), ', ', input:dim() - 1)
      message = ('%s. Add the plane dimension: nn.View(1, %s)'):format(message, size)
   end
   check.fail(self, '%s', message)
end

local function check_input(self, input)
   local weight = self.weight
   check.tensor(self, weight, input, 'input')
   local dims = input.ndim
   if (dims ~= 4 and dims ~= 3) or input:size(dims - 2) ~= self.nInputPlane then
      wrong_input(self, input)
   end
   if weight.ndim ~= 4 or self.padding or not self.padH then
      update_old_fields(self)
   end
end

function SpatialConvolution:updateOutput(input)
   check_input(self, input)
   local output, weight, bias = self.output, self.weight, self.bias
   local dH, dW, padH, padW = self.dH, self.dW, self.padH, self.padW
   if C.TH_conv2d(output, input, weight, bias, dH, dW, padH, padW, 1) ~= 0 then
      check.recover(self)
      th.check(C.TH_conv2d(output, input, weight, bias, dH, dW, padH, padW, 1))
   end
   return output
end

--- Setting `gradInput` to nil in a net's first layer saves computing a gradient nobody needs.
function SpatialConvolution:updateGradInput(input, gradOutput)
   local gradInput, weight = self.gradInput, self.weight
   if not gradInput then
      return
   end
   check_input(self, input)
   check.tensor(self, weight, gradOutput, 'gradOutput')
   local dH, dW, padH, padW = self.dH, self.dW, self.padH, self.padW
   local gx, g = gradInput, gradOutput
   if C.TH_conv2d_backward_input(gx, g, input, weight, dH, dW, padH, padW, 1) ~= 0 then
      check.recover(self)
      th.check(C.TH_conv2d_backward_input(gx, g, input, weight, dH, dW, padH, padW, 1))
   end
   return gradInput
end

function SpatialConvolution:accGradParameters(input, gradOutput, scale)
   check_input(self, input)
   check.tensor(self, self.weight, gradOutput, 'gradOutput')
   local g, gw, gb = gradOutput, self.gradWeight, self.gradBias
   local dH, dW, padH, padW = self.dH, self.dW, self.padH, self.padW
   scale = scale or 1
   if C.TH_conv2d_backward_weight(gw, gb, g, input, dH, dW, padH, padW, 1, scale) ~= 0 then
      check.recover(self)
      th.check(C.TH_conv2d_backward_weight(gw, gb, g, input, dH, dW, padH, padW, 1, scale))
   end
end

-- dL/dweight does not depend on the weight, so that layers that share it may step one after the
-- other.
function SpatialConvolution:sharedAccUpdateGradParameters(input, gradOutput, lr)
   self:defaultAccUpdateGradParameters(input, gradOutput, lr)
end

function SpatialConvolution:clearState()
   -- Scratch memory in modules saved by Torch7.
   nn.utils.clear(self, 'finput', 'fgradInput', '_input', '_gradOutput')
   return nn.Module.clearState(self)
end

function SpatialConvolution:__tostring__()
   local padW, padH = self.padW or 0, self.padH or 0
   local s = ('%s(%d -> %d, %dx%d'):format(
      torch.type(self),
      self.nInputPlane,
      self.nOutputPlane,
      self.kW,
      self.kH
   )
   if self.dW ~= 1 or self.dH ~= 1 or padW ~= 0 or padH ~= 0 then
      s = ('%s, %d,%d'):format(s, self.dW, self.dH)
   end
   if padW ~= 0 or padH ~= 0 then
      s = ('%s, %d,%d'):format(s, padW, padH)
   end
   return s .. ')' .. (self.bias and '' or ' without bias')
end
