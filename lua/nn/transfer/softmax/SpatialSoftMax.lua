--- y_i = e^x_i / sum_j e^x_j over the planes of an image, at each place; as nn.SoftMax.
-- Shapes: C, N x C, C x H x W or N x C x H x W, with C the planes.
-- @classmod nn.SpatialSoftMax
-- @example #nn.SpatialSoftMax():forward(torch.randn(2, 3, 4, 4)) --> { 2, 3, 4, 4 }

return require('nn').Classwise:of('softmax', 'SpatialSoftMax')
