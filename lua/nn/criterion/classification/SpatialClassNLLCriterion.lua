--- Negative log-likelihood of a class at each place of images: nn.ClassNLLCriterion over the
-- channels.
-- Shapes: input N x nClasses x H x W, target N x H x W; targets count from 1.
-- @classmod nn.SpatialClassNLLCriterion

local nn = require 'nn'

nn.declare('nn.SpatialClassNLLCriterion', 'nn.ClassNLLCriterion', { input = 'N C H W' })

return nn.SpatialClassNLLCriterion
