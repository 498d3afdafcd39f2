--- Binary cross entropy of scores, where what is certain already counts less: the mean over all
-- elements of weight (1 - p)^gamma -log(p), where p is the probability that the score x_i gives its
-- target, 0 or 1; weight is alpha for targets 1 and 1 - alpha for targets 0.
-- Shapes: input and target of any shape with equal element counts.
-- Source: Lin et al., Focal Loss for Dense Object Detection, 2017 (arXiv:1708.02002).
-- @classmod nn.FocalCriterion
-- @example nn.FocalCriterion():forward(torch.Tensor { 2, -1 }, torch.Tensor { 1, 0 }) --> 0.0087

return require('nn').ElementLoss:of('focal_loss', 'FocalCriterion', 'gamma, alpha', {
   arguments = [[
      gamma        number = 2      how much less; 0: no less
      alpha        number = 0.25   -1: weight 1 for both
      weights      tensor?         a factor for each element of a sample
      sizeAverage  boolean = true  false: the sum instead of the mean
   ]],
   weighted = true,
})
