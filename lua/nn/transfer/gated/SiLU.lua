--- y = x / (1 + e^-x), element by element; also called swish.
-- Source: Elfwing, Uchibe & Doya, Sigmoid-Weighted Linear Units, 2017 (arXiv:1702.03118).
-- @classmod nn.SiLU
-- @example nn.SiLU():forward(torch.Tensor { -1, 0, 2 }) --> { -0.2689, 0, 1.7616 }

return require('nn').Pointwise:of('silu', 'SiLU')
