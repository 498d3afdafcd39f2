--- y = x tanh(log(1 + e^x)), element by element.
-- Source: Misra, Mish: A Self Regularized Non-Monotonic Activation Function, 2019
-- (arXiv:1908.08681).
-- @classmod nn.Mish

return require('nn').Pointwise:of('mish', 'Mish')
