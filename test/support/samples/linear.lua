local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, of = make.random, make.of

return {
   Linear = {
      { new = of(nn.Linear, 4, 3), input = of(random, 2, 4), single = of(random, 4),
         wrong = of(random, 2, 5) },
      { new = of(nn.Linear, 4, 1, false), input = of(random, 2, 4), single = of(random, 4),
         wrong = of(random, 2, 5) },
   },
}
