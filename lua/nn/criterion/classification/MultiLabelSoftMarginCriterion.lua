--- Several labels for one sample: the mean over all elements of log(1 + e^x_i) - t_i x_i, for
-- scores x and targets 0 or 1.
-- Shapes: input and target C or N x C.
-- @classmod nn.MultiLabelSoftMarginCriterion
-- @example
-- local scores = torch.Tensor { 2, -1, 0 }
-- nn.MultiLabelSoftMarginCriterion():forward(scores, torch.Tensor { 1, 0, 1 }) --> 0.3778

local nn = require 'nn'

local NAME = 'MultiLabelSoftMarginCriterion'
local MultiLabelSoftMargin = nn.ElementLoss:of('bce_logits_loss', NAME, nil, {
   arguments = [[
      weights      tensor?         a factor for each element of a sample
      sizeAverage  boolean = true  false: the sum instead of the mean
   ]],
   weighted = true,
})

--- Torch7 kept the weights in a criterion inside.
function MultiLabelSoftMargin:__upgrade()
   if self.weights == nil and self.nll then
      self.weights = self.nll.weights
   end
end

return MultiLabelSoftMargin
