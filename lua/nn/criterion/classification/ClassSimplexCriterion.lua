--- Classes as the corners of a regular simplex: the mean squared error between an input and the
-- corner of its class. All corners are as far from each other, and 1 from the origin.
-- Shapes: input N x nClasses and N targets, or nClasses and one target; targets count from 1.
-- Source: Scale-invariant learning and convolutional networks, 2015 (arXiv:1506.08230).
-- @classmod nn.ClassSimplexCriterion
-- @example
-- nn.ClassSimplexCriterion(3):forward(torch.zeros(2, 3), torch.LongTensor { 1, 3 }) --> 0.3333

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local Simplex, MSE = nn.declare('nn.ClassSimplexCriterion', 'nn.MSECriterion', {
   arguments = 'nClasses  size',
   input = 'N? nClasses', target = 'classes',
})

-- The corners of a regular simplex in n dimensions, (n + 1) x n: each has length 1, and the product
-- of any two is -1/n. A corner has one coordinate more than the one before it.
local function corners(n)
   local c = torch.zeros(n + 1, n)
   for k = 1, n do
      local rest = k > 1 and c[k]:narrow(1, 1, k - 1):norm() or 0
      c[k][k] = math.sqrt(1 - rest * rest)
      local next_ones = (c[k][k] ^ 2 - 1 - 1 / n) / c[k][k]
      c:narrow(1, k + 1, n + 1 - k):select(2, k):fill(next_ones)
   end
   return c
end

function Simplex:__initialize()
   local n = self.nClasses
   if n < 2 or n % 1 ~= 0 then
      check.fail(self, 'nClasses is %g, expected a whole number from 2 on', n)
   end
   -- One dimension more than the simplex needs: without it training is worse (the paper).
   self.simplex = torch.cat(corners(n - 1), torch.zeros(n, 1), 2)
   self.sizeAverage = true
   self._target = torch.Tensor(n)
end

local function corner(self, x, t)
   check.classes(self, t, x.ndim == 1 and 1 or x:size(1), self.nClasses)
   self._target = self.simplex:index(1, t:contiguous():view(-1))
   return self._target
end

function Simplex:__computeOutput(loss, x, t)
   return MSE.__computeOutput(self, loss, x, corner(self, x, t))
end

function Simplex:__computeGradInput(gx, x, t)
   return MSE.__computeGradInput(self, gx, x, corner(self, x, t))
end

--- How near an input is to each corner: the products with them.
-- @param input nClasses or N x nClasses
-- @return of the input's shape
function Simplex:getPredictions(input)
   if input:dim() == 1 then
      return torch.mv(self.simplex, input)
   end
   return torch.mm(input, self.simplex:t())
end

--- The nearest class of each sample.
-- @param input nClasses or N x nClasses
-- @treturn LongTensor 1, or N
function Simplex:getTopPrediction(input)
   local predictions = self:getPredictions(input)
   local _, class = predictions:max(predictions:dim())
   return class:view(-1)
end

return Simplex
