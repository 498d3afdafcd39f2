--- Mean absolute error: the mean over all elements of |x_i - t_i|.
-- Shapes: input and target of any shape with equal element counts.
-- @classmod nn.AbsCriterion
-- @example nn.AbsCriterion():forward(torch.Tensor { 1, 5 }, torch.Tensor { 1, 3 }) --> 1

return require('nn').ElementLoss:of('l1_loss', 'AbsCriterion')
