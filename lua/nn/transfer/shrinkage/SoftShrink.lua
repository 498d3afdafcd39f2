--- y = x - lambda where x > lambda, x + lambda where x < -lambda, else 0, element by element.
-- @classmod nn.SoftShrink

return require('nn').Pointwise:of('softshrink', 'SoftShrink', '-lambda, lambda', {
   arguments = 'lambda  number = 0.5  from 0 on',
   gradient = 'input',
})
