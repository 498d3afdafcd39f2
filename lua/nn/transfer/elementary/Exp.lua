--- y = e^x, element by element.
-- @classmod nn.Exp

return require('nn').Pointwise:of 'exp'
