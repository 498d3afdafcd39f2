local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, of = make.random, make.of

local function recurrent(name)
   local function states()
      local input = { random(3, 2, 4), random(4, 2, 3):mul(0.3) }
      input[3] = name == 'LSTM' and random(4, 2, 3) or nil
      return input
   end
   return {
      { new = of(nn[name], 4, 3, 1, true, true), input = of(random, 2, 3, 4),
         single = of(random, 3, 4), wrong = of(random, 2, 3, 5) },
      { new = of(nn[name], 4, 3, 2, true, false, 0.4, true), input = states,
         why = 'states are of a batch', wrong = of(random, 2, 3, 5) },
   }
end

return { LSTM = recurrent 'LSTM', GRU = recurrent 'GRU', RNN = recurrent 'RNN' }
