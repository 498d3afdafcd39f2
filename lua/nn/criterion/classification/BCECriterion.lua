--- Binary cross entropy: the mean over all elements of -t_i log(x_i) - (1 - t_i) log(1 - x_i), for
-- probabilities x and t; logarithms stay above log(1e-12).
-- Shapes: input and target of any shape with equal element counts.
-- @see nn.BCEWithLogitsCriterion
-- @classmod nn.BCECriterion
-- @example nn.BCECriterion():forward(torch.Tensor { 0.8, 0.1 }, torch.Tensor { 1, 0 }) --> 0.1643

local nn = require 'nn'

local BCECriterion = nn.ElementLoss:of('bce_loss', 'BCECriterion', nil, {
   arguments = [[
      weights      tensor?         a factor for each element of a sample
      sizeAverage  boolean = true  false: the sum instead of the mean
   ]],
   weighted = true,
})

--- The number of weights; 0 without.
function BCECriterion:__len()
   return self.weights and self.weights:nElement() or 0
end

return BCECriterion
