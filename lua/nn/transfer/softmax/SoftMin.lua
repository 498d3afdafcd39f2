--- y_i = e^-x_i / sum_j e^-x_j over the classes: positive numbers that sum to 1.
-- Shapes: C, N x C, C x H x W or N x C x H x W, with C the classes.
-- @classmod nn.SoftMin
-- @example nn.SoftMin():forward(torch.Tensor { 1, 2, 3 }) --> { 0.6652, 0.2447, 0.09 }

local nn = require 'nn'

local SoftMin, SoftMax = nn.declare('nn.SoftMin', 'nn.SoftMax', {})

function SoftMin:__computeOutput(y, x)
   return SoftMax.__computeOutput(self, y, y:resizeAs(x):neg(x))
end

function SoftMin:__computeGradInput(gx, x, g)
   return SoftMax.__computeGradInput(self, gx, x, g):neg()
end

return SoftMin
