--- A layer that passes its input on and adds to the gradient that of a penalty,
-- l1weight sum |x_i|, which `loss` is after `forward`.
-- @classmod nn.L1Penalty
-- @example
-- local layer = nn.L1Penalty(0.1)
-- layer:forward(torch.Tensor { 1, -2 }) --> { 1, -2 }
-- layer.loss --> 0.3

local nn = require 'nn'

local L1Penalty = nn.declare('nn.L1Penalty', {
   arguments = [[
      l1weight       number
      sizeAverage    boolean = false  true: the mean over all elements instead of the sum
      provideOutput  boolean = true   false: the gradient of the penalty alone
   ]],
})

local function factor(self, x)
   return self.sizeAverage and self.l1weight / x:nElement() or self.l1weight
end

function L1Penalty:__computeOutput(y, x)
   self.loss = factor(self, x) * x:norm(1)
   return y:set(x)
end

function L1Penalty:__computeGradInput(gx, x, g)
   gx:resizeAs(x):sign(x):mul(factor(self, x))
   return self.provideOutput and gx:add(g) or gx
end

return L1Penalty
