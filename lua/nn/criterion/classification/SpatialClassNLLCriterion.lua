--- Negative log-likelihood of a class at each place of images: nn.ClassNLLCriterion over the
-- channels.
-- Shapes: input N x nClasses x H x W, target N x H x W; targets count from 1.
-- @classmod nn.SpatialClassNLLCriterion
-- @example
-- local logs, classes = torch.zeros(1, 2, 3, 3):fill(math.log(0.5)), torch.ones(1, 3, 3)
-- nn.SpatialClassNLLCriterion():forward(logs, classes) --> 0.6931, 9

local nn = require 'nn'

nn.declare('nn.SpatialClassNLLCriterion', 'nn.ClassNLLCriterion', { input = 'N C H W' })

return nn.SpatialClassNLLCriterion
