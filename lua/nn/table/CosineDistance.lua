--- The cosine of the angle between two vectors, or between the pairs of two batches:
-- y = a'b / (|a| |b|), with 1e-12 added to each square.
--
-- Shapes: { N x D, N x D } gives N; { D, D } gives 1.
-- @classmod nn.CosineDistance
-- @example nn.CosineDistance():forward { torch.Tensor { 3, 4 }, torch.Tensor { 0, 2 } } --> { 0.8 }

local torch = require 'torch'
local nn = require 'nn'

local CosineDistance = nn.declare('nn.CosineDistance', 'nn.PairMeasure', {})

local EPSILON = 1e-12 -- no vector is without length

local function square(a)
   return torch.cmul(a, a):sum(2):add(EPSILON)
end

function CosineDistance.__measure(_, y, a, b)
   torch.sum(y, torch.cmul(a, b), 2)
   y:cdiv(square(a):cmul(square(b)):sqrt())
end

-- dy/da = b / (|a| |b|) - a y / |a|^2
function CosineDistance:__differentiate(ga, gb, a, b, g)
   local aa, bb = square(a), square(b)
   local y, both = self.output:viewAs(aa), self:__column(torch.cmul(aa, bb):rsqrt(), a)
   ga:cmul(b, both):addcmul(-1, a, self:__column(torch.cdiv(y, aa), a)):cmul(g)
   gb:cmul(a, both):addcmul(-1, b, self:__column(torch.cdiv(y, bb), a)):cmul(g)
end
