--- Subtracts the weighted mean of all planes around each place.
--
-- kernel: a matrix of odd sizes, or a vector for both directions; it is divided by its sum. At the
-- border the mean is that of what lies in the image.
--
-- Shapes: input N x nInputPlane x H x W or nInputPlane x H x W; output likewise.
-- @classmod nn.SpatialSubtractiveNormalization
-- @example
-- local y = nn.SpatialSubtractiveNormalization(1):forward(torch.ones(1, 12, 12))
-- y:abs():max() < 1e-9 --> true

local nn = require 'nn'
local neighbourhood = require 'nn.normalization.neighbourhood'

local SpatialSubtractiveNormalization = nn.declare('nn.SpatialSubtractiveNormalization', {
   arguments = [[
      nInputPlane  size = 1  planes in
      kernel       tensor?   weights around a place, by default 9 x 9 ones
   ]],
   input = 'N? nInputPlane H W',
   output = 'N? nInputPlane H W',
   batch = true,
})

SpatialSubtractiveNormalization.__initialize = neighbourhood.initialize
SpatialSubtractiveNormalization.__upgrade = neighbourhood.upgrade

function SpatialSubtractiveNormalization:__computeOutput(y, x)
   local coef = neighbourhood.coefficients(self, x)
   local means = neighbourhood.means(self, x):cdiv(coef)
   return y:resizeAs(x):copy(x):csub(neighbourhood.everywhere(means, x))
end

function SpatialSubtractiveNormalization:__computeGradInput(gx, x, g)
   local sums = g:sum(2):cdiv(neighbourhood.coefficients(self, x))
   return gx:resizeAs(x):copy(g):csub(neighbourhood.spread(self, x, sums))
end

SpatialSubtractiveNormalization.clearState = neighbourhood.clear
