--- The mean over all elements of (x_i - t_i)^2 / 2 where |x_i - t_i| < 1, else |x_i - t_i| - 1/2.
-- Shapes: input and target of any shape with equal element counts.
-- Source: Girshick, Fast R-CNN, 2015 (arXiv:1504.08083).
-- @classmod nn.SmoothL1Criterion
-- @example
-- nn.SmoothL1Criterion():forward(torch.Tensor { 1, 5 }, torch.Tensor { 1.5, 3 }) --> 0.8125

return require('nn').ElementLoss:of('huber_loss', 'SmoothL1Criterion', '1, 0')
