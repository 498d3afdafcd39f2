--- Cross entropy of scores and classes at each place of an image: the mean over all places.
--
-- Shapes: input N x nClasses x H x W, targets N x H x W, counted from 1.
-- @classmod cudnn.SpatialCrossEntropyCriterion

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local M = {}

function M.install(cudnn)
   local Criterion = torch.class('cudnn.SpatialCrossEntropyCriterion', 'nn.Criterion', cudnn)

   --- @tparam[opt] Tensor weights a weight for each class
   function Criterion:__init(weights)
      nn.Criterion.__init(self)
      self.slsm = cudnn.SpatialLogSoftMax()
      self.nll = nn.ClassNLLCriterion(weights)
   end

   local function checkInput(self, input)
      check.tensor(self, self.slsm.output, input, 'input')
      if input.ndim ~= 4 then
         check.fail(self, 'input is %s, expected N x nClasses x H x W', check.describe(input))
      end
   end

   function Criterion:updateOutput(input, target)
      checkInput(self, input)
      self.output = self.nll:updateOutput(self.slsm:updateOutput(input), target)
      return self.output
   end

   function Criterion:updateGradInput(input, target)
      checkInput(self, input)
      local g = self.nll:updateGradInput(self.slsm.output, target)
      self.gradInput = self.slsm:updateGradInput(input, g)
      return self.gradInput
   end
end

return M
