--- Of triplets {anchor, positive, negative} of vectors: the mean over all of
-- max(0, d(anchor, positive) - d(anchor, negative) + margin), with d the p-norm of differences.
-- There is no target.
-- Shapes: each D or N x D.
-- Source: Balntas et al., Learning Local Feature Descriptors with Triplets and Shallow
-- Convolutional Neural Networks, 2016.
-- @classmod nn.TripletMarginCriterion
-- @example
-- local a, near, far = torch.zeros(1, 2), torch.ones(1, 2), torch.ones(1, 2):mul(1.5)
-- nn.TripletMarginCriterion():forward { a, near, far } --> 0.2929

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local TripletMargin = nn.declare('nn.TripletMarginCriterion', 'nn.Criterion', {
   arguments = [[
      margin       number = 1
      p            number = 2      from 1 on
      sizeAverage  boolean = true  false: the sum instead of the mean
   ]],
   input = 'table', tensors = 3, target = 'any',
})

local SMALLEST = 1e-6 -- added to differences, as PyTorch does: distances have a gradient at 0

-- Rows x1 - x2, and their norms as a column.
local function distance(self, x1, x2)
   if x1:dim() > 2 then
      check.fail(self, 'input 1 is %s, expected D or N x D', check.describe(x1))
   end
   local rows = x1:dim() == 1 and 1 or x1:size(1)
   local difference = (x1 - x2):add(SMALLEST):view(rows, -1)
   return difference, difference:norm(self.p, 2)
end

local function missing(self, x)
   local near, d_near = distance(self, x[1], x[2])
   local far, d_far = distance(self, x[1], x[3])
   return (d_near - d_far):add(self.margin):cmax(0), near, d_near, far, d_far
end

local function factor(self, z)
   return self.sizeAverage and 1 / z:nElement() or 1
end

function TripletMargin:__computeOutput(_, x)
   local z = missing(self, x)
   return z:sum() * factor(self, z)
end

-- g dd/dx: of each row, sign(x_i) |x_i|^(p - 1) / d^(p - 1)
local function slope(self, difference, d, g)
   local p = self.p
   local magnitudes = p == 2 and difference or torch.abs(difference):pow(p - 1)
      :cmul(torch.sign(difference))
   return torch.cmul(magnitudes, torch.cdiv(g, torch.pow(d, p - 1)):expandAs(difference))
end

function TripletMargin:__computeGradInput(gx, x)
   local z, near, d_near, far, d_far = missing(self, x)
   local g = z:sign():mul(factor(self, z))
   local by_near, by_far = slope(self, near, d_near, g), slope(self, far, d_far, g)
   gx[1]:resizeAs(x[1]):add(by_near, -1, by_far):resizeAs(x[1])
   gx[2]:neg(by_near):resizeAs(x[2])
   gx[3]:resizeAs(x[3]):copy(by_far)
   return gx
end

return TripletMargin
