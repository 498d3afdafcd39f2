--- y = x / (1 + |x|), element by element.
-- @classmod nn.SoftSign

return require('nn').Pointwise:of('softsign', 'SoftSign')
