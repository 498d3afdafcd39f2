--- y = x where x > 0, else a x, with a drawn from U(l, u) for each element; in evaluation a is the
-- mean of the two.
-- Source: Xu et al., Empirical Evaluation of Rectified Activations in Convolutional Network, 2015
-- (arXiv:1505.00853).
-- @classmod nn.RReLU
-- @example
-- local layer = nn.RReLU()
-- layer:evaluate()
-- layer:forward(torch.Tensor { -1, 0, 2 }) --> { -0.2292, 0, 2 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'

local RReLU = nn.declare('nn.RReLU', {
   arguments = [[
      l -> lower  number = 0.125
      u -> upper  number = 0.3333333333333333
      inplace     boolean = false  write over the input (and over gradOutput)
   ]],
   text = ' (l:{lower%f}, u:{upper%f})',
})

function RReLU:__initialize()
   if self.lower > self.upper or self.lower < 0 then
      check.fail(self, 'slopes from %g to %g, expected 0 <= l <= u', self.lower, self.upper)
   end
   self.noise = torch.Tensor()
   self.train = true
end

function RReLU:__computeOutput(y, x)
   if self.train then
      self.noise = self.noise or x.new()
      if not self.again then
         self.noise:resizeAs(x):uniform(self.lower, self.upper)
      end
      return ops.prelu(self, y, x, self.noise)
   end
   return ops.leaky_relu(self, y, x, (self.lower + self.upper) / 2, 1)
end

function RReLU:__computeGradInput(gx, x, g)
   if self.train then
      return ops.prelu_backward(self, gx, g, 0, x, self.noise)
   end
   return ops.leaky_relu_backward(self, gx, g, x, x, (self.lower + self.upper) / 2, 1)
end

function RReLU:clearState()
   nn.utils.clear(self, 'noise')
   return nn.Module.clearState(self)
end

return RReLU
