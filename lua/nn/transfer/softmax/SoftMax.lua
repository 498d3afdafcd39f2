--- y_i = e^x_i / sum_j e^x_j over the classes: positive numbers that sum to 1.
-- @classmod nn.SoftMax

return require('nn').Classwise:of('softmax', 'SoftMax')
