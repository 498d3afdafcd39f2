--- y = x where x > 0, else alpha (e^x - 1), element by element.
-- Source: Clevert, Unterthiner & Hochreiter, Exponential Linear Units, 2015 (arXiv:1511.07289).
-- @classmod nn.ELU
-- @example nn.ELU():forward(torch.Tensor { -1, 0, 2 }) --> { -0.6321, 0, 2 }

return require('nn').Pointwise:of('elu', 'ELU', 'alpha, 1', {
   arguments = [[
      alpha    number = 1       -alpha is the limit for x far below 0; from 0 on
      inplace  boolean = false  write over the input (and over gradOutput)
   ]],
   text = ' (alpha:{alpha%f})',
})
