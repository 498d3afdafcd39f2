local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, distinct, of, images = make.random, make.distinct, make.of, make.images
local positive = make.positive

local function volumes(new, values)
   return {
      new = new, input = of(values, 2, 2, 5, 4, 6), single = of(values, 2, 5, 4, 6),
      wrong = of(random, 5, 6),
   }
end

local function sequences(new)
   return {
      new = new, input = of(distinct, 2, 7, 3), single = of(distinct, 7, 3),
      wrong = of(random, 2, 2, 2, 2),
   }
end

-- A layer of unpooling whose pooling layer has run: what comes in is of the size of its output.
local function unpooling(class, pool, ...)
   local sizes = { ... }
   local function sample(input)
      return {
         new = function()
            local pooling = pool()
            pooling:forward(distinct(unpack(input)))
            return nn[class](pooling)
         end,
         input = function()
            return random(pool():forward(distinct(unpack(input))):size())
         end,
         why = 'the pooling layer had a batch',
      }
   end
   local batch, single = sample(sizes), sample { unpack(sizes, 2) }
   batch.wrong = of(random, 2, 2)
   single.wrong = batch.wrong
   return { batch, single }
end

local function fractions(class, ...)
   local layer = of(nn[class], ...)
   return function() return layer():fixPoolingRegions() end
end

-- Of pooling by norms, which is a net: the second module refuses.
local function norms(new)
   local sample = images(new, 2, positive)
   sample.inside, sample.refuser = '.2', 'nn.SpatialAveragePooling'
   return sample
end

-- Each sample of a batch has regions of its own.
local function own_regions(sample)
   sample.mixes = true
   return sample
end

return {
   SpatialMaxPooling = {
      images(of(nn.SpatialMaxPooling, 3, 2, 2, 1, 1, 0), 2, distinct),
      images(function() return nn.SpatialMaxPooling(2, 2):ceil() end, 2, distinct),
   },
   SpatialDilatedMaxPooling = {
      images(of(nn.SpatialDilatedMaxPooling, 2, 3, 1, 2, 1, 1, 2, 1), 2, distinct),
      images(function() return nn.SpatialDilatedMaxPooling(2, 2, 2, 1, 0, 0, 3):ceil() end, 2,
         distinct),
   },
   SpatialAveragePooling = {
      images(of(nn.SpatialAveragePooling, 3, 2, 2, 1, 1, 0), 2),
      images(function()
         return nn.SpatialAveragePooling(2, 2, 2, 2, 1, 1):ceil():setCountExcludePad()
      end, 2),
   },
   VolumetricMaxPooling = {
      volumes(of(nn.VolumetricMaxPooling, 3, 2, 2, 2, 1, 2, 1, 0, 1), distinct),
      volumes(function() return nn.VolumetricMaxPooling(2, 2, 3):ceil() end, distinct),
   },
   VolumetricDilatedMaxPooling = {
      volumes(of(nn.VolumetricDilatedMaxPooling, 2, 2, 2, 1, 1, 2, 1, 0, 1, 2, 3, 1), distinct),
   },
   VolumetricAveragePooling = {
      volumes(of(nn.VolumetricAveragePooling, 3, 2, 2, 2, 1, 2, 1, 0, 1), random),
      volumes(function()
         return nn.VolumetricAveragePooling(2, 3, 2, 2, 2, 2, 1, 1, 1):ceil():setCountExcludePad()
      end, random),
   },
   TemporalMaxPooling = {
      sequences(of(nn.TemporalMaxPooling, 3, 2)), sequences(of(nn.TemporalMaxPooling, 2)),
   },
   TemporalDynamicKMaxPooling = {
      sequences(of(nn.TemporalDynamicKMaxPooling, 3)),
      sequences(of(nn.TemporalDynamicKMaxPooling, 2, 0.7)),
   },
   SpatialAdaptiveMaxPooling = {
      images(of(nn.SpatialAdaptiveMaxPooling, 4, 3), 2, distinct),
      images(of(nn.SpatialAdaptiveMaxPooling, 8, 2), 2, distinct),
   },
   SpatialAdaptiveAveragePooling = {
      images(of(nn.SpatialAdaptiveAveragePooling, 4, 3), 2),
      images(of(nn.SpatialAdaptiveAveragePooling, 8, 2), 2),
   },
   SpatialFractionalMaxPooling = {
      own_regions(images(fractions('SpatialFractionalMaxPooling', 2, 2, 3, 2), 2, distinct)),
      own_regions(images(fractions('SpatialFractionalMaxPooling', 2, 2, 0.7, 0.6), 2, distinct)),
   },
   VolumetricFractionalMaxPooling = {
      own_regions(volumes(fractions('VolumetricFractionalMaxPooling', 2, 2, 3, 4, 2, 2), distinct)),
   },
   SpatialMaxUnpooling = unpooling('SpatialMaxUnpooling',
      of(nn.SpatialMaxPooling, 2, 2), 2, 2, 5, 6),
   VolumetricMaxUnpooling = unpooling('VolumetricMaxUnpooling',
      of(nn.VolumetricMaxPooling, 2, 2, 2), 2, 2, 4, 5, 6),
   FeatureLPPooling = {
      { new = of(nn.FeatureLPPooling, 3, 2, 2, true), input = of(positive, 2, 7, 2),
         why = 'told by batch_mode', wrong = of(positive, 3) },
      { new = of(nn.FeatureLPPooling, 2, 2, 3), input = of(positive, 7, 2, 2),
         single = of(positive, 7), wrong = of(positive, 2, 2, 2, 2) },
      { new = of(nn.FeatureLPPooling, 2, 1, 1), input = of(random, 7, 2),
         single = of(random, 7, 2, 2), wrong = of(random, 2, 2, 2, 2) },
   },
   SpatialLPPooling = {
      norms(of(nn.SpatialLPPooling, 2, 2, 3, 2, 2, 1)), norms(of(nn.SpatialLPPooling, 2, 3, 2, 2)),
   },
}
