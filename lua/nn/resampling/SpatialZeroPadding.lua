--- Adds zeros around an image; negative padding crops.
--
-- Shapes: input N x C x H x W or C x H x W; output likewise with H + pad_t + pad_b and
-- W + pad_l + pad_r.
-- @classmod nn.SpatialZeroPadding
-- @example
-- local y = nn.SpatialZeroPadding(1, 1, 0, 0):forward(torch.range(1, 3):view(1, 1, 3))
-- y --> { { { 0, 1, 2, 3, 0 } } }

local nn = require 'nn'
local check = require 'nn.check'

local SpatialZeroPadding = nn.declare('nn.SpatialZeroPadding', 'nn.SpatialPadding', {
   arguments = '...',
})

-- What of a direction is in the input and in the output: where it begins in each, and how much.
local function overlap(self, x, d, before, after)
   local size = x:size(d)
   if size + before + after < 1 or before <= -size or after <= -size then
      check.fail(self, 'input is %s, expected more than %d elements in dimension %d: padding by %d '
         .. 'and %d leaves nothing', check.describe(x), size, d, before, after)
   end
   return math.max(-before, 0) + 1, math.max(before, 0) + 1,
      size + math.min(before, 0) + math.min(after, 0)
end

local function parts(self, x, y)
   local n = x:dim()
   local xTop, yTop, height = overlap(self, x, n - 1, self.pad_t, self.pad_b)
   local xLeft, yLeft, width = overlap(self, x, n, self.pad_l, self.pad_r)
   local sizes = x:size()
   return x:narrow(n - 1, xTop, height):narrow(n, xLeft, width), function()
      return y:narrow(n - 1, yTop, height):narrow(n, yLeft, width)
   end, sizes
end

function SpatialZeroPadding:__computeOutput(y, x)
   local kept, place, sizes = parts(self, x, y)
   local n = #sizes
   sizes[n - 1] = sizes[n - 1] + self.pad_t + self.pad_b
   sizes[n] = sizes[n] + self.pad_l + self.pad_r
   y:resize(sizes):zero()
   place():copy(kept)
   return y
end

function SpatialZeroPadding:__computeGradInput(gx, x, g)
   local kept, place = parts(self, gx:resize(x:size()):zero(), g)
   kept:copy(place())
   return gx
end
