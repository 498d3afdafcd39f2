--- y = 1 / (1 + e^-x), element by element.
-- @classmod nn.Sigmoid
-- @example nn.Sigmoid():forward(torch.Tensor { -1, 0, 2 }) --> { 0.2689, 0.5, 0.8808 }

return require('nn').Pointwise:of 'sigmoid'
