--- y = the natural logarithm of x, element by element.
-- @classmod nn.Log
-- @example nn.Log():forward(torch.Tensor { 1, 2 }) --> { 0, 0.6931 }

return require('nn').Pointwise:of 'log'
