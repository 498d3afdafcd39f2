--- The difference of two tensors of one size: y = x[1] - x[2].
-- @classmod nn.CSubTable
-- @example nn.CSubTable():forward { torch.Tensor { 5, 6 }, torch.Tensor { 1, 3 } } --> { 4, 3 }

local nn = require 'nn'

local CSubTable = nn.declare('nn.CSubTable', 'nn.CTable', { tensors = 2 })

function CSubTable.__fold(_, y, x)
   y:add(-1, x)
end

function CSubTable.__partial(_, r, _, g, i)
   return i == 1 and r:copy(g) or r:copy(g):mul(-1)
end
