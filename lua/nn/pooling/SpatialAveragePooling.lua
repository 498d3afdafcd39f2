--- The mean over windows of kW x kH.
--
-- Shapes: input N x C x H x W or C x H x W; output likewise with
-- oH = floor((H + 2 padH - kH) / dH) + 1 (`ceil` after `:ceil()`), and oW likewise.
-- @classmod nn.SpatialAveragePooling

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'
local C = th.C

local SpatialAveragePooling = torch.class('nn.SpatialAveragePooling', 'nn.Module', nn)

--- @int kW window width
-- @int kH window height
-- @int[opt=1] dW step to the right
-- @int[opt=1] dH step down
-- @int[opt=0] padW zeros added left and right, at most half a window
-- @int[opt=0] padH zeros added above and below
function SpatialAveragePooling:__init(kW, kH, dW, dH, padW, padH)
   check.sizes(
      self,
      'nn.SpatialAveragePooling(kW, kH[, dW, dH, padW, padH])',
      kW, kH, dW, dH, padW, padH
   )
   nn.Module.__init(self)
   self.kW = kW
   self.kH = kH
   self.dW = dW or 1
   self.dH = dH or 1
   self.padW = padW or 0
   self.padH = padH or 0
   self.ceil_mode = false
   self.count_include_pad = true
   self.divide = true
end

--- Round output sizes up: a window may reach over the edge.
-- @return self
function SpatialAveragePooling:ceil()
   self.ceil_mode = true
   return self
end

--- Round output sizes down (the default).
-- @return self
function SpatialAveragePooling:floor()
   self.ceil_mode = false
   return self
end

--- Divide by all elements of a window, those of the padding too (the default).
-- @return self
function SpatialAveragePooling:setCountIncludePad()
   self.count_include_pad = true
   return self
end

--- Divide by the elements of a window that lie in the image.
-- @return self
function SpatialAveragePooling:setCountExcludePad()
   self.count_include_pad = false
   return self
end

-- Modules of early Torch7 lack fields. `divide` is false in old files alone: sums, then.
local function arguments(self)
   return self.kH, self.kW, self.dH, self.dW, self.padH or 0, self.padW or 0,
      self.ceil_mode or false, self.count_include_pad ~= false
end

function SpatialAveragePooling:updateOutput(input)
   local r = self.output
   check.tensor(self, r, input, 'input')
   if input.ndim ~= 3 and input.ndim ~= 4 then
      local shape = check.describe(input)
      check.fail(self, 'input is %s, expected N x C x H x W or C x H x W', shape)
   end
   local kH, kW, dH, dW, padH, padW, ceil, count = arguments(self)
   if C.TH_avg_pool2d(r, input, kH, kW, dH, dW, padH, padW, ceil, count) ~= 0 then
      check.recover(self)
      th.check(C.TH_avg_pool2d(r, input, kH, kW, dH, dW, padH, padW, ceil, count))
   end
   return self.divide == false and r:mul(kW * kH) or r
end

function SpatialAveragePooling:updateGradInput(input, gradOutput)
   local r, g = self.gradInput, gradOutput
   check.backward(self, r, input, g)
   local kH, kW, dH, dW, padH, padW, ceil, count = arguments(self)
   if C.TH_avg_pool2d_backward(r, g, input, kH, kW, dH, dW, padH, padW, ceil, count) ~= 0 then
      check.recover(self)
      th.check(C.TH_avg_pool2d_backward(r, g, input, kH, kW, dH, dW, padH, padW, ceil, count))
   end
   return self.divide == false and r:mul(kW * kH) or r
end

function SpatialAveragePooling:__tostring__()
   local s = ('%s(%dx%d, %d,%d'):format(torch.type(self), self.kW, self.kH, self.dW, self.dH)
   if (self.padW or 0) ~= 0 or (self.padH or 0) ~= 0 then
      s = ('%s, %d,%d'):format(s, self.padW, self.padH)
   end
   return s .. ')'
end
