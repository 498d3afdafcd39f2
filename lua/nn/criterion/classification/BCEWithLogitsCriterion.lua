--- Binary cross entropy of scores: nn.Sigmoid and nn.BCECriterion in one, exact for scores of any
-- size. The mean over all elements of log(1 + e^x_i) - t_i x_i, for probabilities t.
-- Shapes: input and target of any shape with equal element counts.
-- @classmod nn.BCEWithLogitsCriterion
-- @example
-- nn.BCEWithLogitsCriterion():forward(torch.Tensor { 2, -1 }, torch.Tensor { 1, 0 }) --> 0.2201

return require('nn').ElementLoss:of('bce_logits_loss', 'BCEWithLogitsCriterion', nil, {
   arguments = [[
      weights      tensor?         a factor for each element of a sample
      sizeAverage  boolean = true  false: the sum instead of the mean
   ]],
   weighted = true,
})
