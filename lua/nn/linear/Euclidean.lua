--- Distances to learnt centres: y_j = |x - w_j|.
--
-- Shapes: x is N x inputSize, or inputSize; W is inputSize x outputSize, a centre in each column; y
-- is N x outputSize, or outputSize.
-- @classmod nn.Euclidean
-- @example #nn.Euclidean(4, 3):forward(torch.randn(2, 4)) --> { 2, 3 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'

local Euclidean = nn.declare('nn.Euclidean', 'nn.Weighted', {
   arguments = [[
      (inputSize)   size  features in
      (outputSize)  size  the number of centres
   ]],
   input = 'N? weight[1]',
   output = 'N? weight[2]',
   batch = true,
})

function Euclidean:__initialize(inputSize, outputSize)
   self:__addWeights { inputSize, outputSize }
end

function Euclidean:__fanIn()
   return self.weight:size(1)
end

--- What each coordinate's distance is multiplied by, `inputSize x outputSize`; nil: nothing.
function Euclidean.__factors(_)
   return nil
end

-- x - w_j, N x inputSize x outputSize: kept for the gradients.
local function differences(self, x)
   local weight = self.weight
   local n, inputs, outputs = x:size(1), weight:size(1), weight:size(2)
   local d = check.buffer(self._differences, x):resize(n, inputs, outputs)
   d:copy(nn.utils.addSingletonDimension(x, 3):expandAs(d))
   d:add(-1, weight:view(1, inputs, outputs):expandAs(d))
   self._differences = d
   return d
end

local function over_batch(t, d)
   return t:view(1, t:size(1), t:size(2)):expandAs(d)
end

function Euclidean:__computeOutput(y, x)
   local d, factors = differences(self, x), self:__factors()
   if factors then
      d = torch.cmul(d, over_batch(factors, d))
   end
   return ops.norm(self, y, d, 2, 1):resize(x:size(1), self.weight:size(2))
end

-- The gradient by the differences, and that by the factors.
function Euclidean:__slopes(g)
   local d = self._differences or check.missing(self, '_differences')
   -- A sample on a centre has no direction: 0 / 1e-12.
   local slope = torch.cdiv(g, torch.cmax(self.output:viewAs(g), 1e-12))
   local slopes = torch.cmul(d, slope:view(g:size(1), 1, g:size(2)):expandAs(d))
   local factors = self:__factors()
   if not factors then
      return slopes
   end
   slopes:cmul(over_batch(factors, d))
   local by_factors = torch.cmul(slopes, d):sum(1)[1]
   return slopes:cmul(over_batch(factors, d)), by_factors
end

function Euclidean:__computeGradInput(gx, x, g)
   return ops.sum(self, gx, (self:__slopes(g:contiguous())), 2):resizeAs(x)
end

function Euclidean:__computeGradParameters(_, g, scale)
   self.gradWeight:add(-scale, (self:__slopes(g:contiguous())):sum(1)[1])
end

function Euclidean:clearState()
   nn.utils.clear(self, '_differences')
   return nn.Module.clearState(self)
end
