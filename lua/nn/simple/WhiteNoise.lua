--- y = x + normally distributed noise while training; x + mean in evaluation.
-- @classmod nn.WhiteNoise
-- @example #nn.WhiteNoise(0, 0.1):forward(torch.randn(5, 3)) --> { 5, 3 }

local torch = require 'torch'
local nn = require 'nn'

local WhiteNoise = nn.declare('nn.WhiteNoise', {
   arguments = [[
      mean  number = 0    the noise's mean
      std   number = 0.1  its standard deviation
   ]],
   text = ' mean: {mean%f}, std: {std%f}',
})

function WhiteNoise:__initialize()
   self.train = true
   self.noise = torch.Tensor()
end

function WhiteNoise:__computeOutput(y, x)
   y:resizeAs(x)
   if self.train then
      return y:add(x, self.noise:resizeAs(x):normal(self.mean, self.std))
   end
   return y:add(x, self.mean)
end

function WhiteNoise.__computeGradInput(_, gx, _, g)
   return gx:resizeAs(g):copy(g)
end

WhiteNoise.clearState = nn.Dropout.clearState
