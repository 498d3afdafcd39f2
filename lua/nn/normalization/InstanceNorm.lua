--- Each plane of each sample with mean 0 and variance 1, by itself; the same in training and in
-- evaluation.
--
-- y = (x - mean) / sqrt(var + eps) [* weight + bias]: nn.GroupNorm with a group for each plane.
--
-- Shapes: x is N x planes x ...
--
-- Source: Ulyanov, Vedaldi and Lempitsky, 2016 (arXiv:1607.08022).
-- @classmod nn.InstanceNorm
-- @usage nn.InstanceNorm(64)
-- @example #nn.InstanceNorm(3):forward(torch.randn(2, 3, 4, 4)) --> { 2, 3, 4, 4 }

local nn = require 'nn'
local check = require 'nn.check'

local InstanceNorm, GroupNorm = nn.declare('nn.InstanceNorm', 'nn.GroupNorm', {
   arguments = [[
      planes  size             of a sample
      eps     number = 1e-5    added to the variance
      affine  boolean = false  learn weight and bias
   ]],
   text = '({planes})',
})

function InstanceNorm:__initialize(planes, eps, affine)
   self.groups = planes
   GroupNorm.__initialize(self, planes, planes, eps, affine)
end

function InstanceNorm:__rows(x)
   local length, groups, inner = GroupNorm.__rows(self, x)
   if length == 1 then
      check.fail(self, 'input is %s: one element in each plane has no variance, expected N x %d x '
         .. '...', check.describe(x), self.planes)
   end
   return length, groups, inner
end
