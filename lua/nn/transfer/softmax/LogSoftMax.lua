--- y_i = x_i - log(sum_j e^x_j) over the classes: the logarithms of probabilities.
-- @classmod nn.LogSoftMax
-- @example nn.LogSoftMax():forward(torch.Tensor { 1, 2, 3 }) --> { -2.4076, -1.4076, -0.4076 }

return require('nn').Classwise:of('log_softmax', 'LogSoftMax')
