--- The mean over all elements of max(0, margin - t_i x_i), for targets 1 and -1.
-- Shapes: input and target of any shape with equal element counts.
-- @classmod nn.MarginCriterion
-- @example nn.MarginCriterion():forward(torch.Tensor { 0.5, -2 }, torch.Tensor { 1, -1 }) --> 0.25

return require('nn').ElementLoss:of('margin_loss', 'MarginCriterion', 'margin, 0', {
   arguments = [[
      margin       number = 1
      sizeAverage  boolean = true  false: the sum instead of the mean
   ]],
})
