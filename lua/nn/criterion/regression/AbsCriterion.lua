--- Mean absolute error: the mean over all elements of |x_i - t_i|.
-- Shapes: input and target of any shape with equal element counts.
-- @classmod nn.AbsCriterion

return require('nn').ElementLoss:of('l1_loss', 'AbsCriterion')
