--- The sum of kW frames of a sequence, times a weight for each feature, plus a bias.
--
-- Shapes: input N x T x inputFrameSize, or without N; weight and bias inputFrameSize; output
-- N x oT x inputFrameSize with oT = floor((T - kW) / dW) + 1. Weight and bias start uniform in
-- ±1/sqrt(kW).
-- @classmod nn.TemporalSubSampling
-- @example #nn.TemporalSubSampling(4, 2, 2):forward(torch.randn(2, 10, 4)) --> { 2, 5, 4 }

local nn = require 'nn'

local SubSampling = nn.declare('nn.TemporalSubSampling', 'nn.SubSampling', {
   arguments = [[
      inputFrameSize  size        features
      kW              size        frames of a window
      dW              integer = 1 step, in frames
   ]],
   input = 'N? T inputFrameSize',
   output = 'N? oT inputFrameSize',
   batch = true,
})

function SubSampling:__initialize(features)
   self:__addWeights({ features }, { features })
end

function SubSampling:__fanIn()
   return self.kW
end

function SubSampling:__window()
   return self.kW, 1, self.dW, 1
end

-- An image of T rows for each sequence.
function SubSampling.__images(_, x)
   return (x:isContiguous() and x or x:contiguous()):view(x:size(1), 1, x:size(2), x:size(3)), 4
end

function SubSampling.__restore(_, r, x)
   return r:resize(x:size(1), r:size(3), r:size(4))
end
