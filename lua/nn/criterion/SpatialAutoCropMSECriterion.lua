--- Mean squared error against the middle of a larger target.
--
-- Shapes: input N x C x H x W or C x H x W; target likewise, its H and W not smaller.
-- @classmod nn.SpatialAutoCropMSECriterion

local nn = require 'nn'
local check = require 'nn.check'

local SpatialAutoCropMSECriterion, Parent = nn.declare('nn.SpatialAutoCropMSECriterion',
   'nn.MSECriterion', { arguments = '...', input = 'N? C H W', target = 'any' })

-- The part of the target that the input is compared with.
local function middle(self, x, t)
   check.tensor(self, x, t, 'target')
   local n = x:dim()
   for d = 1, n do
      local good = t:dim() == n and (t:size(d) == x:size(d) or d > n - 2 and t:size(d) > x:size(d))
      if not good then
         check.fail(self, 'target is %s, expected %s or larger images', check.describe(t),
            check.describe(x))
      end
   end
   for d = n - 1, n do
      t = t:narrow(d, 1 + math.floor((t:size(d) - x:size(d)) / 2), x:size(d))
   end
   return t
end

function SpatialAutoCropMSECriterion:__computeOutput(loss, x, t)
   return Parent.__computeOutput(self, loss, x, middle(self, x, t))
end

function SpatialAutoCropMSECriterion:__computeGradInput(gx, x, t)
   return Parent.__computeGradInput(self, gx, x, middle(self, x, t))
end
