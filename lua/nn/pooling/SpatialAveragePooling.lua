--- The mean over windows of kW x kH.
--
-- Shapes: input N x C x H x W or C x H x W; output likewise with
-- oH = floor((H + 2 padH - kH) / dH) + 1 (`ceil` after `:ceil()`), and oW likewise.
-- @classmod nn.SpatialAveragePooling
-- @example
-- local y = nn.SpatialAveragePooling(2, 2, 2, 2):forward(torch.range(1, 8):view(1, 2, 4))
-- y --> { { { 3.5, 5.5 } } }

local nn = require 'nn'
local ops = require 'nn.base.ops'
local windows = require 'nn.pooling.windows'

local SpatialAveragePooling = nn.declare('nn.SpatialAveragePooling', 'nn.SpatialPooling', {
   arguments = [[
      kW    size        window width
      kH    size        window height
      dW    integer = 1 step to the right
      dH    integer = 1 step down
      padW  integer = 0 zeros added left and right, at most half a window
      padH  integer = 0 zeros added above and below
   ]],
})

-- What old files lack. `divide` is false in old files alone: sums, then.
SpatialAveragePooling.count_include_pad, SpatialAveragePooling.divide = true, true

function SpatialAveragePooling:__initialize()
   self.ceil_mode = false
   self.count_include_pad = true
   self.divide = true
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

local function summed(self, r)
   return self.divide and r or r:mul(self.kW * self.kH)
end

function SpatialAveragePooling:__computeOutput(y, x)
   return summed(self, ops.avg_pool(self, y, x, self.count_include_pad, windows.image(self)))
end

function SpatialAveragePooling:__computeGradInput(gx, x, g)
   return summed(self, ops.avg_pool_backward(self, gx, g, x, self.count_include_pad,
      windows.image(self)))
end
