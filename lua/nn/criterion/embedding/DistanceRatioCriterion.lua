--- Of triplets: the mean over all of log(1 + e^(Ds - Dd)), for {Ds, Dd}, the distances of a sample
-- from one that is similar and from one that is not. There is no target.
-- Shapes: Ds and Dd of any shape with equal element counts.
-- Source: Hoffer, Hubara & Ailon, Deep Unsupervised Learning through Spatial Contrasting, 2016
-- (arXiv:1610.00243).
-- @classmod nn.DistanceRatioCriterion
-- @example
-- local near, far = torch.Tensor { 1 }, torch.Tensor { 3 }
-- nn.DistanceRatioCriterion():forward({ near, far }, torch.Tensor { 1 }) --> 0.1269

local nn = require 'nn'

local DistanceRatio = nn.declare('nn.DistanceRatioCriterion', 'nn.Criterion', {
   arguments = 'sizeAverage  boolean = true  false: the sum instead of the mean',
   input = 'table', tensors = 2, target = 'any',
})

local function factor(self, x)
   return self.sizeAverage and 1 / x[1]:nElement() or 1
end

function DistanceRatio:__computeOutput(_, x)
   return factor(self, x) * (x[1] - x[2]):softplus():sum()
end

function DistanceRatio:__computeGradInput(gx, x)
   gx[1]:add(x[1], -1, x[2]):sigmoid():mul(factor(self, x))
   gx[2]:neg(gx[1])
   return gx
end

return DistanceRatio
