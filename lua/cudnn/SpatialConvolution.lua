--- nn.SpatialConvolution with groups: input and output planes in `groups` sets of equal size, each
-- output plane computed from the input planes of its set.
--
-- The weight is nOutputPlane x nInputPlane/groups x kH x kW.
-- @classmod cudnn.SpatialConvolution

local torch = require 'torch'
local check = require 'nn.check'
local th = require 'torch.ffi'
local C = th.C

local M = {}

function M.install(cudnn)
   local Convolution, parent =
      torch.class('cudnn.SpatialConvolution', 'nn.SpatialConvolution', cudnn)

   --- @param ... as nn.SpatialConvolution: nInputPlane, nOutputPlane, kW, kH[, dW, dH, padW, padH]
   -- @int[opt=1] groups
   function Convolution:__init(nInputPlane, nOutputPlane, kW, kH, dW, dH, padW, padH, groups)
      check.sizes(
         self,
         'cudnn.SpatialConvolution(nInputPlane, nOutputPlane, kW, kH'
            .. '[, dW, dH, padW, padH, groups])',
         nInputPlane, nOutputPlane, kW, kH, dW, dH, padW, padH
      )
      groups = groups or 1
      if type(groups) ~= 'number' or groups < 1 or nInputPlane % groups ~= 0
         or nOutputPlane % groups ~= 0 then
         check.fail(self, '%s groups do not divide %s input and %s output planes',
            tostring(groups), tostring(nInputPlane), tostring(nOutputPlane))
      end
      self.groups = groups
      parent.__init(self, nInputPlane, nOutputPlane, kW, kH, dW, dH, padW, padH)
      if groups > 1 then
         local planes = nInputPlane / groups
         self.weight:resize(nOutputPlane, planes, kH, kW)
         self.gradWeight:resize(nOutputPlane, planes, kH, kW)
         self:reset()
      end
   end

   function Convolution:reset(stdv)
      if not stdv and (self.groups or 1) > 1 then -- the inputs of one output plane are fewer
         stdv = 1 / math.sqrt(3 * self.kW * self.kH * self.nInputPlane / self.groups)
      end
      parent.reset(self, stdv)
   end

   local function checkInput(self, input)
      check.tensor(self, self.weight, input, 'input')
      local dims = input.ndim
      if (dims ~= 4 and dims ~= 3) or input:size(dims - 2) ~= self.nInputPlane then
         check.fail(self, 'input is %s, expected N x %d x H x W or %d x H x W',
            check.describe(input), self.nInputPlane, self.nInputPlane)
      end
   end

   function Convolution:updateOutput(input)
      local groups = self.groups or 1
      if groups == 1 then
         return parent.updateOutput(self, input)
      end
      checkInput(self, input)
      local r, w, b = self.output, self.weight, self.bias
      local dH, dW, padH, padW = self.dH, self.dW, self.padH, self.padW
      if C.TH_conv2d(r, input, w, b, dH, dW, padH, padW, groups) ~= 0 then
         check.recover(self)
         th.check(C.TH_conv2d(r, input, w, b, dH, dW, padH, padW, groups))
      end
      return r
   end

   function Convolution:updateGradInput(input, gradOutput)
      local groups, r, w = self.groups or 1, self.gradInput, self.weight
      if groups == 1 or not r then
         return parent.updateGradInput(self, input, gradOutput)
      end
      checkInput(self, input)
      check.tensor(self, w, gradOutput, 'gradOutput')
      local dH, dW, padH, padW = self.dH, self.dW, self.padH, self.padW
      if C.TH_conv2d_backward_input(r, gradOutput, input, w, dH, dW, padH, padW, groups) ~= 0 then
         check.recover(self)
         th.check(C.TH_conv2d_backward_input(r, gradOutput, input, w, dH, dW, padH, padW, groups))
      end
      return r
   end

   function Convolution:accGradParameters(input, gradOutput, scale)
      local groups = self.groups or 1
      if groups == 1 then
         return parent.accGradParameters(self, input, gradOutput, scale)
      end
      checkInput(self, input)
      check.tensor(self, self.weight, gradOutput, 'gradOutput')
      local gw, gb, g = self.gradWeight, self.gradBias, gradOutput
      local dH, dW, padH, padW = self.dH, self.dW, self.padH, self.padW
      scale = scale or 1
      if C.TH_conv2d_backward_weight(gw, gb, g, input, dH, dW, padH, padW, groups, scale) ~= 0 then
         check.recover(self)
         th.check(
            C.TH_conv2d_backward_weight(gw, gb, g, input, dH, dW, padH, padW, groups, scale))
      end
   end

   function Convolution:__tostring__()
      local text, groups = parent.__tostring__(self), self.groups or 1
      return groups == 1 and text or ('%s, %d groups'):format(text, groups)
   end

   require('cudnn.modes').install(cudnn, Convolution)
end

return M
