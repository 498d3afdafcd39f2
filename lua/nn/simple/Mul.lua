--- y = w x, with one learnt factor w for all elements.
-- @classmod nn.Mul
-- @example #nn.Mul():forward(torch.randn(5, 3)) --> { 5, 3 }

local nn = require 'nn'

local Mul = nn.declare('nn.Mul', 'nn.Weighted', {})

function Mul:__initialize()
   self:__addWeights { 1 }
end

function Mul:__computeOutput(y, x)
   return y:resizeAs(x):mul(x, self.weight[1])
end

function Mul:__computeGradInput(gx, x, g)
   return gx:resizeAs(x):mul(g, self.weight[1])
end

function Mul:__computeGradParameters(x, g, scale)
   self.gradWeight:add(scale * x:dot(g))
end
