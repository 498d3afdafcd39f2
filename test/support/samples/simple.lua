local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, of, elementwise = make.random, make.of, make.elementwise

return {
   Identity = { { new = nn.Identity, input = of(random, 3, 4), single = of(random, 4),
      anything = true } },
   Dropout = {
      elementwise('Dropout', nil, 0.4), elementwise('Dropout', nil, 0.4, true),
      { new = of(nn.Dropout, 0.4, false, true), input = of(random, 3, 4), single = of(random, 4),
         inplace = true },
   },
   Mul = { elementwise 'Mul' },
   Add = {
      { new = of(nn.Add, 4), input = of(random, 3, 4), single = of(random, 4),
         wrong = of(random, 3, 5) },
      { new = of(nn.Add, 4, true), input = of(random, 3, 4), single = of(random, 4) },
   },
   CMul = {
      { new = of(nn.CMul, 2, 3), input = of(random, 4, 2, 3), single = of(random, 2, 3),
         wrong = of(random, 2, 4) },
      { new = of(nn.CMul, 1, 3, 1), input = of(random, 2, 3, 2), single = of(random, 1, 3, 4),
         wrong = of(random, 2, 4, 2) },
   },
   MulConstant = { elementwise('MulConstant', nil, 3) },
   AddConstant = { elementwise('AddConstant', nil, 3) },
}
