--- The two nets of a DCGAN for images of 28 x 28.
-- Source: Radford, Metz and Chintala, ICLR 2016 (arXiv:1511.06434).

local torch = require 'torch'
local nn = require 'nn'

local models = {}

-- Weights as in the paper.
local function initialized(net)
   net:apply(function(layer)
      if layer.weight then
         local normalizes = torch.isTypeOf(layer, 'nn.BatchNormalization')
         layer.weight:normal(normalizes and 1 or 0, 0.02)
         if layer.bias then
            layer.bias:zero()
         end
      end
   end)
   return net
end

--- @int noise
-- @treturn nn.Sequential from N x noise to N x 1 x 28 x 28, from -1 to 1
function models.generator(noise)
   return initialized(nn.Sequential()
      :add(nn.View(noise, 1, 1))
      :add(nn.SpatialFullConvolution(noise, 64, 7, 7)) --           64 x 7 x 7
      :add(nn.SpatialBatchNormalization(64)):add(nn.ReLU(true))
      :add(nn.SpatialFullConvolution(64, 32, 4, 4, 2, 2, 1, 1)) --  32 x 14 x 14
      :add(nn.SpatialBatchNormalization(32)):add(nn.ReLU(true))
      :add(nn.SpatialFullConvolution(32, 1, 4, 4, 2, 2, 1, 1)) --    1 x 28 x 28
      :add(nn.Tanh()))
end

--- @treturn nn.Sequential from N x 1 x 28 x 28 to N x 1, the probability that an image is real
function models.critic()
   return initialized(nn.Sequential()
      :add(nn.SpatialConvolution(1, 32, 4, 4, 2, 2, 1, 1)) --       32 x 14 x 14
      :add(nn.LeakyReLU(0.2, true))
      :add(nn.SpatialConvolution(32, 64, 4, 4, 2, 2, 1, 1)) --      64 x 7 x 7
      :add(nn.SpatialBatchNormalization(64)):add(nn.LeakyReLU(0.2, true))
      :add(nn.SpatialConvolution(64, 1, 7, 7))
      :add(nn.View(1):setNumInputDims(3))
      :add(nn.Sigmoid()))
end

return models
