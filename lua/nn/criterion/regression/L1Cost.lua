--- The sum of the absolute values of an input; there is no target.
-- @classmod nn.L1Cost
-- @example nn.L1Cost():forward(torch.Tensor { 1, -2 }) --> 3

local nn = require 'nn'

local L1Cost = nn.declare('nn.L1Cost', 'nn.Criterion', { target = 'any' })

function L1Cost.__computeOutput(_, _, x)
   return x:norm(1)
end

function L1Cost.__computeGradInput(_, gx, x)
   return gx:resizeAs(x):sign(x)
end

return L1Cost
