--- y = x tanh(log(1 + e^x)), element by element.
-- Source: Misra, Mish: A Self Regularized Non-Monotonic Activation Function, 2019
-- (arXiv:1908.08681).
-- @classmod nn.Mish
-- @example nn.Mish():forward(torch.Tensor { -1, 0, 2 }) --> { -0.3034, 0, 1.944 }

return require('nn').Pointwise:of('mish', 'Mish')
