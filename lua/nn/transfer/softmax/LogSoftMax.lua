--- y_i = x_i - log(sum_j e^x_j) over the classes: the logarithms of probabilities.
-- @classmod nn.LogSoftMax

return require('nn').Classwise:of('log_softmax', 'LogSoftMax')
