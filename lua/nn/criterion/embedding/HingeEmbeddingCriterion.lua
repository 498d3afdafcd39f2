--- Of distances: the mean over all elements of x_i where t_i is 1, max(0, margin - x_i) where it
-- is -1. A single distance may have a number for its target.
-- Shapes: input and target of any shape with equal element counts.
-- Source: Hadsell, Chopra & LeCun, Dimensionality Reduction by Learning an Invariant Mapping, 2006.
-- @classmod nn.HingeEmbeddingCriterion
-- @example nn.HingeEmbeddingCriterion(1):forward(torch.Tensor { 0.3 }, -1) --> 0.7

return require('nn').ElementLoss:of('hinge_loss', 'HingeEmbeddingCriterion', 'margin, 0', {
   arguments = [[
      margin       number = 1      how far apart what differs shall be
      sizeAverage  boolean = true  false: the sum instead of the mean
   ]],
   target = 'signs',
})
