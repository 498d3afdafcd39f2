--- y = e^x, element by element.
-- @classmod nn.Exp
-- @example nn.Exp():forward(torch.Tensor { 0, 1 }) --> { 1, 2.7183 }

return require('nn').Pointwise:of 'exp'
