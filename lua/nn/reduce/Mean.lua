--- The mean along a dimension.
-- @classmod nn.Mean
-- @example nn.Mean(2):forward(torch.Tensor { { 1, 5 }, { 4, 2 } }) --> { 3, 3 }

local nn = require 'nn'

local Mean = nn.declare('nn.Mean', 'nn.Sum', {
   arguments = [[
      dimension   integer = 1     negative: counted from the last
      nInputDims  integer?        dimensions of one sample: an input with one more is a batch
      squeeze     boolean = true  false: the output keeps the dimension, with size 1
   ]],
})

function Mean:__initialize()
   self.sizeAverage = true
end
