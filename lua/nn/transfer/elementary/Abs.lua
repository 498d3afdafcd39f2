--- y = |x|, element by element.
-- @classmod nn.Abs

return require('nn').Pointwise:of 'abs'
