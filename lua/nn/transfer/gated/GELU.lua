--- y = x Phi(x), element by element, where Phi(x) is the probability that a normal variable is at
-- most x; or, with `tanh`, its approximation x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
-- Source: Hendrycks & Gimpel, Gaussian Error Linear Units, 2016 (arXiv:1606.08415).
-- @classmod nn.GELU
-- @example nn.GELU():forward(torch.Tensor { -1, 0, 2 }) --> { -0.1587, 0, 1.9545 }

local nn = require 'nn'
local ops = require 'nn.base.ops'

local GELU = nn.declare('nn.GELU', {
   arguments = 'tanh  boolean = false  the approximation, with which some nets were trained',
})

function GELU:__computeOutput(y, x)
   return (self.tanh and ops.gelu_tanh or ops.gelu)(self, y, x)
end

function GELU:__computeGradInput(gx, x, g)
   return (self.tanh and ops.gelu_tanh_backward or ops.gelu_backward)(self, gx, g, x, self.output)
end

return GELU
