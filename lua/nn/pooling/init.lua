-- A class follows the classes it is derived from.
for _, name in ipairs {
   'Pooling',
   'SpatialPooling',
   'SpatialMaxPooling',
   'SpatialDilatedMaxPooling',
   'SpatialAveragePooling',
   'VolumetricPooling',
   'VolumetricMaxPooling',
   'VolumetricDilatedMaxPooling',
   'VolumetricAveragePooling',
   'TemporalMaxPooling',
   'TemporalDynamicKMaxPooling',
   'SpatialAdaptiveMaxPooling',
   'SpatialAdaptiveAveragePooling',
   'FractionalMaxPooling',
   'SpatialFractionalMaxPooling',
   'VolumetricFractionalMaxPooling',
   'SpatialMaxUnpooling',
   'VolumetricMaxUnpooling',
   'SpatialLPPooling',
   'FeatureLPPooling',
} do
   require('nn.pooling.' .. name)
end
