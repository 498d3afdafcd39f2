--- y = x^2, element by element.
-- @classmod nn.Square

return require('nn').Pointwise:of 'square'
