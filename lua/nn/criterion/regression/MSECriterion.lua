--- Mean squared error: the mean over all elements of (x_i - t_i)^2.
-- Shapes: input and target of any shape with equal element counts.
-- @classmod nn.MSECriterion
-- @example nn.MSECriterion():forward(torch.Tensor { 1, 5 }, torch.Tensor { 1, 3 }) --> 2

return require('nn').ElementLoss:of('mse_loss', 'MSECriterion')
