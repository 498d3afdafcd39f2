--- LeNet: two convolutions with pooling, two fully connected layers, log-probabilities of classes.
-- Source: LeCun, Bottou, Bengio and Haffner, Proc. IEEE 86 (1998), with ReLU and max pooling.

local nn = require 'nn'

--- @int classes
-- @treturn nn.Sequential from N x 1 x 28 x 28 to N x classes
return function(classes)
   local net = nn.Sequential()
   net:add(nn.SpatialConvolution(1, 20, 5, 5)) --  20 x 24 x 24
   net:add(nn.ReLU(true))
   net:add(nn.SpatialMaxPooling(2, 2)) --          20 x 12 x 12
   net:add(nn.SpatialConvolution(20, 50, 5, 5)) -- 50 x 8 x 8
   net:add(nn.ReLU(true))
   net:add(nn.SpatialMaxPooling(2, 2)) --          50 x 4 x 4
   net:add(nn.View(50 * 4 * 4):setNumInputDims(3))
   net:add(nn.Linear(50 * 4 * 4, 500))
   net:add(nn.ReLU(true))
   net:add(nn.Linear(500, classes))
   net:add(nn.LogSoftMax())
   -- Nobody asks for the gradient with respect to the images.
   net:get(1).gradInput = nil
   return net
end
