local nn = require 'nn'
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

return {
   BatchNormalization = batch_norm('BatchNormalization', 5, 3),
   SpatialBatchNormalization = batch_norm('SpatialBatchNormalization', 3, 2, 3, 2),
   VolumetricBatchNormalization = batch_norm('VolumetricBatchNormalization', 2, 2, 2, 2, 3),
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
