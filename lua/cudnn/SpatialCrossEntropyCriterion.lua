--- Cross entropy of scores and classes at each place of an image: the mean over all places.
--
-- Shapes: input N x nClasses x H x W, targets N x H x W, counted from 1.
-- @classmod cudnn.SpatialCrossEntropyCriterion

local nn = require 'nn'

local M = {}

function M.install(cudnn)
   local Criterion = nn.declare('cudnn.SpatialCrossEntropyCriterion', 'nn.Criterion', {
      arguments = '(weights)  vector?  a weight for each class',
      input = 'N C H W',
      target = 'any',
   }, cudnn)

   function Criterion:initialize(weights)
      self.slsm = cudnn.SpatialLogSoftMax()
      self.nll = nn.ClassNLLCriterion(weights)
   end

   function Criterion:computeOutput(_, x, t)
      return (self.nll:updateOutput(self.slsm:updateOutput(x), t))
   end

   function Criterion:computeGradInput(_, x, t)
      return self.slsm:updateGradInput(x, self.nll:updateGradInput(self.slsm.output, t))
   end
end

return M
