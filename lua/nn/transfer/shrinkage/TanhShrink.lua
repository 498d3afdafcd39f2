--- y = x - tanh(x), element by element.
-- @classmod nn.TanhShrink
-- @example nn.TanhShrink():forward(torch.Tensor { -1, 0, 2 }) --> { -0.2384, 0, 1.036 }

return require('nn').Pointwise:of('tanhshrink', 'TanhShrink')
