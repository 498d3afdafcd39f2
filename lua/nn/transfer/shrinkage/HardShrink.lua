--- y = x where |x| > lambda, else 0, element by element.
-- @classmod nn.HardShrink
-- @example nn.HardShrink(0.5):forward(torch.Tensor { -1, 0.3, 2 }) --> { -1, 0, 2 }

return require('nn').Pointwise:of('hardshrink', 'HardShrink', '-lambda, lambda', {
   arguments = 'lambda  number = 0.5  from 0 on',
   gradient = 'input',
})
