local nn = require 'nn'
require 'distributed' -- which has the synchronised ones, here of one process
local make = require 'test.support.samples.make'

local random, of, images = make.random, make.of, make.images

local function kernel(...)
   return make.positive(...)
end

-- A batch normalisation in training has no single samples.
local function batch_norm(name, ...)
   local sizes = { ... }
   local function new(evaluate)
      return function()
         local layer = nn[name](sizes[2], 1e-3)
         layer.running_mean:uniform(-1, 1)
         layer.running_var:uniform(0.5, 2)
         if evaluate then
            layer:evaluate()
         end
         return layer
      end
   end
   local wrong = of(random, 7, 9)
   return {
      { new = new(false), input = of(random, ...), wrong = wrong, why = 'training needs a batch' },
      { new = new(true), input = of(random, ...), single = of(random, unpack(sizes, 2)),
         wrong = wrong },
   }
end

-- Of rows: weights that are not all 1.
local function with_weights(name, ...)
   local arguments = { ... }
   return function()
      local layer = nn[name](unpack(arguments))
      if layer.weight then
         layer.weight:uniform(0.5, 1.5)
      end
      if layer.bias then
         layer.bias:uniform(-1, 1)
      end
      return layer
   end
end

local function planes(name, ...)
   return {
      { new = with_weights(name, ...), input = of(random, 2, 4, 3, 2), wrong = of(random, 2, 3, 2),
         why = 'a sample could be a batch' },
      { new = with_weights(name, ...), input = of(random, 2, 4, 5), wrong = of(random, 2, 3, 2),
         why = 'a sample could be a batch' },
   }
end

local function rows(name, ...)
   return { new = with_weights(name, ...), input = of(random, 3, 4), single = of(random, 4),
      wrong = of(random, 3, 5) }
end

-- What SpectralNorm learns.
local singular = { 'raw', 'bias', 'gradRaw', 'gradBias' }

-- In evaluation u and v rest: else the gradients are those of a moving weight.
local function spectral(module, dimension)
   return function()
      local layer = nn.SpectralNorm(module(), dimension)
      for _ = 1, 300 do
         layer:__iterate()
      end
      layer.bias:uniform(-1, 1)
      layer:evaluate()
      return layer
   end
end

return {
   SpectralNorm = {
      { new = spectral(of(nn.Linear, 4, 3)), input = of(random, 2, 4), single = of(random, 4),
         wrong = of(random, 2, 5), inside = '.1', names = singular },
      { new = spectral(of(nn.SpatialFullConvolution, 2, 3, 2, 2), 2), names = singular,
         input = of(random, 2, 2, 3, 3), single = of(random, 2, 3, 3), wrong = of(random, 4, 4),
         inside = '.1', refuser = 'nn.SpatialFullConvolution' },
   },
   BatchNormalization = batch_norm('BatchNormalization', 5, 3),
   SpatialBatchNormalization = batch_norm('SpatialBatchNormalization', 3, 2, 3, 2),
   VolumetricBatchNormalization = batch_norm('VolumetricBatchNormalization', 2, 2, 2, 2, 3),
   SyncBatchNormalization = batch_norm('SyncBatchNormalization', 5, 3),
   SyncSpatialBatchNormalization = batch_norm('SyncSpatialBatchNormalization', 3, 2, 3, 2),
   SyncVolumetricBatchNormalization = batch_norm('SyncVolumetricBatchNormalization', 2, 2, 2, 2,
      3),
   LayerNorm = {
      rows('LayerNorm', 4), rows('LayerNorm', 4, 1e-3, false), rows('LayerNorm', 4, 1e-5, true,
         false),
      { new = with_weights('LayerNorm', { 3, 2 }), input = of(random, 2, 4, 3, 2),
         single = of(random, 3, 2), wrong = of(random, 2, 4) },
   },
   RMSNorm = { rows('RMSNorm', 4), rows('RMSNorm', 4, 1e-3, false) },
   LayerNormalization = {
      rows('LayerNormalization', 4, 0.5), rows('LayerNormalization', 4, 0, 0.1),
   },
   GroupNorm = planes('GroupNorm', 2, 4),
   InstanceNorm = planes('InstanceNorm', 4, 1e-5, true),
   SpatialCrossMapLRN = {
      images(of(nn.SpatialCrossMapLRN, 3, 0.7, 0.6, 2), 4),
      images(of(nn.SpatialCrossMapLRN, 4, 0.5), 3),
   },
   SpatialSubtractiveNormalization = {
      images(of(nn.SpatialSubtractiveNormalization, 2, kernel(3, 5)), 2),
      images(of(nn.SpatialSubtractiveNormalization, 2, kernel(3)), 2),
   },
   SpatialDivisiveNormalization = {
      images(of(nn.SpatialDivisiveNormalization, 2, kernel(3, 5)), 2),
      images(of(nn.SpatialDivisiveNormalization, 2, kernel(3), 0.8, 0.5), 2),
   },
   SpatialContrastiveNormalization = {
      images(of(nn.SpatialContrastiveNormalization, 2, kernel(5, 3)), 2),
   },
}
