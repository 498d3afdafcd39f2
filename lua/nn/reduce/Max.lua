--- The largest element along a dimension, which the output lacks; the gradient goes to it alone.
-- With `nInputDims`, an input with one dimension more is a batch.
-- @classmod nn.Max
-- @usage nn.Max([dimension = 1] [, nInputDims])
-- @example nn.Max(2):forward(torch.Tensor { { 1, 5 }, { 4, 2 } }) --> { 5, 4 }

return require('nn').Extremum:of('max', 'Max')
