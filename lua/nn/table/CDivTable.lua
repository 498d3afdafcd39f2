--- The quotient of two tensors of one size, element by element: y = x[1] / x[2].
-- @classmod nn.CDivTable
-- @example nn.CDivTable():forward { torch.Tensor { 6, 6 }, torch.Tensor { 2, 3 } } --> { 3, 2 }

local nn = require 'nn'

local CDivTable = nn.declare('nn.CDivTable', 'nn.CTable', { tensors = 2 })

function CDivTable.__fold(_, y, x)
   y:cdiv(x)
end

-- dy/dx[1] = 1 / x[2], dy/dx[2] = -x[1] / x[2]^2
function CDivTable.__partial(_, r, x, g, i)
   r:copy(g):cdiv(x[2])
   return i == 1 and r or r:cmul(x[1]):cdiv(x[2]):mul(-1)
end
