--- y_i = x_i - log(sum_j e^x_j) over the planes of an image, at each place; as nn.LogSoftMax.
-- Shapes: C, N x C, C x H x W or N x C x H x W, with C the planes.
-- @classmod nn.SpatialLogSoftMax
-- @example #nn.SpatialLogSoftMax():forward(torch.randn(2, 3, 4, 4)) --> { 2, 3, 4, 4 }

return require('nn').Classwise:of('log_softmax', 'SpatialLogSoftMax')
