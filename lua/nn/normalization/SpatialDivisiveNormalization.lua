--- Divides by the deviation of all planes around each place: the root of the weighted mean of the
-- squares, over the weight that lies in the image, or `thresval` where that is not above
-- `threshold`.
--
-- kernel: a matrix of odd sizes, or a vector for both directions; it is divided by its sum.
--
-- Shapes: input N x nInputPlane x H x W or nInputPlane x H x W; output likewise.
-- @classmod nn.SpatialDivisiveNormalization
-- @example #nn.SpatialDivisiveNormalization(1):forward(torch.randn(1, 12, 12)) --> { 1, 12, 12 }

local torch = require 'torch'
local nn = require 'nn'
local neighbourhood = require 'nn.normalization.neighbourhood'

local SpatialDivisiveNormalization = nn.declare('nn.SpatialDivisiveNormalization', {
   arguments = [[
      nInputPlane  size = 1            planes in
      kernel       tensor?             weights around a place, by default 9 x 9 ones
      threshold    number = 1e-4       the least deviation
      thresval     number = threshold  what is divided by below it
   ]],
   input = 'N? nInputPlane H W',
   output = 'N? nInputPlane H W',
   batch = true,
})

SpatialDivisiveNormalization.__initialize = neighbourhood.initialize
SpatialDivisiveNormalization.__upgrade = neighbourhood.upgrade

-- What is divided by, and where that is the deviation: 1, else 0. A number takes the deviation's
-- place by products, which on a device need no check as a mask does.
local function divisors(self, x)
   local coef = neighbourhood.coefficients(self, x)
   local s = neighbourhood.means(self, torch.cmul(x, x)):sqrt():cdiv(coef)
   local large = s:gt(self.threshold):typeAs(s)
   return s:cmul(large):add(self.thresval, 1 - large), large
end

function SpatialDivisiveNormalization:__computeOutput(y, x)
   local s = divisors(self, x)
   return y:resizeAs(x):cdiv(x, neighbourhood.everywhere(s, x))
end

function SpatialDivisiveNormalization:__computeGradInput(gx, x, g)
   local s, large = divisors(self, x)
   s = s:clone()
   local coef = neighbourhood.coefficients(self, x)
   -- The means v of squares make s = sqrt(v) / coef, so ds / dv = 1 / (2 s coef^2).
   local gv = torch.cmul(g, x):sum(2):cdiv(s):cdiv(s):cdiv(s):cdiv(coef):cdiv(coef):mul(-0.5)
   gv:cmul(large)
   gx:resizeAs(x):cmul(neighbourhood.spread(self, x, gv), x):mul(2)
   return gx:add(torch.cdiv(g, neighbourhood.everywhere(s, x)))
end

SpatialDivisiveNormalization.clearState = neighbourhood.clear
