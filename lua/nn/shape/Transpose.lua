--- The input with dimensions swapped, pair after pair, copied into memory without gaps.
-- @classmod nn.Transpose
-- @example nn.Transpose { 1, 2 }:forward(torch.Tensor { { 5, 6 } }) --> { { 5 }, { 6 } }

local nn = require 'nn'
local check = require 'nn.check'
local dimension = require 'nn.base.dimension'

local Transpose = nn.declare('nn.Transpose', {
   arguments = 'pairs -> permutations  tables  two dimensions each, counted in one sample',
   input = 'any',
})

function Transpose:__initialize(permutations)
   for i, pair in ipairs(permutations) do
      if not tonumber(pair[1]) or not tonumber(pair[2]) or #pair ~= 2 then
         check.fail(self, 'pairs %d is { %s }, expected two dimensions', i,
            table.concat(pair, ', '))
      end
   end
end

--- Say how many dimensions one sample has: inputs with one more are batches.
-- @int[opt] numInputDims
-- @return self
function Transpose:setNumInputDims(numInputDims)
   self.numInputDims = numInputDims
   return self
end

-- One swap more of t, for the input x.
local function swap(self, t, x, pair)
   local dims = self.numInputDims
   return t:transpose(dimension.of(self, x, tonumber(pair[1]), dims),
      dimension.of(self, x, tonumber(pair[2]), dims))
end

function Transpose:__computeOutput(y, x)
   check.any_tensor(self, x, 'input')
   local permutations, swapped = self.permutations, x
   for i = 1, #permutations do
      swapped = swap(self, swapped, x, permutations[i])
   end
   return check.buffer(y, x):resizeAs(swapped):copy(swapped)
end

function Transpose:__computeGradInput(gx, x, g)
   check.any_backward(self, x, g)
   check.count(self, g, x, 'gradOutput')
   local permutations = self.permutations
   for i = #permutations, 1, -1 do
      g = swap(self, g, x, permutations[i])
   end
   return check.buffer(gx, x):resizeAs(x):copy(g)
end
