--- Adds to each position of a sequence a learnt vector: y[t] = x[t] + weight[t].
--
-- Shapes: x is N x T x features or T x features, T up to maxLength; weight maxLength x features,
-- normal with deviation 0.02 to begin with.
-- @classmod nn.LearnedPositions
-- @usage nn.LearnedPositions(1024, 512)
-- @example #nn.LearnedPositions(10, 8):forward(torch.randn(2, 5, 8)) --> { 2, 5, 8 }

local nn = require 'nn'
local check = require 'nn.check'

local Positions = nn.declare('nn.LearnedPositions', 'nn.Weighted', {
   arguments = [[
      maxLength   size  the longest sequence
      (features)  size  of each position
   ]],
   input = 'N? T weight[2]',
   output = 'N? T weight[2]',
   batch = true,
   validate = '__checkLength',
   text = '({weight[1]}, {weight[2]})',
})

function Positions:__initialize(maxLength, features)
   self:__addWeights { maxLength, features }
end

function Positions:reset(stdv)
   self.weight:normal(0, stdv or 0.02)
   return self
end

--- Raise for a sequence that is too long.
function Positions:__checkLength(x)
   if x:size(x.ndim - 1) > self.weight:size(1) then
      check.fail(self, 'input is %s, expected at most %d steps', check.describe(x),
         self.weight:size(1))
   end
end

function Positions:__computeOutput(y, x)
   local T, F = x:size(2), x:size(3)
   return y:resizeAs(x):add(x, self.weight:narrow(1, 1, T):view(1, T, F):expandAs(x))
end

function Positions.__computeGradInput(_, gx, _, g)
   return gx:resizeAs(g):copy(g)
end

function Positions:__computeGradParameters(_, g, scale)
   local T = g:size(2)
   self.gradWeight:narrow(1, 1, T):add(scale, g:sum(1):view(T, g:size(3)))
end
