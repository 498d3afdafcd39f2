--- A criterion as a layer: its input is a table of a criterion's input and target, its output the
-- loss, a number.
-- @classmod nn.CriterionTable
-- @example
-- local loss = nn.CriterionTable(nn.MSECriterion())
-- loss:forward { torch.Tensor { 1, 2 }, torch.Tensor { 1, 4 } } --> 2

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local CriterionTable, Parent = torch.class('nn.CriterionTable', 'nn.Module', nn)

--- Make the layer.
-- @param criterion
function CriterionTable:__init(criterion)
   Parent.__init(self)
   if not torch.isTypeOf(criterion, 'nn.Criterion') then
      check.fail(self, 'got %s, expected a criterion such as nn.MSECriterion()',
         check.given(criterion))
   end
   self.criterion = criterion
   self.gradInput = { criterion.gradInput }
end

function CriterionTable:updateOutput(input)
   self.output = self.criterion:updateOutput(input[1], input[2])
   return self.output
end

--- The gradient with respect to the criterion's input; gradOutput has no say.
-- @param input
-- @return { gradInput of the criterion }
function CriterionTable:updateGradInput(input)
   self.gradInput = { self.criterion:updateGradInput(input[1], input[2]) }
   return self.gradInput
end

return CriterionTable
