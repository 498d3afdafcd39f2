--- y = log(1 + e^(beta x)) / beta, element by element: a smooth ReLU.
-- @classmod nn.SoftPlus
-- @example nn.SoftPlus():forward(torch.Tensor { -1, 0, 2 }) --> { 0.3133, 0.6931, 2.1269 }

local nn = require 'nn'
local ops = require 'nn.base.ops'

local SoftPlus = nn.declare('nn.SoftPlus', {
   arguments = 'beta  number = 1  the larger, the nearer to nn.ReLU',
})

function SoftPlus:__computeOutput(y, x)
   return ops.softplus(self, y, self.beta == 1 and x or x * self.beta):div(self.beta)
end

-- dy/dx = 1 / (1 + e^(-beta x))
function SoftPlus:__computeGradInput(gx, x, g)
   return gx:resizeAs(x):mul(x, self.beta):sigmoid():cmul(g)
end
