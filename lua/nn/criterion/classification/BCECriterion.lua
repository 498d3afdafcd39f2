--- Binary cross entropy: the mean over all elements of -t_i log(x_i) - (1 - t_i) log(1 - x_i), for
-- probabilities x and t; logarithms stay above log(1e-12).
-- Shapes: input and target of any shape with equal element counts.
-- @raise "nn.BCECriterion: input has 3 elements outside of 0 to 1, where a logarithm is ..."
-- @see nn.BCEWithLogitsCriterion
-- @classmod nn.BCECriterion
-- @example nn.BCECriterion():forward(torch.Tensor { 0.8, 0.1 }, torch.Tensor { 1, 0 }) --> 0.1643

local nn = require 'nn'
local check = require 'nn.check'

local BCECriterion = nn.ElementLoss:of('bce_loss', 'BCECriterion', nil, {
   arguments = [[
      weights      tensor?         a factor for each element of a sample
      sizeAverage  boolean = true  false: the sum instead of the mean
   ]],
   weighted = true,
})

function BCECriterion:__refuseNaN(x)
   local outside = x:lt(0):sum() + x:gt(1):sum()
   if outside > 0 then
      check.fail(self, 'input has %d element%s outside of 0 to 1, where a logarithm is no number; '
         .. 'probabilities come of nn.Sigmoid, and scores go to nn.BCEWithLogitsCriterion as they '
         .. 'are', outside, outside == 1 and '' or 's')
   end
end

--- The number of weights; 0 without.
function BCECriterion:__len()
   return self.weights and self.weights:nElement() or 0
end

return BCECriterion
