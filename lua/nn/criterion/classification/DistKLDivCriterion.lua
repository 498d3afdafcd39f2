--- Kullback-Leibler divergence of a distribution from the target: the mean over all elements of
-- t_i (log t_i - x_i) where t_i > 0, for log-probabilities x.
-- Shapes: input and target of any shape with equal element counts.
-- @classmod nn.DistKLDivCriterion
-- @example
-- local logs, p = torch.Tensor { 0.5, 0.5 }:log(), torch.Tensor { 0.9, 0.1 }
-- nn.DistKLDivCriterion():forward(logs, p) --> 0.184

return require('nn').ElementLoss:of('kl_div_loss', 'DistKLDivCriterion')
