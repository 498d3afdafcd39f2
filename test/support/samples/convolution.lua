local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, of, images, pair = make.random, make.of, make.images, make.pair

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
}
