--- Of two views {x1, x2} of each of N samples: the two shall be more alike than those of different
-- samples. There is no target.
--
-- With z the rows scaled to length 1, each row i of all 2N (x1 then x2) has the scores
-- z_i . z_j / temperature for the others, and the loss is the mean cross entropy of these where the
-- other view of the same sample is the class: NT-Xent. With `crossOnly` the rows of x1 are compared
-- with those of x2 alone, and the loss is the mean over these N: InfoNCE.
-- Shapes: x1 and x2 N x D.
-- Source: Chen et al., A Simple Framework for Contrastive Learning, 2020 (arXiv:2002.05709); van
-- den Oord, Li & Vinyals, Representation Learning with Contrastive Predictive Coding, 2018
-- (arXiv:1807.03748).
-- @classmod nn.ContrastiveCriterion
-- @example nn.ContrastiveCriterion(1):forward({ torch.eye(2), torch.eye(2) }) --> 0.5514

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local th = require 'torch.ffi'

local Contrastive = nn.declare('nn.ContrastiveCriterion', 'nn.Criterion', {
   arguments = [[
      temperature  number = 0.5
      crossOnly    boolean = false  InfoNCE
   ]],
   input = 'table', tensors = 2, target = 'any',
})

local SMALLEST = 1e-12 -- added to squared lengths

-- Rows of length 1, and 1 / their lengths as a column.
local function unit(x)
   local inverse = torch.cmul(x, x):sum(2):add(SMALLEST):rsqrt()
   return torch.cmul(x, inverse:expandAs(x)), inverse
end

-- The rows that ask, those that answer, 1 / lengths of both, log-probabilities of the answers, and
-- where the right one is.
local function scores(self, x)
   if x[1]:dim() ~= 2 then
      check.fail(self, 'input 1 is %s, expected N x D', check.describe(x[1]))
   end
   local n = x[1]:size(1)
   local a, b, p, q, right
   if self.crossOnly then
      a, p = unit(x[1])
      b, q = unit(x[2])
      right = torch.range(1, n)
   else
      a, p = unit(torch.cat(x[1], x[2]:reshape(x[1]:size()), 1))
      b, q = a, p
      right = torch.cat(torch.range(n + 1, 2 * n), torch.range(1, n))
   end
   local s = torch.mm(a, b:t()):div(self.temperature)
   if not self.crossOnly then
      s:view(-1):unfold(1, 1, 2 * n + 1):fill(-math.huge) -- the diagonal
   end
   local classes = th.likeType(s, th.C.TH_LONG):resize(right:size(1)):copy(right):view(-1, 1)
   return a, b, p, q, ops.log_softmax(self, th.like(s), s, 1), classes
end

function Contrastive:__computeOutput(_, x)
   local _, _, _, _, s, right = scores(self, x)
   return -s:gather(2, right):mean()
end

-- The gradient by x from that by its rows of length 1, z: (g - z (z . g)) / |x|
local function through_unit(g, z, inverse)
   local along = torch.cmul(z, g):sum(2)
   return g:addcmul(-1, z, along:expandAs(z)):cmul(inverse:expandAs(g))
end

function Contrastive:__computeGradInput(gx, x)
   local a, b, p, q, s, right = scores(self, x)
   local n = x[1]:size(1)
   s:exp()
   s:scatter(2, right, s:gather(2, right):add(-1))
   s:div(s:size(1) * self.temperature)
   local ga, gb = torch.mm(s, b), torch.mm(s:t(), a)
   if self.crossOnly then
      gx[1]:resizeAs(x[1]):copy(through_unit(ga, a, p))
      gx[2]:resizeAs(x[2]):copy(through_unit(gb, b, q))
   else
      local g = through_unit(ga:add(gb), a, p)
      gx[1]:resizeAs(x[1]):copy(g:narrow(1, 1, n))
      gx[2]:resizeAs(x[2]):copy(g:narrow(1, n + 1, n))
   end
   return gx
end

return Contrastive
