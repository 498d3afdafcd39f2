--- Subtracts the weighted mean around each place, then divides by the deviation:
-- nn.SpatialSubtractiveNormalization and nn.SpatialDivisiveNormalization, kept in `normalizer`.
--
-- Shapes: input N x nInputPlane x H x W or nInputPlane x H x W; output likewise.
--
-- Source: Jarrett, Kavukcuoglu, Ranzato and LeCun, "What is the best multi-stage architecture for
-- object recognition?", ICCV 2009, section 2.
-- @classmod nn.SpatialContrastiveNormalization
-- @example #nn.SpatialContrastiveNormalization(1):forward(torch.randn(1, 12, 12)) --> { 1, 12, 12 }

local nn = require 'nn'

local SpatialContrastiveNormalization = nn.declare('nn.SpatialContrastiveNormalization', {
   arguments = [[
      nInputPlane  size = 1            planes in
      kernel       tensor?             weights around a place, by default 9 x 9 ones
      threshold    number = 1e-4       the least deviation
      thresval     number = threshold  what is divided by below it
   ]],
   input = 'N? nInputPlane H W',
   output = 'N? nInputPlane H W',
})

function SpatialContrastiveNormalization:__initialize(planes, kernel, threshold, thresval)
   self.normalizer = nn.Sequential()
      :add(nn.SpatialSubtractiveNormalization(planes, kernel))
      :add(nn.SpatialDivisiveNormalization(planes, kernel, threshold, thresval))
   self.kernel = self.normalizer:get(1).kernel
end

function SpatialContrastiveNormalization:__computeOutput(_, x)
   return self.normalizer:updateOutput(x)
end

function SpatialContrastiveNormalization:__computeGradInput(_, x, g)
   return self.normalizer:updateGradInput(x, g)
end

function SpatialContrastiveNormalization:clearState()
   self.normalizer:clearState()
   return nn.Module.clearState(self)
end
