--- y_i = e^x_i / sum_j e^x_j over the classes: positive numbers that sum to 1.
-- @classmod nn.SoftMax
-- @example nn.SoftMax():forward(torch.Tensor { 1, 2, 3 }) --> { 0.09, 0.2447, 0.6652 }

return require('nn').Classwise:of('softmax', 'SoftMax')
