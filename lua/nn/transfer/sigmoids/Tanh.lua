--- y = tanh(x), element by element.
-- @classmod nn.Tanh
-- @example nn.Tanh():forward(torch.Tensor { -1, 0, 2 }) --> { -0.7616, 0, 0.964 }

return require('nn').Pointwise:of 'tanh'
