--- The weighted sum of criterions that see the same input and target.
-- @classmod nn.MultiCriterion
-- @usage nn.MultiCriterion():add(nn.MSECriterion()):add(nn.AbsCriterion(), 0.1)
-- @example
-- local loss = nn.MultiCriterion():add(nn.MSECriterion()):add(nn.AbsCriterion(), 0.5)
-- loss:forward(torch.Tensor { 1, 5 }, torch.Tensor { 1, 3 }) --> 2.5

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local MultiCriterion, Parent = torch.class('nn.MultiCriterion', 'nn.Criterion', nn)

function MultiCriterion:__init()
   Parent.__init(self)
   self.criterions = {}
   self.weights = torch.DoubleStorage()
end

--- Add a criterion.
-- @param criterion
-- @number[opt=1] weight its factor
-- @return self
function MultiCriterion:add(criterion, weight)
   if not torch.isTypeOf(criterion, 'nn.Criterion') then
      check.fail(self, 'got %s, expected a criterion such as nn.MSECriterion()',
         check.given(criterion))
   end
   local n = #self.criterions + 1
   self.criterions[n] = criterion
   self.weights:resize(n, true)
   self.weights[n] = weight or 1
   return self
end

-- Within a record that is differentiated itself: the losses are Variables.
function MultiCriterion:__recorded(input, target)
   local sum = 0
   for i, criterion in ipairs(self.criterions) do
      sum = criterion:forward(input, target) * self.weights[i] + sum
   end
   return sum
end

function MultiCriterion:updateOutput(input, target)
   self.output = 0
   for i, criterion in ipairs(self.criterions) do
      self.output = self.output + self.weights[i] * criterion:updateOutput(input, target)
   end
   return self.output
end

function MultiCriterion:updateGradInput(input, target)
   self.gradInput = nn.utils.recursiveResizeAs(self.gradInput, input)
   nn.utils.recursiveFill(self.gradInput, 0)
   for i, criterion in ipairs(self.criterions) do
      nn.utils.recursiveAdd(self.gradInput, self.weights[i],
         criterion:updateGradInput(input, target))
   end
   return self.gradInput
end

function MultiCriterion:type(type, cache)
   for _, criterion in ipairs(self.criterions) do
      criterion:type(type, cache)
   end
   return Parent.type(self, type, cache)
end

return MultiCriterion
