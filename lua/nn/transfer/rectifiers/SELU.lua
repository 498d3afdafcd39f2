--- y = 1.0507 x where x > 0, else 1.0507 * 1.67326 (e^x - 1), element by element: keeps mean 0
-- and variance 1 of its inputs.
-- Source: Klambauer et al., Self-Normalizing Neural Networks, 2017 (arXiv:1706.02515).
-- @classmod nn.SELU
-- @example nn.SELU():forward(torch.Tensor { -1, 0, 2 }) --> { -1.1113, 0, 2.1014 }

return require('nn').Pointwise:of('selu', 'SELU', nil, {
   arguments = 'inplace  boolean = false  write over the input (and over gradOutput)',
})
