--- y = log(1 / (1 + e^-x)), element by element; exact to the last digits where that is far from 0,
-- too.
-- @classmod nn.LogSigmoid
-- @example nn.LogSigmoid():forward(torch.Tensor { -1, 0, 2 }) --> { -1.3133, -0.6931, -0.1269 }

return require('nn').Pointwise:of('logsigmoid', 'LogSigmoid')
