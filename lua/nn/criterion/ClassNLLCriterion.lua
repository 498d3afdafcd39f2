--- Negative log-likelihood of classes: the mean of -weights[t] * x[t], for log-probabilities x.
--
-- Shapes: input N x nClasses and N targets, or nClasses and one target; targets count from 1. The
-- mean divides by the sum of the weights of the targets.
-- @classmod nn.ClassNLLCriterion

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'
local C = th.C

local ClassNLLCriterion, Criterion = torch.class('nn.ClassNLLCriterion', 'nn.Criterion', nn)

--- @tparam[opt] Tensor weights a weight for each class
-- @bool[opt=true] sizeAverage false: the sum instead of the mean
-- @int[opt=-100] ignoreIndex a target that adds neither loss nor gradient
function ClassNLLCriterion:__init(weights, sizeAverage, ignoreIndex)
   Criterion.__init(self)
   self.sizeAverage = sizeAverage ~= false
   self.ignoreIndex = ignoreIndex or -100
   if weights then
      if not torch.isTensor(weights) or weights:dim() ~= 1 then
         local came = check.describe(weights)
         check.fail(self, 'weights are %s, expected a 1-D tensor, one weight for each class', came)
      end
      self.weights = weights
   end
   self.output_tensor = torch.zeros(1)
   self.total_weight_tensor = torch.ones(1)
   self.target = torch.LongTensor(1)
end

--- The number of classes, when there are weights.
function ClassNLLCriterion:__len()
   return self.weights and #self.weights or 0
end

-- The targets as a LongTensor beside the input: the user's own, or `self.target` with their values.
local function long_target(self, target, input)
   if check.suits(target, C.TH_LONG, input) then
      return target
   end
   local buffer = self.target
   if not check.suits(buffer, C.TH_LONG, input) then
      buffer = th.likeType(input, C.TH_LONG)
      self.target = buffer
   end
   if type(target) == 'number' then
      buffer:resize(1)
      buffer[1] = target
   elseif torch.isTensor(target) then
      buffer:resize(target:size()):copy(target)
   else
      local came = check.describe(target)
      check.fail(self, 'target is %s, expected a class number or a tensor of them', came)
   end
   return buffer
end

local function loss_tensors(self, input)
   if not check.suits(self.output_tensor, input.dtype, input) then
      self.output_tensor = th.like(input):resize(1)
      self.total_weight_tensor = th.like(input):resize(1)
   end
   return self.output_tensor, self.total_weight_tensor
end

--- @treturn number the loss
-- @treturn number the sum of the weights of the targets, by which the mean divides
function ClassNLLCriterion:updateOutput(input, target)
   check.tensor(self, self.gradInput, input, 'input')
   target = long_target(self, target, input)
   local loss, total = loss_tensors(self, input)
   local weights, average, ignore = self.weights, self.sizeAverage, self.ignoreIndex or -100
   if C.TH_nll_loss(loss, total, input, target, weights, average, ignore) ~= 0 then
      check.recover(self)
      th.check(C.TH_nll_loss(loss, total, input, target, weights, average, ignore))
   end
   self.output = loss[1]
   return self.output, total[1]
end

function ClassNLLCriterion:updateGradInput(input, target)
   local gradInput = self.gradInput
   check.tensor(self, gradInput, input, 'input')
   target = long_target(self, target, input)
   local _, total = loss_tensors(self, input)
   local weights, average, ignore = self.weights, self.sizeAverage, self.ignoreIndex or -100
   if C.TH_nll_loss_backward(gradInput, input, target, weights, total, average, ignore) ~= 0 then
      check.recover(self)
      th.check(C.TH_nll_loss_backward(gradInput, input, target, weights, total, average, ignore))
   end
   return gradInput
end
