--- The distance of two vectors, or of the pairs of two batches: y = (sum of |a - b|^p)^(1/p).
--
-- Shapes: { N x D, N x D } gives N; { D, D } gives 1. Vectors without a distance have no gradient.
-- @classmod nn.PairwiseDistance
-- @example nn.PairwiseDistance(2):forward { torch.zeros(2), torch.Tensor { 3, 4 } } --> { 5 }

local torch = require 'torch'
local nn = require 'nn'

local PairwiseDistance = nn.declare('nn.PairwiseDistance', 'nn.PairMeasure', {
   arguments = 'p -> norm  number = 2  the norm: 1 is the sum of absolute differences',
})

function PairwiseDistance:__measure(y, a, b)
   torch.norm(y, a - b, self.norm, 2)
end

-- dy/da = sign(a - b) (|a - b| / y)^(p - 1)
function PairwiseDistance:__differentiate(ga, gb, a, b, g)
   local p, y = self.norm, self.output
   gb:add(a, -1, b)
   if p == 1 then
      ga:sign(gb)
   else
      local distance = y + torch.eq(y.new(), y, 0) -- 1 where it is 0
      ga:abs(gb):cdiv(self:__column(distance, a)):pow(p - 1):cmul(gb:sign())
   end
   ga:cmul(g)
   gb:mul(ga, -1)
end
