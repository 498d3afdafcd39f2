--- The maximum over windows of kW x kH.
--
-- Shapes: input N x C x H x W or C x H x W; output likewise with
-- oH = floor((H + 2 padH - kH) / dH) + 1 (`ceil` after `:ceil()`), and oW likewise.
-- `indices` keeps where in its plane each maximum was.
-- @classmod nn.SpatialMaxPooling

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'
local C = th.C

local SpatialMaxPooling = torch.class('nn.SpatialMaxPooling', 'nn.Module', nn)

--- @int kW window width
-- @int kH window height
-- @int[opt=kW] dW step to the right
-- @int[opt=kH] dH step down
-- @int[opt=0] padW padding left and right, at most half a window; never the maximum
-- @int[opt=0] padH padding above and below
function SpatialMaxPooling:__init(kW, kH, dW, dH, padW, padH)
   check.sizes(
      self,
      'nn.SpatialMaxPooling(kW, kH[, dW, dH, padW, padH])',
      kW, kH, dW, dH, padW, padH
   )
   nn.Module.__init(self)
   self.kW = kW
   self.kH = kH
   self.dW = dW or kW
   self.dH = dH or kH
   self.padW = padW or 0
   self.padH = padH or 0
   self.ceil_mode = false
   self.indices = torch.LongTensor()
end

--- Round output sizes up: a window may reach over the edge.
-- @return self
function SpatialMaxPooling:ceil()
   self.ceil_mode = true
   return self
end

--- Round output sizes down (the default).
-- @return self
function SpatialMaxPooling:floor()
   self.ceil_mode = false
   return self
end

-- The positions are integers whatever type the layer is converted to.
local function index_tensor(self, input)
   local indices = self.indices
   if not th.isTensor(indices) or indices.dtype ~= C.TH_LONG
      or indices.device_type ~= input.device_type or indices.device ~= input.device then
      indices = th.likeType(input, C.TH_LONG)
      self.indices = indices
   end
   return indices
end

function SpatialMaxPooling:updateOutput(input)
   local output = self.output
   check.tensor(self, output, input, 'input')
   local indices = index_tensor(self, input)
   if input.ndim ~= 3 and input.ndim ~= 4 then
      local shape = check.describe(input)
      check.fail(self, 'input is %s, expected N x C x H x W or C x H x W', shape)
   end
   local kH, kW, dH, dW = self.kH, self.kW, self.dH, self.dW
   local padH, padW, ceil = self.padH or 0, self.padW or 0, self.ceil_mode or false
   if C.TH_max_pool2d(output, indices, input, kH, kW, dH, dW, padH, padW, ceil) ~= 0 then
      check.recover(self)
      th.check(C.TH_max_pool2d(output, indices, input, kH, kW, dH, dW, padH, padW, ceil))
   end
   return output
end

function SpatialMaxPooling:updateGradInput(input, gradOutput)
   local gx, g = self.gradInput, gradOutput
   check.backward(self, gx, input, g)
   local indices = index_tensor(self, input)
   local kH, kW, dH, dW = self.kH, self.kW, self.dH, self.dW
   local padH, padW, ceil = self.padH or 0, self.padW or 0, self.ceil_mode or false
   if C.TH_max_pool2d_backward(gx, g, input, indices, kH, kW, dH, dW, padH, padW, ceil) ~= 0 then
      check.recover(self)
      th.check(C.TH_max_pool2d_backward(gx, g, input, indices, kH, kW, dH, dW, padH, padW, ceil))
   end
   return gx
end

--- Free the buffers (`clearState` under its older name).
function SpatialMaxPooling:empty()
   self:clearState()
end

function SpatialMaxPooling:clearState()
   if self.indices then
      self.indices:set()
   end
   return nn.Module.clearState(self)
end

function SpatialMaxPooling:__tostring__()
   local s = ('%s(%dx%d, %d,%d'):format(torch.type(self), self.kW, self.kH, self.dW, self.dH)
   if (self.padW or 0) ~= 0 or (self.padH or 0) ~= 0 then
      s = ('%s, %d,%d'):format(s, self.padW, self.padH)
   end
   return s .. ')'
end
