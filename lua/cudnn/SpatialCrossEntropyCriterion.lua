--- Cross entropy of scores and classes at each place of an image: the mean over all places.
--
-- Shapes: input N x nClasses x H x W, targets N x H x W, counted from 1.
-- @classmod cudnn.SpatialCrossEntropyCriterion

local nn = require 'nn'
local check = require 'nn.check'

local M = {}

function M.install(cudnn)
   local Criterion = nn.declare('cudnn.SpatialCrossEntropyCriterion', 'nn.Criterion', {
      arguments = '(weights)  vector?  a weight for each class',
      input = 'N C H W',
      target = 'any',
   }, cudnn)

   function Criterion:__initialize(weights)
      self.slsm = cudnn.SpatialLogSoftMax()
      self.nll = nn.ClassNLLCriterion(weights)
   end

   function Criterion:__computeOutput(_, x, t)
      check.tensor(self, self.gradInput, x, 'input') -- the layer inside has one type
      return (self.nll:updateOutput(self.slsm:updateOutput(x), t))
   end

   function Criterion:__computeGradInput(_, x, t)
      return self.slsm:updateGradInput(x, self.nll:updateGradInput(self.slsm.output, t))
   end
end

return M
