--- y = x where x > 0, else alpha (e^(x / alpha) - 1), element by element: an ELU whose derivative
-- is continuous whatever alpha.
-- Source: Barron, Continuously Differentiable Exponential Linear Units, 2017 (arXiv:1704.07483).
-- @classmod nn.CELU
-- @example nn.CELU():forward(torch.Tensor { -1, 0, 2 }) --> { -0.6321, 0, 2 }

return require('nn').Pointwise:of('elu', 'CELU', 'alpha, 1 / alpha', {
   arguments = [[
      alpha    number = 1       -alpha is the limit for x far below 0; larger than 0
      inplace  boolean = false  write over the input (and over gradOutput)
   ]],
   text = ' (alpha:{alpha%f})',
})
