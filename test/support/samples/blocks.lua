local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, of, pair = make.random, make.of, make.pair

return {
   ScalePlanes = { { new = nn.ScalePlanes, input = pair(of(random, 2, 3, 4, 2), of(random, 2, 3)),
      single = pair(of(random, 3, 4, 2), of(random, 3)),
      wrong = pair(of(random, 2, 3, 4, 2), of(random, 2, 4)) } },
}
