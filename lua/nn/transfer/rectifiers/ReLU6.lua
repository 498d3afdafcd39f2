--- y = x limited to [0, 6], element by element.
-- @classmod nn.ReLU6
-- @example nn.ReLU6():forward(torch.Tensor { -1, 2, 7 }) --> { 0, 2, 6 }

return require('nn').Pointwise:of('clamp', 'ReLU6', '0, 6', {
   arguments = 'inplace  boolean = false  write over the input (and over gradOutput)',
   gradient = 'input',
})
