local nn = require 'nn'
local make = require 'test.support.samples.make'

local distinct, of, images = make.distinct, make.of, make.images

return {
   SpatialMaxPooling = {
      images(of(nn.SpatialMaxPooling, 3, 2, 2, 1, 1, 0), 2, distinct),
      images(function() return nn.SpatialMaxPooling(2, 2):ceil() end, 2, distinct),
   },
   SpatialAveragePooling = {
      images(of(nn.SpatialAveragePooling, 3, 2, 2, 1, 1, 0), 2),
      images(function()
         return nn.SpatialAveragePooling(2, 2, 2, 2, 1, 1):ceil():setCountExcludePad()
      end, 2),
   },
}
