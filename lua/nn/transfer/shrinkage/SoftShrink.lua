--- y = x - lambda where x > lambda, x + lambda where x < -lambda, else 0, element by element.
-- @classmod nn.SoftShrink
-- @example nn.SoftShrink(0.5):forward(torch.Tensor { -1, 0.3, 2 }) --> { -0.5, 0, 1.5 }

return require('nn').Pointwise:of('softshrink', 'SoftShrink', '-lambda, lambda', {
   arguments = 'lambda  number = 0.5  from 0 on',
   gradient = 'input',
})
