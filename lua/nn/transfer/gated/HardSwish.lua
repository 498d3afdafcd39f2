--- y = x times x / 6 + 1 / 2 limited to [0, 1], element by element.
-- Source: Howard et al., Searching for MobileNetV3, 2019 (arXiv:1905.02244).
-- @classmod nn.HardSwish
-- @example nn.HardSwish():forward(torch.Tensor { -1, 0, 2 }) --> { -0.3333, 0, 1.6667 }

return require('nn').Pointwise:of('hardswish', 'HardSwish')
