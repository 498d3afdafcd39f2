--- The weighted sum of criterions, each of which sees an entry of the input, a table, and the entry
-- of the target beside it.
-- @classmod nn.ParallelCriterion
-- @usage nn.ParallelCriterion():add(nn.ClassNLLCriterion(), 0.5):add(nn.MSECriterion())
-- @example
-- local loss = nn.ParallelCriterion():add(nn.MSECriterion()):add(nn.AbsCriterion(), 0.5)
-- local x, y = torch.Tensor { 1 }, torch.Tensor { 5 }
-- loss:forward({ x, x }, { y, y }) --> 18

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local ParallelCriterion, Parent = torch.class('nn.ParallelCriterion', 'nn.Criterion', nn)

--- Make the criterion.
-- @bool[opt=false] repeatTarget every criterion sees the whole target
function ParallelCriterion:__init(repeatTarget)
   Parent.__init(self)
   self.criterions = {}
   self.weights = {}
   self.gradInput = {}
   self.repeatTarget = repeatTarget or false
end

--- Add a criterion, for the next entry of the input.
-- @param criterion
-- @number[opt=1] weight its factor
-- @return self
function ParallelCriterion:add(criterion, weight)
   if not torch.isTypeOf(criterion, 'nn.Criterion') then
      check.fail(self, 'got %s, expected a criterion such as nn.MSECriterion()',
         check.given(criterion))
   end
   table.insert(self.criterions, criterion)
   table.insert(self.weights, weight or 1)
   return self
end

local function entry(self, list, i, name)
   if type(list) ~= 'table' or list[i] == nil then
      check.fail(self, '%s is %s, expected a table of %d entries, one for each criterion', name,
         type(list) == 'table' and ('a table of %d'):format(#list) or check.given(list),
         #self.criterions)
   end
   return list[i]
end

local function pair(self, input, target, i)
   return entry(self, input, i, 'input'), self.repeatTarget and target
      or entry(self, target, i, 'target')
end

-- Within a record that is differentiated itself: the losses are Variables.
function ParallelCriterion:__recorded(input, target)
   local sum = 0
   for i, criterion in ipairs(self.criterions) do
      sum = criterion:forward(pair(self, input, target, i)) * self.weights[i] + sum
   end
   return sum
end

function ParallelCriterion:updateOutput(input, target)
   self.output = 0
   for i, criterion in ipairs(self.criterions) do
      self.output = self.output
         + self.weights[i] * criterion:updateOutput(pair(self, input, target, i))
   end
   return self.output
end

function ParallelCriterion:updateGradInput(input, target)
   self.gradInput = nn.utils.recursiveResizeAs(self.gradInput, input)
   nn.utils.recursiveFill(self.gradInput, 0)
   for i, criterion in ipairs(self.criterions) do
      nn.utils.recursiveAdd(self.gradInput[i], self.weights[i],
         criterion:updateGradInput(pair(self, input, target, i)))
   end
   return self.gradInput
end

function ParallelCriterion:type(type, cache)
   self.gradInput = {}
   return Parent.type(self, type, cache)
end

return ParallelCriterion
