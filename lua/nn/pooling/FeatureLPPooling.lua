--- The p-norm over windows of `width` features: y_k = (sum over i of x_(k stride + i)^p)^(1/p).
--
-- Where a y is 0 its gradient is 0.
--
-- Shapes: input F, F x A or F x A x B; with batch_mode N x F, N x F x A or N x F x A x B. Output
-- likewise with floor((F - width) / stride) + 1 features.
-- @classmod nn.FeatureLPPooling
-- @example #nn.FeatureLPPooling(2, 2, 2, true):forward(torch.randn(3, 6)) --> { 3, 3 }

local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local windows = require 'nn.pooling.windows'

local FeatureLPPooling = nn.declare('nn.FeatureLPPooling', 'nn.Pooling', {
   arguments = [[
      width       size             features of a window
      stride      size             features from window to window
      power       number           p
      batch_mode  boolean = false  whether the input has a batch in front
   ]],
   validate = '__checkDimensions',
})

function FeatureLPPooling:__checkDimensions(x)
   local batch = self.batch_mode and 1 or 0
   if x:dim() <= batch or x:dim() > batch + 3 then
      check.fail(self, 'input is %s, expected %s', check.describe(x), self.batch_mode
         and 'N x F, N x F x A or N x F x A x B' or 'F, F x A or F x A x B')
   end
end

-- N x F x the rest, as images whose windows are one element wide.
local function image(self, x)
   local batch = self.batch_mode and 1 or 0
   return x:contiguous():view(batch == 1 and x:size(1) or 1, x:size(batch + 1), -1)
end

local function window(self)
   return windows.of(self.width, 1, self.stride, 1, 0, 0)
end

function FeatureLPPooling:__computeOutput(y, x)
   local p, xs = self.power, image(self, x)
   local sums = ops.avg_pool(self, y, p == 1 and xs or xs:clone():pow(p), true, window(self))
   local sizes, feature = x:size(), self.batch_mode and 2 or 1
   sizes[feature] = sums:size(2)
   sums:mul(self.width)
   return (p == 1 and sums or sums:pow(1 / p)):resize(sizes)
end

function FeatureLPPooling:__computeGradInput(gx, x, g)
   local p, xs, gs = self.power, image(self, x), image(self, g)
   if p ~= 1 then
      local y = image(self, self.output)
      local zero = y:eq(0):typeAs(y) -- has no slope; a mask would have to be checked
      gs = gs:clone():cmul((y + zero):pow(1 - p)):cmul(1 - zero)
   end
   ops.avg_pool_backward(self, gx, gs, xs, true, window(self)):mul(self.width)
   if p ~= 1 then
      gx:cmul(xs:clone():pow(p - 1))
   end
   return gx:resize(x:size())
end
