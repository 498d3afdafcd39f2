local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, of, pair = make.random, make.of, make.pair

return {
   CAddTable = {
      { new = nn.CAddTable, input = pair(of(random, 2, 3), of(random, 2, 3)),
         single = pair(of(random, 3), of(random, 3)),
         wrong = pair(of(random, 2, 3), of(random, 2, 4)) },
   },
   JoinTable = {
      { new = of(nn.JoinTable, 1, 1), input = pair(of(random, 2, 3), of(random, 2, 4)),
         single = pair(of(random, 3), of(random, 4)),
         wrong = pair(of(random, 2, 3), of(random, 3, 4)) },
   },
}
