--- y = log(1 / (1 + e^-x)), element by element; exact to the last digits where that is far from 0,
-- too.
-- @classmod nn.LogSigmoid

return require('nn').Pointwise:of('logsigmoid', 'LogSigmoid')
