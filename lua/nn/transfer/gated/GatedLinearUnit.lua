--- y = a / (1 + e^-b), where a and b are the halves of x along a dimension.
-- Source: Dauphin et al., Language Modeling with Gated Convolutional Networks, 2016
-- (arXiv:1612.08083).
-- @classmod nn.GatedLinearUnit
-- @example #nn.GatedLinearUnit():forward(torch.randn(5, 8)) --> { 5, 4 }

local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local th = require 'torch.ffi'

local GatedLinearUnit = nn.declare('nn.GatedLinearUnit', {
   arguments = 'dim  integer? which dimension is halved; default the last',
   validate = '__checkHalves',
})

local function halves(self, x)
   local dim = self.dim or x.ndim
   local n = x:size(dim) / 2
   return x:narrow(dim, 1, n), x:narrow(dim, n + 1, n)
end

function GatedLinearUnit:__checkHalves(x)
   local dim = self.dim or x.ndim
   if dim < 1 or dim > x.ndim or x:size(dim) % 2 ~= 0 then
      check.fail(self, 'input is %s, expected an even size of dimension %d', check.describe(x), dim)
   end
end

-- The gate 1 / (1 + e^-b) is kept for the gradient.
function GatedLinearUnit:__computeOutput(y, x)
   local a, b = halves(self, x)
   self.gate = ops.sigmoid(self, check.suits(self.gate, x.dtype, x) and self.gate or th.like(x), b)
   return ops.cmul(self, y, a, self.gate)
end

function GatedLinearUnit:__computeGradInput(gx, x, g)
   local a, b = halves(self, x)
   local ga, gb = halves(self, gx:resizeAs(x))
   ops.cmul(self, ga, g, self.gate)
   ops.cmul(self, gb, g, a)
   ops.sigmoid_backward(self, gb, gb, b, self.gate)
   return gx
end

function GatedLinearUnit:clearState()
   self.gate = nil
   return nn.Module.clearState(self)
end

return GatedLinearUnit
