--- Of pairs {x1, x2} of vectors: 1 - cos(x1, x2) where the target is 1, and
-- max(0, cos(x1, x2) - margin) where it is -1; the mean over the pairs. A single pair may have a
-- number for its target.
-- Shapes: x1 and x2 D or N x D, target 1 or N.
-- @classmod nn.CosineEmbeddingCriterion
-- @example
-- local a, b = torch.Tensor { 1, 0 }, torch.Tensor { 1, 1 }
-- nn.CosineEmbeddingCriterion():forward({ a, b }, 1) --> 0.2929

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local CosineEmbedding = nn.declare('nn.CosineEmbeddingCriterion', 'nn.Criterion', {
   arguments = [[
      margin       number = 0      from -1 to 1
      sizeAverage  boolean = true  false: the sum instead of the mean
   ]],
   input = 'table', tensors = 2, target = 'signs',
})

local SMALLEST = 1e-12 -- added to squared lengths, for vectors of zeros

-- Rows, targets as a column, and the columns of 1/|x1|, 1/|x2| and cosines.
local function measures(self, x, t)
   local a, b = x[1], x[2]
   if a:dim() > 2 then
      check.fail(self, 'input 1 is %s, expected D or N x D', check.describe(a))
   elseif a:dim() == 1 then
      a = a:reshape(1, a:size(1))
   end
   b = b:reshape(a:size())
   if t:nElement() ~= a:size(1) then
      check.fail(self, 'target is %s, expected %d, one for each pair', check.describe(t), a:size(1))
   end
   local p = torch.cmul(a, a):sum(2):add(SMALLEST):rsqrt()
   local q = torch.cmul(b, b):sum(2):add(SMALLEST):rsqrt()
   return a, b, t:reshape(a:size(1), 1), p, q, torch.cmul(a, b):sum(2):cmul(p):cmul(q)
end

local function factor(self, rows)
   return self.sizeAverage and 1 / rows or 1
end

function CosineEmbedding:__computeOutput(_, x, t)
   local a, _, y, _, _, cos = measures(self, x, t)
   local near = y:gt(0):typeAs(cos)
   local loss = (1 - cos):cmul(near) + (cos - self.margin):cmax(0):cmul(1 - near)
   return loss:sum() * factor(self, a:size(1))
end

-- dcos/dx1 = x2 / (|x1| |x2|) - cos x1 / |x1|^2
local function slope(gx, like, x, other, p, q, cos, g)
   gx:resizeAs(x):cmul(other, torch.cmul(p, q):cmul(g):expandAs(x))
   gx:addcmul(-1, x, torch.cmul(p, p):cmul(cos):cmul(g):expandAs(x))
   return gx:resizeAs(like)
end

function CosineEmbedding:__computeGradInput(gx, x, t)
   local a, b, y, p, q, cos = measures(self, x, t)
   local near = y:gt(0):typeAs(cos)
   local g = cos:gt(self.margin):typeAs(cos):cmul(1 - near):csub(near)
   g:mul(factor(self, a:size(1)))
   gx[1] = slope(gx[1], x[1], a, b, p, q, cos, g)
   gx[2] = slope(gx[2], x[2], b, a, q, p, cos, g)
   return gx
end

return CosineEmbedding
