--- y = x - tanh(x), element by element.
-- @classmod nn.TanhShrink

return require('nn').Pointwise:of('tanhshrink', 'TanhShrink')
