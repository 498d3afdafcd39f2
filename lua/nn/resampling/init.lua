-- A class follows the classes it is derived from.
for _, name in ipairs {
   'SpatialPadding',
   'SpatialZeroPadding',
   'SpatialReflectionPadding',
   'SpatialReplicationPadding',
   'VolumetricReplicationPadding',
   'SpatialUpSamplingNearest',
   'SpatialUpSamplingBilinear',
   'UpSampling',
   'PixelShuffle',
} do
   require('nn.resampling.' .. name)
end
