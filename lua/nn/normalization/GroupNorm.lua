--- The planes of each sample, in groups with mean 0 and variance 1, then scaled and shifted.
--
-- y = (x - mean) / sqrt(var + eps) * weight + bias, mean and (biased) variance over the planes of a
-- group and all their elements; weight and bias have a number for each plane. One group is a layer
-- normalisation over C x ..., as many groups as planes are nn.InstanceNorm.
--
-- Shapes: x is N x planes or N x planes x ...
--
-- Source: Wu and He, "Group normalization", ECCV 2018 (arXiv:1803.08494).
-- @classmod nn.GroupNorm
-- @usage nn.GroupNorm(8, 64)
-- @example #nn.GroupNorm(2, 6):forward(torch.randn(2, 6, 4, 4)) --> { 2, 6, 4, 4 }

local nn = require 'nn'
local check = require 'nn.check'

local GroupNorm = nn.declare('nn.GroupNorm', 'nn.RowNormalization', {
   arguments = [[
      groups  size            of planes
      planes  size            a multiple of groups
      eps     number = 1e-5   added to the variance
      affine  boolean = true  learn weight and bias
   ]],
   text = '({planes} in {groups})',
})

function GroupNorm:__initialize(groups, planes, _, affine)
   if planes % groups ~= 0 then
      check.fail(self, '%d planes do not fall into %d groups; take a divisor of %d', planes, groups,
         planes)
   end
   if affine then
      self:__addWeights({ planes }, { planes })
   end
end

function GroupNorm:__rows(x)
   local planes, inner = self.planes, 1
   if x.ndim < 2 or x:size(2) ~= planes then
      check.fail(self, 'input is %s, expected N x %d or N x %d x ...', check.describe(x), planes,
         planes)
   end
   for d = 3, x.ndim do
      inner = inner * x:size(d)
   end
   return planes / self.groups * inner, self.groups, inner
end
