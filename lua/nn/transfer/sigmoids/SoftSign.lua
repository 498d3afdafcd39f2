--- y = x / (1 + |x|), element by element.
-- @classmod nn.SoftSign
-- @example nn.SoftSign():forward(torch.Tensor { -1, 0, 2 }) --> { -0.5, 0, 0.6667 }

return require('nn').Pointwise:of('softsign', 'SoftSign')
