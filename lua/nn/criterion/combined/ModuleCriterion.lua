--- A criterion that sees its input and its target through modules.
--
-- The input's module must have no parameters: nobody would update them.
-- @classmod nn.ModuleCriterion
-- @example
-- local loss = nn.ModuleCriterion(nn.MSECriterion(), nn.Square())
-- loss:forward(torch.Tensor { 3 }, torch.Tensor { 10 }) --> 1

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local ModuleCriterion, Parent = torch.class('nn.ModuleCriterion', 'nn.Criterion', nn)

local function module_or_nil(module, self)
   if module and not torch.isTypeOf(module, 'nn.Module') then
      check.fail(self, 'got %s, expected a module such as nn.Tanh()', check.given(module))
   end
   return module
end

--- Make the criterion.
-- @param criterion
-- @param[opt] inputModule
-- @param[opt] targetModule
-- @bool[opt=true] castTarget `type` converts targetModule too
function ModuleCriterion:__init(criterion, inputModule, targetModule, castTarget)
   Parent.__init(self)
   if not torch.isTypeOf(criterion, 'nn.Criterion') then
      check.fail(self, 'got %s, expected a criterion such as nn.MSECriterion()',
         check.given(criterion))
   end
   self.inputModule = module_or_nil(inputModule, self)
   self.targetModule = module_or_nil(targetModule, self)
   self.castTarget = castTarget ~= false
   if inputModule and #(inputModule:parameters() or {}) > 0 then
      check.fail(self, 'inputModule has parameters, which nobody would update')
   end
   self.criterion = criterion
end

function ModuleCriterion:updateOutput(input, target)
   if self.inputModule then
      input = self.inputModule:forward(input)
   end
   if self.targetModule then
      target = self.targetModule:forward(target)
   end
   self.output = self.criterion:forward(input, target)
   return self.output
end

function ModuleCriterion:updateGradInput(input, target)
   local seen = self.inputModule and self.inputModule.output or input
   local g = self.criterion:backward(seen, self.targetModule and self.targetModule.output or target)
   self.gradInput = self.inputModule and self.inputModule:updateGradInput(input, g) or g
   return self.gradInput
end

function ModuleCriterion:type(type, cache)
   local targetModule = self.targetModule
   if not self.castTarget then
      self.targetModule = nil
   end
   Parent.type(self, type, cache)
   self.targetModule = targetModule
   return self
end

return ModuleCriterion
