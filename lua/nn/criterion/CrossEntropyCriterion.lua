--- Cross entropy of scores and classes: nn.LogSoftMax and nn.ClassNLLCriterion in one.
--
-- Shapes: input N x nClasses and N targets, or nClasses and one target; dimensions of size 1 are
-- dropped.
-- @classmod nn.CrossEntropyCriterion

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local CrossEntropyCriterion = nn.declare('nn.CrossEntropyCriterion', 'nn.Criterion', {
   arguments = [[
      (weights)    vector?         a weight for each class
      sizeAverage  boolean = true  false: the sum instead of the mean
   ]],
   target = 'any',
})

function CrossEntropyCriterion:__initialize(weights, sizeAverage)
   self.lsm = nn.LogSoftMax()
   self.nll = nn.ClassNLLCriterion(weights, sizeAverage)
   self.oldSizeAverage = sizeAverage
end

-- Scores and targets without dimensions of size 1; passes the option on.
local function prepared(self, x, t)
   if x.ndim > 2 or (x.ndim == 2 and x:size(1) == 1) then
      x = x:squeeze()
   end
   if torch.isTensor(t) and t.ndim > 1 then
      t = t:squeeze()
   end
   if self.sizeAverage ~= self.oldSizeAverage then -- else it may have been set in `nll`
      self.nll.sizeAverage = self.sizeAverage
      self.oldSizeAverage = self.sizeAverage
   end
   return x, t
end

function CrossEntropyCriterion:__computeOutput(_, x, t)
   check.tensor(self, self.gradInput, x, 'input') -- the layer inside has one type
   x, t = prepared(self, x, t)
   return (self.nll:updateOutput(self.lsm:updateOutput(x), t))
end

function CrossEntropyCriterion:__computeGradInput(gx, x, t)
   local scores, classes = prepared(self, x, t)
   local g = self.nll:updateGradInput(self.lsm.output, classes)
   return gx:view(self.lsm:updateGradInput(scores, g), x:size())
end
