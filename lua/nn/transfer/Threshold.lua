--- y = x where x > threshold, else `val`, element by element.
-- @classmod nn.Threshold

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'
local C = th.C

local Threshold = torch.class('nn.Threshold', 'nn.Module', nn)

--- @number[opt=1e-6] threshold
-- @number[opt=0] value what elements at or below the threshold become
-- @bool[opt=false] inplace write over the input (and over gradOutput); value must be <= threshold
function Threshold:__init(threshold, value, inplace)
   check.sizes(self, 'nn.Threshold([threshold, value, inplace])', threshold, value)
   nn.Module.__init(self)
   self.threshold = threshold or 1e-6
   self.val = value or 0
   if inplace ~= nil and type(inplace) ~= 'boolean' then
      check.fail(self, 'in-place flag must be boolean, got %s', type(inplace))
   end
   self.inplace = inplace or false
   self:validateParameters()
end

--- In place, the output stands for the input when gradients are taken: val > threshold would be
-- lost.
function Threshold:validateParameters()
   if self.inplace and self.val > self.threshold then
      check.fail(
         self,
         'in-place processing requires value (%g) not exceed threshold (%g)',
         self.val,
         self.threshold
      )
   end
end

function Threshold:updateOutput(input)
   self:validateParameters()
   local output = self.output
   check.tensor(self, output, input, 'input')
   if self.inplace then
      output:set(input)
   end
   if C.TH_threshold(output, input, self.threshold, self.val) ~= 0 then
      check.recover(self)
      th.check(C.TH_threshold(output, input, self.threshold, self.val))
   end
   return output
end

function Threshold:updateGradInput(input, gradOutput)
   self:validateParameters()
   local gradInput = self.gradInput
   check.backward(self, gradInput, input, gradOutput)
   if self.inplace then
      gradInput:set(gradOutput)
   end
   if C.TH_threshold_backward(gradInput, gradOutput, self.threshold, input) ~= 0 then
      check.recover(self)
      th.check(C.TH_threshold_backward(gradInput, gradOutput, self.threshold, input))
   end
   return gradInput
end
