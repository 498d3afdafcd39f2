--- y = tanh(x), element by element.
-- @classmod nn.Tanh

return require('nn').Pointwise:of 'tanh'
