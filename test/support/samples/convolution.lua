local torch = require 'torch'
local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, of, images, pair = make.random, make.of, make.images, make.pair

local function volumes(new, planes)
   return {
      new = new, input = of(random, 2, planes, 3, 4, 5), single = of(random, planes, 3, 4, 5),
      wrong = of(random, 4, 5),
   }
end

local function sequences(new, features)
   return {
      new = new, input = of(random, 2, 7, features), single = of(random, 7, features),
      wrong = of(random, 7),
   }
end

local function map(class, ...)
   local steps = { ... }
   return function()
      return class(torch.Tensor { { 1, 1 }, { 2, 2 }, { 1, 2 }, { 3, 2 } }, 3, 2, unpack(steps))
   end
end

return {
   SpatialConvolution = {
      images(of(nn.SpatialConvolution, 2, 3, 3, 2, 2, 1, 1, 0), 2),
      images(function() return nn.SpatialConvolution(2, 3, 3, 3):noBias() end, 2),
   },
   SpatialFullConvolution = {
      images(of(nn.SpatialFullConvolution, 2, 3, 3, 2, 2, 1, 1, 0, 1, 0), 2),
      { new = of(nn.SpatialFullConvolution, 2, 2, 3, 3, 2, 2, 1, 1),
         input = pair(of(random, 1, 2, 3, 2), of(random, 1, 1, 6, 4)), why = 'as above',
         wrong = pair(of(random, 1, 2, 3, 2), of(random, 1, 1, 9, 9)) },
   },
   SpatialConvolutionMM = { images(of(nn.SpatialConvolutionMM, 2, 3, 3, 2, 2, 1, 1, 0), 2) },
   SpatialDilatedConvolution = {
      images(of(nn.SpatialDilatedConvolution, 2, 3, 3, 2, 1, 2, 1, 0, 2, 3), 2),
   },
   SpatialDepthWiseConvolution = {
      images(of(nn.SpatialDepthWiseConvolution, 2, 3, 3, 2, 2, 1, 1, 0), 2),
      images(function() return nn.SpatialDepthWiseConvolution(2, 3, 3, 2):noBias() end, 2),
   },
   SpatialConvolutionLocal = {
      images(of(nn.SpatialConvolutionLocal, 2, 3, 6, 5, 3, 2, 2, 1, 1, 0), 2),
   },
   SpatialConvolutionMap = { images(map(nn.SpatialConvolutionMap, 2, 1), 3) },
   SpatialFullConvolutionMap = { images(map(nn.SpatialFullConvolutionMap, 2, 1), 3) },
   SpatialSubSampling = { images(of(nn.SpatialSubSampling, 2, 3, 2, 2, 1), 2) },
   VolumetricConvolution = {
      volumes(of(nn.VolumetricConvolution, 2, 3, 2, 3, 2, 1, 2, 1, 1, 0, 1), 2),
      volumes(function() return nn.VolumetricConvolution(2, 3, 2, 2, 2):noBias() end, 2),
   },
   VolumetricDilatedConvolution = {
      volumes(of(nn.VolumetricDilatedConvolution, 2, 2, 2, 3, 2, 1, 1, 2, 0, 1, 0, 2, 2, 3), 2),
   },
   VolumetricFullConvolution = {
      volumes(of(nn.VolumetricFullConvolution, 2, 3, 2, 3, 2, 1, 2, 1, 0, 1, 0, 0, 1, 0), 2),
      { new = of(nn.VolumetricFullConvolution, 2, 2, 2, 3, 2, 2, 2, 1),
         input = pair(of(random, 1, 2, 2, 2, 2), of(random, 1, 1, 5, 3, 5)), why = 'as above',
         wrong = pair(of(random, 1, 2, 2, 2, 2), of(random, 1, 1, 9, 9, 9)) },
   },
   TemporalConvolution = {
      sequences(of(nn.TemporalConvolution, 3, 4, 3, 2), 3),
      sequences(function() return nn.TemporalConvolution(3, 4, 2):noBias() end, 3),
   },
   TemporalRowConvolution = {
      sequences(of(nn.TemporalRowConvolution, 3, 2, 2), 3),
      { new = of(nn.TemporalRowConvolution, 3, 2, 1, true), input = of(random, 2, 3, 5),
         single = of(random, 3, 5), wrong = of(random, 5) },
   },
   TemporalSubSampling = { sequences(of(nn.TemporalSubSampling, 3, 3, 2), 3) },
}
