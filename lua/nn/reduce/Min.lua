--- The smallest element along a dimension, which the output lacks; the gradient goes to it alone.
-- With `nInputDims`, an input with one dimension more is a batch.
-- @classmod nn.Min
-- @usage nn.Min([dimension = 1] [, nInputDims])
-- @example nn.Min(2):forward(torch.Tensor { { 1, 5 }, { 4, 2 } }) --> { 1, 2 }

return require('nn').Extremum:of('min', 'Min')
