local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, of, pair, mlp = make.random, make.of, make.pair, make.mlp

return {
   Sequential = { { new = mlp, input = of(random, 2, 4), single = of(random, 4),
      wrong = of(random, 2, 5), inside = '.1' } },
   ConcatTable = {
      { new = function() return nn.ConcatTable():add(mlp()):add(nn.Linear(4, 2)) end,
         input = of(random, 2, 4), single = of(random, 4), wrong = of(random, 2, 5),
         inside = '.1.1' },
   },
   ParallelTable = {
      { new = function() return nn.ParallelTable():add(nn.Linear(4, 2)):add(nn.Tanh()) end,
         input = pair(of(random, 2, 4), of(random, 3)),
         single = pair(of(random, 4), of(random, 3)),
         wrong = of(random, 2, 5) },
   },
   Concat = {
      { new = function() return nn.Concat(2):add(mlp()):add(nn.Linear(4, 2)) end,
         input = of(random, 2, 4), why = 'dimension 2 is that of the features in a batch',
         wrong = of(random, 2, 5), inside = '.1.1' },
   },
}
