--- Mean squared error with a weighted target: the mean over all elements of (x_i - weight_i t_i)^2,
-- as Torch7 has it.
-- Shapes: input and target as weight, or N of them.
-- @classmod nn.WeightedMSECriterion
-- @example
-- local loss = nn.WeightedMSECriterion(torch.Tensor { 1, 0.5 })
-- loss:forward(torch.Tensor { 1, 5 }, torch.Tensor { 1, 3 }) --> 6.125

local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'

local Weighted, MSE = nn.declare('nn.WeightedMSECriterion', 'nn.MSECriterion', {
   arguments = 'weight  tensor  a factor for each element of a target',
})

function Weighted:__initialize()
   self.sizeAverage = true
end

local function weighted(self, x, t)
   local n = self.weight:nElement()
   if x:nElement() % n ~= 0 then
      check.fail(self, 'input is %s, expected samples of the size of weight, which is %s',
         check.describe(x), check.describe(self.weight))
   end
   local factors = self.weight:contiguous():view(1, n):expand(x:nElement() / n, n)
   return (check.suits(self.buffer, x.dtype, x) and self.buffer or th.like(x)):cmul(t, factors)
end

function Weighted:__computeOutput(loss, x, t)
   self.buffer = weighted(self, x, t)
   return MSE.__computeOutput(self, loss, x, self.buffer)
end

function Weighted:__computeGradInput(gx, x, t)
   self.buffer = weighted(self, x, t)
   return MSE.__computeGradInput(self, gx, x, self.buffer)
end

return Weighted
