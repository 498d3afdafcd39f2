--- The mean over windows of kT x kW x kH.
--
-- Shapes: input N x C x T x H x W or C x T x H x W; output likewise with
-- oT = floor((T + 2 padT - kT) / dT) + 1 (`ceil` after `:ceil()`), oH and oW likewise.
-- @classmod nn.VolumetricAveragePooling
-- @example
-- #nn.VolumetricAveragePooling(2, 2, 2):forward(torch.randn(2, 3, 4, 6, 6)) --> { 2, 3, 2, 3, 3 }

local nn = require 'nn'
local ops = require 'nn.base.ops'
local windows = require 'nn.pooling.windows'

local VolumetricAveragePooling = nn.declare('nn.VolumetricAveragePooling', 'nn.VolumetricPooling', {
   arguments = '...',
})

VolumetricAveragePooling.count_include_pad = true

--- Divide by all elements of a window, those of the padding too (the default).
-- @return self
function VolumetricAveragePooling:setCountIncludePad()
   self.count_include_pad = true
   return self
end

--- Divide by the elements of a window that lie in the volume.
-- @return self
function VolumetricAveragePooling:setCountExcludePad()
   self.count_include_pad = false
   return self
end

function VolumetricAveragePooling:__computeOutput(y, x)
   return ops.avg_pool(self, y, x, self.count_include_pad, windows.volume(self))
end

function VolumetricAveragePooling:__computeGradInput(gx, x, g)
   return ops.avg_pool_backward(self, gx, g, x, self.count_include_pad, windows.volume(self))
end
