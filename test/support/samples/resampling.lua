local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, of, images = make.random, make.of, make.images

local function volumes(new)
   return {
      new = new, input = of(random, 2, 2, 3, 4, 2), single = of(random, 2, 3, 4, 2),
      wrong = of(random, 5, 6),
   }
end

-- Batches only.
local function batches(new, ...)
   return { new = new, input = of(random, ...), why = 'takes batches', wrong = of(random, 5, 6) }
end

return {
   SpatialZeroPadding = {
      images(of(nn.SpatialZeroPadding, 1, 2, 0, 3), 2),
      images(of(nn.SpatialZeroPadding, -1, 2, 1, -2), 2),
   },
   SpatialReflectionPadding = {
      images(of(nn.SpatialReflectionPadding, 4, 5, 0, 3), 2),
      images(of(nn.SpatialReflectionPadding, -1, 2, 1, -2), 2),
   },
   SpatialReplicationPadding = {
      images(of(nn.SpatialReplicationPadding, 1, 7, 0, 3), 2),
      images(of(nn.SpatialReplicationPadding, -1, 2, 1, -2), 2),
   },
   VolumetricReplicationPadding = {
      volumes(of(nn.VolumetricReplicationPadding, 1, 2, 0, 3, 2, -1)),
      volumes(of(nn.VolumetricReplicationPadding, 1)),
   },
   SpatialUpSamplingNearest = { images(of(nn.SpatialUpSamplingNearest, 3), 2) },
   SpatialUpSamplingBilinear = {
      images(of(nn.SpatialUpSamplingBilinear, 2), 2),
      images(of(nn.SpatialUpSamplingBilinear, { oheight = 3, owidth = 7 }), 2),
   },
   UpSampling = {
      batches(of(nn.UpSampling, 2), 2, 2, 3, 4),
      batches(of(nn.UpSampling, 2, 'linear'), 2, 2, 3, 1),
      batches(of(nn.UpSampling, 2), 1, 2, 3, 2, 4),
      batches(of(nn.UpSampling, { odepth = 3, oheight = 5, owidth = 2 }, 'linear'), 1, 2, 2, 3, 4),
   },
   PixelShuffle = {
      { new = of(nn.PixelShuffle, 2), input = of(random, 2, 8, 3, 2), single = of(random, 8, 3, 2),
         wrong = of(random, 2, 6, 3, 2) },
   },
}
