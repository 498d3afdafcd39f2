--- The mean over all elements of log(1 + e^(-t_i x_i)), for targets 1 and -1.
-- Shapes: input and target of any shape with equal element counts.
-- @classmod nn.SoftMarginCriterion
-- @example
-- nn.SoftMarginCriterion():forward(torch.Tensor { 2, -1 }, torch.Tensor { 1, -1 }) --> 0.2201

return require('nn').ElementLoss:of('soft_margin_loss', 'SoftMarginCriterion')
