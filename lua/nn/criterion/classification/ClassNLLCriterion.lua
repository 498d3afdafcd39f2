--- Negative log-likelihood of classes: the mean of -weights[t] * x[t], for log-probabilities x.
--
-- Shapes: input N x nClasses and N targets, or nClasses and one target (of several, the first);
-- targets count from 1. The mean divides by the sum of the weights of the targets, which `forward`
-- returns too.
-- @classmod nn.ClassNLLCriterion
-- @example
-- local logs = torch.Tensor { { 0.7, 0.3 }, { 0.4, 0.6 } }:log()
-- nn.ClassNLLCriterion():forward(logs, torch.LongTensor { 1, 2 }) --> 0.4338, 2

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local th = require 'torch.ffi'

local ClassNLLCriterion = nn.declare('nn.ClassNLLCriterion', 'nn.Criterion', {
   arguments = [[
      weights      vector?         a weight for each class
      sizeAverage  boolean = true  false: the sum instead of the mean
      ignoreIndex  integer = -100  a target that adds neither loss nor gradient
   ]],
   target = 'classes',
})

function ClassNLLCriterion:__initialize()
   self.output_tensor = torch.zeros(1)
   self.total_weight_tensor = torch.ones(1)
   self.target = torch.LongTensor(1)
end

--- The number of classes, when there are weights.
function ClassNLLCriterion:__len()
   return self.weights and self.weights:nElement() or 0
end

local function total_weight(self, x)
   if not check.suits(self.total_weight_tensor, x.dtype, x) then
      self.total_weight_tensor = th.like(x):resize(1)
   end
   return self.total_weight_tensor
end

-- As in Torch7, what follows the one target of a single sample is passed over.
local function targets(x, t)
   if x.ndim == 1 and t.ndim == 1 and t:size(1) > 1 then
      return t:narrow(1, 1, 1)
   end
   return t
end

function ClassNLLCriterion:__computeOutput(loss, x, t)
   t = targets(x, t)
   local total = total_weight(self, x)
   ops.nll_loss(self, loss, total, x, t, self.weights, self.sizeAverage, self.ignoreIndex)
   return loss, total[1]
end

function ClassNLLCriterion:__computeGradInput(gx, x, t)
   return ops.nll_loss_backward(self, gx, x, targets(x, t), self.weights, total_weight(self, x),
      self.sizeAverage, self.ignoreIndex)
end
