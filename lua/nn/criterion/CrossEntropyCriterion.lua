--- Cross entropy of scores and classes: nn.LogSoftMax and nn.ClassNLLCriterion in one.
--
-- Shapes: input N x nClasses and N targets, or nClasses and one target; dimensions of size 1 are
-- dropped.
-- @classmod nn.CrossEntropyCriterion

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local CrossEntropyCriterion, Criterion = torch.class('nn.CrossEntropyCriterion', 'nn.Criterion', nn)

--- @tparam[opt] Tensor weights a weight for each class
-- @bool[opt=true] sizeAverage false: the sum instead of the mean
function CrossEntropyCriterion:__init(weights, sizeAverage)
   Criterion.__init(self)
   self.lsm = nn.LogSoftMax()
   self.nll = nn.ClassNLLCriterion(weights, sizeAverage)
   self.sizeAverage = self.nll.sizeAverage
   self.oldSizeAverage = self.sizeAverage
end

-- Scores and targets without dimensions of size 1; passes the options on.
local function prepared(self, input, target)
   check.tensor(self, self.lsm.output, input, 'input')
   if input.ndim > 2 or (input.ndim == 2 and input:size(1) == 1) then
      input = input:squeeze()
   end
   if torch.isTensor(target) and target.ndim > 1 then
      target = target:squeeze()
   end
   if self.sizeAverage ~= self.oldSizeAverage then -- else it may have been set in `nll`
      self.nll.sizeAverage = self.sizeAverage
      self.oldSizeAverage = self.sizeAverage
   end
   return input, target
end

function CrossEntropyCriterion:updateOutput(input, target)
   input, target = prepared(self, input, target)
   self.lsm:updateOutput(input)
   self.nll:updateOutput(self.lsm.output, target)
   self.output = self.nll.output
   return self.output
end

function CrossEntropyCriterion:updateGradInput(input, target)
   local scores, classes = prepared(self, input, target)
   self.nll:updateGradInput(self.lsm.output, classes)
   self.lsm:updateGradInput(scores, self.nll.gradInput)
   self.gradInput:view(self.lsm.gradInput, input:size())
   return self.gradInput
end
