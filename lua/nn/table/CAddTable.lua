--- The sum of a table of tensors of one size.
-- @classmod nn.CAddTable
-- @example nn.CAddTable():forward { torch.Tensor { 1, 2 }, torch.Tensor { 10, 20 } } --> { 11, 22 }

local nn = require 'nn'

local CAddTable = nn.declare('nn.CAddTable', 'nn.CTable', {
   arguments = 'inplace  any?  write over the first tensor (and share gradOutput)',
})

function CAddTable.__fold(_, y, x)
   y:add(x)
end

function CAddTable.__pair(_, y, a, b)
   y:add(a, b)
end

function CAddTable:__partial(r, _, g)
   return self.inplace and r:set(g) or r:copy(g)
end
