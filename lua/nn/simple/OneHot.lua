--- Classes as vectors that are 1 at the class and 0 elsewhere; the gradient is zero.
--
-- Shapes: classes from 1 to outputSize in a tensor of any size and element type give that size x
-- outputSize; a number gives outputSize.
-- @classmod nn.OneHot
-- @example nn.OneHot(3):forward(torch.LongTensor { 2, 1 }) --> { { 0, 1, 0 }, { 1, 0, 0 } }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local positions = require 'nn.base.positions'

local OneHot = nn.declare('nn.OneHot', {
   arguments = 'outputSize  size  the number of classes',
   input = 'any',
})

function OneHot:__computeOutput(y, x)
   if type(x) == 'number' then
      if x % 1 ~= 0 or x < 1 or x > self.outputSize then
         check.fail(self, 'input is %g, expected a class from 1 to %d', x, self.outputSize)
      end
      y:resize(self.outputSize):zero()
      y[x] = 1
      return y
   end
   local at = positions.vector(self, '_classes', x, y)
   local sizes = x:size():totable()
   sizes[#sizes + 1] = self.outputSize
   y:resize(at:size(1), self.outputSize):zero()
   return ops.scatter_value(self, y, 1, at:view(-1, 1), 1):resize(torch.LongStorage(sizes))
end

function OneHot:__computeGradInput(gx, x)
   if type(x) == 'number' then
      return 0
   end
   check.any_tensor(self, x, 'input')
   gx = torch.isTensor(gx) and gx or self.output.new() -- of a number it is a number
   return gx:resize(x:size()):zero()
end

function OneHot:clearState()
   nn.utils.clear(self, '_classes')
   return nn.Module.clearState(self)
end
