--- y = |x|, element by element.
-- @classmod nn.Abs
-- @example nn.Abs():forward(torch.Tensor { -1, 2 }) --> { 1, 2 }

return require('nn').Pointwise:of 'abs'
