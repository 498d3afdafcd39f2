--- The slices of a tensor at given positions: `{ x, positions }` gives
-- `x:index(dimension, positions)`.
--
-- The gradient by x is a sum over the times that a slice is taken; by the positions it is zero.
-- @classmod nn.Index
-- @example nn.Index(1):forward { torch.Tensor { 5, 6, 7 }, torch.LongTensor { 3, 1 } } --> { 7, 5 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local dimension = require 'nn.base.dimension'
local ops = require 'nn.base.ops'
local positions = require 'nn.base.positions'

local Index = nn.declare('nn.Index', {
   arguments = 'dimension  integer along which the positions count',
   input = 'any',
})

function Index:__initialize()
   self.gradInput = { self.gradInput }
end

-- x, the dimension, the positions.
local function read(self, input)
   if type(input) ~= 'table' or #input ~= 2 or not torch.isTensor(input[2]) then
      check.fail(self, 'input is %s, expected { tensor, LongTensor }', check.describe(input))
   end
   local x = input[1]
   check.any_tensor(self, x, 'input 1')
   return x, dimension.of(self, x, self.dimension),
      positions.vector(self, '_positions', input[2], x)
end

function Index:__computeOutput(y, input)
   local x, d, at = read(self, input)
   return ops.index(self, check.buffer(y, x), x, d - 1, at)
end

function Index:__computeGradInput(gradInput, input, g)
   local x, d, at = read(self, input)
   check.tensor(self, x, g, 'gradOutput')
   local gx = check.buffer(gradInput[1], x):resizeAs(x):zero()
   gradInput[1] = ops.index_add(self, gx, d - 1, at, g)
   gradInput[2] = positions.gradient(self, gradInput[2], input[2])
   return gradInput
end

function Index:clearState()
   nn.utils.clear(self, '_positions')
   return nn.Module.clearState(self)
end
