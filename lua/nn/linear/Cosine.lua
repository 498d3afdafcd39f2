--- Cosines of the angles to learnt vectors: y_j = x · w_j / (|x| |w_j|).
--
-- Shapes: x is N x inputSize, or inputSize; W is outputSize x inputSize; y is N x outputSize, or
-- outputSize. 1e-12 is added to each norm.
-- @classmod nn.Cosine
-- @example #nn.Cosine(4, 3):forward(torch.randn(2, 4)) --> { 2, 3 }

local torch = require 'torch'
local nn = require 'nn'

local Cosine = nn.declare('nn.Cosine', 'nn.Weighted', {
   arguments = [[
      (inputSize)   size  features in
      (outputSize)  size  the number of vectors
   ]],
   input = 'N? weight[2]',
   output = 'N? weight[1]',
   batch = true,
})

function Cosine:__initialize(inputSize, outputSize)
   self:__addWeights { outputSize, inputSize }
end

-- As in Torch7, whose weights start in ±1/sqrt(outputSize).
function Cosine:__fanIn()
   return self.weight:size(1)
end

local function norms(rows)
   return rows:norm(2, 2) + 1e-12
end

-- Each row divided by its number.
local function divided(rows, numbers)
   return torch.cdiv(rows, numbers:expandAs(rows))
end

function Cosine:__computeOutput(y, x)
   local weight = self.weight
   y:resize(x:size(1), weight:size(1))
   return y:mm(divided(x, norms(x)), divided(weight, norms(weight)):t())
end

-- The gradient by rows of which one has products with unit vectors, less what only changes a norm.
local function gradient(r, g, units, y, rows)
   local norm = norms(rows)
   local along = torch.cmul(g, y):sum(2):cdiv(norm)
   r:mm(g, units):add(-1, torch.cmul(rows, along:expandAs(rows)))
   return r:cdiv(norm:expandAs(r))
end

function Cosine:__computeGradInput(gx, x, g)
   local weight = self.weight
   return gradient(gx:resizeAs(x), g, divided(weight, norms(weight)), self.output:viewAs(g), x)
end

function Cosine:__computeGradParameters(x, g, scale)
   local weight = self.weight
   local dw = gradient(weight.new():resizeAs(weight), g:t(), divided(x, norms(x)),
      self.output:viewAs(g):t(), weight)
   self.gradWeight:add(scale, dw)
end
