--- The sum of each window of each plane, times the plane's weight, plus its bias: the pooling of
-- the first convolutional nets.
--
-- Shapes: input N x nInputPlane x H x W, or without N; weight and bias nInputPlane; output N x
-- nInputPlane x oH x oW with oH = floor((H - kH) / dH) + 1, and oW likewise. Weight and bias start
-- uniform in ±1/sqrt(kW kH). LeCun et al., Gradient-Based Learning Applied to Document
-- Recognition, 1998.
-- @classmod nn.SpatialSubSampling
-- @example
-- #nn.SpatialSubSampling(3, 2, 2, 2, 2):forward(torch.randn(2, 3, 6, 6)) --> { 2, 3, 3, 3 }

local nn = require 'nn'

local SubSampling = nn.declare('nn.SpatialSubSampling', 'nn.SubSampling', {
   arguments = [[
      nInputPlane  size        planes
      kW           size        window width
      kH           size        window height
      dW           integer = 1 step to the right
      dH           integer = 1 step down
   ]],
   input = 'N? nInputPlane H W',
   output = 'N? nInputPlane oH oW',
   batch = true,
})

function SubSampling:__initialize(planes)
   self:__addWeights({ planes }, { planes })
end

function SubSampling:__fanIn()
   return self.kW * self.kH
end

function SubSampling:__window()
   return self.kH, self.kW, self.dH, self.dW
end

function SubSampling.__images(_, x)
   return x, 2
end

function SubSampling.__restore(_, r)
   return r
end
