--- Mean squared error: the mean over all elements of (x_i - t_i)^2.
-- Shapes: input and target of any shape with equal element counts.
-- @classmod nn.MSECriterion

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'
local C = th.C

local MSECriterion, Criterion = torch.class('nn.MSECriterion', 'nn.Criterion', nn)

--- @bool[opt=true] sizeAverage false: the sum instead of the mean
function MSECriterion:__init(sizeAverage)
   Criterion.__init(self)
   self.sizeAverage = sizeAverage ~= false
end

function MSECriterion:updateOutput(input, target)
   check.tensor(self, self.gradInput, input, 'input')
   check.tensor(self, input, target, 'target')
   local loss = self.output_tensor
   if not check.suits(loss, input.dtype, input) then
      loss = th.like(input):resize(1)
      self.output_tensor = loss
   end
   if C.TH_mse_loss(loss, input, target, self.sizeAverage) ~= 0 then
      check.recover(self)
      th.check(C.TH_mse_loss(loss, input, target, self.sizeAverage))
   end
   self.output = loss[1]
   return self.output
end

function MSECriterion:updateGradInput(input, target)
   local gradInput = self.gradInput
   check.tensor(self, gradInput, input, 'input')
   check.tensor(self, input, target, 'target')
   if C.TH_mse_loss_backward(gradInput, input, target, self.sizeAverage) ~= 0 then
      check.recover(self)
      th.check(C.TH_mse_loss_backward(gradInput, input, target, self.sizeAverage))
   end
   return gradInput
end
