--- Distances to learnt centres with learnt factors for each coordinate: y_j = |c_j (x - w_j)|.
--
-- Shapes: as nn.Euclidean; `diagCov`, the factors, is inputSize x outputSize, and starts with 1.
-- @classmod nn.WeightedEuclidean
-- @example #nn.WeightedEuclidean(4, 3):forward(torch.randn(2, 4)) --> { 2, 3 }

local torch = require 'torch'
local nn = require 'nn'

local WeightedEuclidean, Euclidean = nn.declare('nn.WeightedEuclidean', 'nn.Euclidean', {})

function WeightedEuclidean:__initialize(inputSize, outputSize)
   self.diagCov = torch.Tensor(inputSize, outputSize)
   self.gradDiagCov = torch.Tensor(inputSize, outputSize)
   self:__addWeights { inputSize, outputSize }
end

--- Draw the centres; the factors become 1.
-- @number[opt] stdv standard deviation
-- @return self
function WeightedEuclidean:reset(stdv)
   self.diagCov:fill(1)
   return Euclidean.reset(self, stdv)
end

--- The centres and the factors.
-- @treturn table tensors
-- @treturn table gradients
function WeightedEuclidean:parameters()
   return { self.weight, self.diagCov }, { self.gradWeight, self.gradDiagCov }
end

function WeightedEuclidean:__factors()
   return self.diagCov
end

function WeightedEuclidean:__computeGradParameters(_, g, scale)
   local slopes, by_factors = self:__slopes(g:contiguous())
   self.gradWeight:add(-scale, slopes:sum(1)[1])
   self.gradDiagCov:add(scale, by_factors)
end

--- parameters <- parameters - lr * gradient, at once.
function WeightedEuclidean:defaultAccUpdateGradParameters(input, gradOutput, lr)
   local gradDiagCov = self.gradDiagCov
   self.gradDiagCov = self.diagCov
   Euclidean.defaultAccUpdateGradParameters(self, input, gradOutput, lr)
   self.gradDiagCov = gradDiagCov
end
