--- Of a pair {x1, x2}: the sum d of |x1_i - x2_i| where the target is 1, max(0, margin - d) where
-- it is -1.
-- Shapes: x1 and x2 of any shape with equal element counts, one target.
-- @classmod nn.L1HingeEmbeddingCriterion
-- @example
-- local a, b = torch.Tensor { 1, 0 }, torch.Tensor { 1, 0.5 }
-- nn.L1HingeEmbeddingCriterion():forward({ a, b }, 1) --> 0.5

local torch = require 'torch'
local nn = require 'nn'

local L1Hinge = nn.declare('nn.L1HingeEmbeddingCriterion', 'nn.Criterion', {
   arguments = 'margin  number = 1  how far apart what differs shall be',
   input = 'table', tensors = 2, target = 'signs',
})

function L1Hinge:__computeOutput(_, x, t)
   local d = x[1]:dist(x[2], 1)
   return t[1] > 0 and d or math.max(0, self.margin - d)
end

-- Within a record that is differentiated itself, where the distance is a Variable.
function L1Hinge:__recorded(x, t)
   local d, near = x[1]:dist(x[2], 1), (torch.isTensor(t) and t[1] or t) > 0
   return near and d or torch.cmax(self.margin - d, 0)
end

function L1Hinge:__computeGradInput(gx, x, t)
   local near = t[1] > 0
   gx[1]:add(x[1], -1, x[2]):sign()
   if not near then
      gx[1]:mul(x[1]:dist(x[2], 1) < self.margin and -1 or 0)
   end
   gx[2]:neg(gx[1])
   return gx
end

return L1Hinge
