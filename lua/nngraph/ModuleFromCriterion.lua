--- A criterion as a module: { input, target } -> the loss, a tensor of one element.
-- The gradient by the input is the criterion's times gradOutput; the target has gradient 0.
-- @classmod nn.ModuleFromCriterion
-- @usage nn.ModuleFromCriterion(criterion) -- or, on nodes, criterion { x, target }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local nested = require 'nn.nested'

local ModuleFromCriterion = nn.declare('nn.ModuleFromCriterion', {
   arguments = 'criterion  criterion  the loss',
   input = 'any',
})

function ModuleFromCriterion:__initialize()
   self.gradInput = {}
end

local function check_pair(self, input)
   if not nested.is_table(input) or #input ~= 2 then
      check.fail(self, 'input is %s, expected a table of an input of %s and its target',
         nested.is_table(input) and ('a table of %d'):format(#input) or check.describe(input),
         torch.type(self.criterion))
   end
end

function ModuleFromCriterion:__computeOutput(output, input)
   check_pair(self, input)
   return output:resize(1):fill(self.criterion:updateOutput(input[1], input[2]))
end

-- factor has one element; scripts give one of the CPU to a net on a device
local function scaled(r, g, factor)
   r = torch.isTensor(r) and r or g.new()
   if not check.suits(factor, g.dtype, g) then
      return r:resizeAs(g):mul(g, factor:view(-1)[1])
   end
   local ones = torch.LongStorage(g:dim()):fill(1)
   return r:resizeAs(g):cmul(g, factor:view(ones):expandAs(g))
end

local function zero(r, x)
   if not torch.isTensor(x) then
      return nil -- a class number
   end
   return (torch.isTensor(r) and r or x.new()):resize(x:size()):zero()
end

function ModuleFromCriterion:__computeGradInput(gradInput, input, gradOutput)
   check_pair(self, input)
   check.any_tensor(self, gradOutput, 'gradOutput')
   local g = self.criterion:updateGradInput(input[1], input[2])
   gradInput = nested.is_table(gradInput) and gradInput or {}
   gradInput[1] = nested.into(scaled, gradInput[1], g, gradOutput)
   gradInput[2] = nested.into(zero, gradInput[2], input[2])
   return gradInput
end
