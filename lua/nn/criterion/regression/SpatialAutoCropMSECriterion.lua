--- Mean squared error of images and the middle of targets, which may be larger.
-- Shapes: input C x H x W or N x C x H x W; target of as many channels, its height and width at
-- least the input's.
-- @classmod nn.SpatialAutoCropMSECriterion
-- @example
-- nn.SpatialAutoCropMSECriterion():forward(torch.ones(1, 2, 2), torch.zeros(1, 4, 4)) --> 1

local nn = require 'nn'
local check = require 'nn.check'

local AutoCrop, MSE = nn.declare('nn.SpatialAutoCropMSECriterion', 'nn.MSECriterion', {
   input = 'N? C H W', target = 'any',
})

local function refuse(self, x, t, wanted)
   check.fail(self, 'target is %s and input is %s, expected %s', check.describe(t),
      check.describe(x), wanted)
end

local function middle(self, x, t)
   check.same_type(self, x, 'input', t, 'target')
   local dims = x:dim()
   if t:dim() ~= dims then
      refuse(self, x, t, 'as many dimensions')
   end
   for d = 1, dims - 2 do
      if t:size(d) ~= x:size(d) then
         refuse(self, x, t, 'the same samples and channels')
      end
   end
   for d = dims - 1, dims do
      local margin = t:size(d) - x:size(d)
      if margin < 0 then
         refuse(self, x, t, 'an input that is no larger than the target')
      end
      t = t:narrow(d, 1 + math.floor(margin / 2), x:size(d))
   end
   return t
end

function AutoCrop:__computeOutput(loss, x, t)
   return MSE.__computeOutput(self, loss, x, middle(self, x, t))
end

function AutoCrop:__computeGradInput(gx, x, t)
   return MSE.__computeGradInput(self, gx, x, middle(self, x, t))
end

return AutoCrop
