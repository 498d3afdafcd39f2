--- y = the natural logarithm of x, element by element.
-- @classmod nn.Log

return require('nn').Pointwise:of 'log'
