--- Local response normalisation across planes: y = x (k + alpha / size sum x^2)^-beta, with the sum
-- over the planes from size / 2 before to size / 2 behind (rounded down, of an even size to one
-- less).
--
-- Shapes: input N x C x H x W or C x H x W; output likewise.
--
-- Source: Krizhevsky, Sutskever and Hinton, "ImageNet classification with deep convolutional neural
-- networks", NIPS 2012, section 3.3.
-- @classmod nn.SpatialCrossMapLRN
-- @example #nn.SpatialCrossMapLRN(3):forward(torch.randn(2, 5, 4, 4)) --> { 2, 5, 4, 4 }

local nn = require 'nn'
local ops = require 'nn.base.ops'
local windows = require 'nn.pooling.windows'

local SpatialCrossMapLRN = nn.declare('nn.SpatialCrossMapLRN', {
   arguments = [[
      size   size             planes that are added up
      alpha  number = 0.0001  factor of the sum
      beta   number = 0.75    exponent
      k      number = 1       added to the sum
   ]],
   input = 'N? C H W',
   output = 'N? C H W',
   batch = true,
})

-- Sums over neighbouring planes, times alpha / size: means over windows of as many rows, an image's
-- planes being the rows.
local function neighbours(self, sums, x)
   local reach = math.floor((self.size - 1) / 2)
   local count = 2 * reach + 1
   local rows = x:contiguous():view(x:size(1), x:size(2), -1)
   ops.avg_pool(self, sums, rows, true, windows.of(count, 1, 1, 1, reach, 0))
   return sums:mul(self.alpha * count / self.size):resize(x:size())
end

function SpatialCrossMapLRN:__computeOutput(y, x)
   local scale = self.scale
   if not scale or scale:type() ~= x:type() then
      scale = x.new()
      self.scale = scale
   end
   y:resizeAs(x):cmul(x, x)
   neighbours(self, scale, y):add(self.k)
   return y:pow(scale, -self.beta):cmul(x)
end

function SpatialCrossMapLRN:__computeGradInput(gx, x, g)
   local scale = self.scale
   local shared = self.output.new():resizeAs(x):cmul(g, x):cmul(scale:clone():pow(-self.beta - 1))
   local sums = neighbours(self, x.new(), shared)
   gx:resizeAs(x):pow(scale, -self.beta):cmul(g)
   return gx:add(-2 * self.beta, sums:cmul(x))
end

function SpatialCrossMapLRN:clearState()
   self.scale = nil
   return nn.Module.clearState(self)
end
