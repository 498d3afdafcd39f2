--- The dot product of two vectors, or of the pairs of two batches: y = sum of a b.
--
-- Shapes: { N x D, N x D } gives N; { D, D } gives 1.
-- @classmod nn.DotProduct
-- @example nn.DotProduct():forward { torch.Tensor { 1, 2 }, torch.Tensor { 3, 4 } } --> { 11 }

local torch = require 'torch'
local nn = require 'nn'

local DotProduct = nn.declare('nn.DotProduct', 'nn.PairMeasure', {})

function DotProduct.__measure(_, y, a, b)
   torch.sum(y, torch.cmul(a, b), 2)
end

function DotProduct.__differentiate(_, ga, gb, a, b, g)
   ga:cmul(b, g)
   gb:cmul(a, g)
end
