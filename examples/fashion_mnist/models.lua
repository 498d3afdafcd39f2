--- The nets of this example: from N x 1 x 28 x 28 images to N x classes log-probabilities.

local nn = require 'nn'

local models = {}

-- The first layer with parameters: nobody asks for the gradient with respect to the images.
local function first(layer)
   layer.gradInput = nil
   return layer
end

--- A multi-layer perceptron: two hidden layers.
function models.mlp(classes)
   return nn.Sequential()
      :add(nn.View(28 * 28):setNumInputDims(3))
      :add(nn.Linear(28 * 28, 256))
      :add(nn.ReLU(true))
      :add(nn.Linear(256, 128))
      :add(nn.ReLU(true))
      :add(nn.Linear(128, classes))
      :add(nn.LogSoftMax())
end

--- LeNet: two convolutions with pooling, two fully connected layers.
-- Source: LeCun, Bottou, Bengio and Haffner, Proc. IEEE 86 (1998), with ReLU and max pooling.
function models.lenet(classes)
   return nn.Sequential()
      :add(first(nn.SpatialConvolution(1, 20, 5, 5))) -- 20 x 24 x 24
      :add(nn.ReLU(true))
      :add(nn.SpatialMaxPooling(2, 2)) -- 20 x 12 x 12
      :add(nn.SpatialConvolution(20, 50, 5, 5)) -- 50 x 8 x 8
      :add(nn.ReLU(true))
      :add(nn.SpatialMaxPooling(2, 2)) -- 50 x 4 x 4
      :add(nn.View(50 * 4 * 4):setNumInputDims(3))
      :add(nn.Linear(50 * 4 * 4, 500))
      :add(nn.ReLU(true))
      :add(nn.Linear(500, classes))
      :add(nn.LogSoftMax())
end

-- A convolution whose outputs are normalised, which makes its bias superfluous.
local function convolution(planes, outputs, size, stride)
   local pad = (size - 1) / 2
   return nn.Sequential()
      :add(nn.SpatialConvolution(planes, outputs, size, size, stride, stride, pad, pad):noBias())
      :add(nn.SpatialBatchNormalization(outputs))
end

-- y = ReLU(x + f(x)). Where f changes the size, x goes through a 1 x 1 convolution.
local function block(planes, outputs, stride)
   local f = nn.Sequential()
      :add(convolution(planes, outputs, 3, stride))
      :add(nn.ReLU(true))
      :add(convolution(outputs, outputs, 3, 1))
   local straight = stride == 1 and planes == outputs and nn.Identity()
      or convolution(planes, outputs, 1, stride)
   return nn.Sequential()
      :add(nn.ConcatTable():add(f):add(straight))
      :add(nn.CAddTable())
      :add(nn.ReLU(true))
end

--- A residual net of 8 layers: three stages of one block each.
-- Source: He, Zhang, Ren and Sun, CVPR 2016 (arXiv:1512.03385), section 4.2 with n = 1.
function models.resnet(classes)
   return nn.Sequential()
      :add(convolution(1, 16, 3, 1))
      :add(nn.ReLU(true))
      :add(block(16, 16, 1)) -- 16 x 28 x 28
      :add(block(16, 32, 2)) -- 32 x 14 x 14
      :add(block(32, 64, 2)) -- 64 x 7 x 7
      :add(nn.SpatialAveragePooling(7, 7))
      :add(nn.View(64):setNumInputDims(3))
      :add(nn.Linear(64, classes))
      :add(nn.LogSoftMax())
end

--- A residual net of 8 layers whose first convolution at each size stands alone: half of a
-- `resnet`'s work is at 28 x 28, half of this one's at 14 x 14.
-- Source: after Page, "How to train your ResNet", 2018, with strides in place of pooling.
-- @int classes
-- @int width planes at 28 x 28; twice and four times as many at 14 x 14 and 7 x 7
function models.page(classes, width)
   return nn.Sequential()
      :add(convolution(1, width, 3, 1))
      :add(nn.ReLU(true))
      :add(convolution(width, 2 * width, 3, 2))
      :add(nn.ReLU(true))
      :add(block(2 * width, 2 * width, 1)) -- 14 x 14
      :add(convolution(2 * width, 4 * width, 3, 2))
      :add(nn.ReLU(true))
      :add(block(4 * width, 4 * width, 1)) -- 7 x 7
      :add(nn.SpatialAveragePooling(7, 7))
      :add(nn.View(4 * width):setNumInputDims(3))
      :add(nn.Linear(4 * width, classes))
      :add(nn.LogSoftMax())
end

return models
