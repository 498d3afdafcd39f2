--- y = 1 / (1 + e^-x), element by element.
-- @classmod nn.Sigmoid

return require('nn').Pointwise:of 'sigmoid'
