--- y = x where |x| > lambda, else 0, element by element.
-- @classmod nn.HardShrink

return require('nn').Pointwise:of('hardshrink', 'HardShrink', '-lambda, lambda', {
   arguments = 'lambda  number = 0.5  from 0 on',
   gradient = 'input',
})
