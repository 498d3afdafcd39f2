--- y = x / 6 + 1 / 2 limited to [0, 1], element by element.
-- Source: Howard et al., Searching for MobileNetV3, 2019 (arXiv:1905.02244).
-- @classmod nn.HardSigmoid
-- @example nn.HardSigmoid():forward(torch.Tensor { -1, 0, 5 }) --> { 0.3333, 0.5, 1 }

return require('nn').Pointwise:of('hardsigmoid', 'HardSigmoid')
