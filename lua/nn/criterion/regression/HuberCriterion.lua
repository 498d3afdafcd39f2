--- The mean over all elements of (x_i - t_i)^2 / 2 where |x_i - t_i| < delta, else
-- delta (|x_i - t_i| - delta / 2).
-- Shapes: input and target of any shape with equal element counts.
-- Source: Huber, Robust Estimation of a Location Parameter, 1964.
-- @classmod nn.HuberCriterion
-- @example nn.HuberCriterion():forward(torch.Tensor { 1, 5 }, torch.Tensor { 1, 3 }) --> 0.75

return require('nn').ElementLoss:of('huber_loss', 'HuberCriterion', 'delta, 0', {
   arguments = [[
      delta        number = 1      where squares become lines
      sizeAverage  boolean = true  false: the sum instead of the mean
   ]],
})
