--- y = x^2, element by element.
-- @classmod nn.Square
-- @example nn.Square():forward(torch.Tensor { -1, 2 }) --> { 1, 4 }

return require('nn').Pointwise:of 'square'
