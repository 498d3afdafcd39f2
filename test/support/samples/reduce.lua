local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, distinct, of = make.random, make.distinct, make.of

local M = {
   Sum = {}, Mean = {}, Max = {}, Min = {},
   Normalize = {},
}

for name, list in pairs(M) do
   local values = (name == 'Max' or name == 'Min') and distinct or random
   if name ~= 'Normalize' then
      list[1] = { new = of(nn[name], 2), input = of(values, 2, 3, 2), wrong = of(values, 3),
         why = 'the dimension is counted in the whole input' }
      list[2] = { new = of(nn[name], -1, 2), input = of(values, 2, 3, 2),
         single = of(values, 3, 2) }
      list[3] = { new = of(nn[name], 1, 1), input = of(values, 3, 4), single = of(values, 4) }
   end
end
M.Sum[4] = { new = of(nn.Sum, 1, 2, true, false), input = of(random, 2, 3, 2),
   single = of(random, 3, 2) }
M.Mean[4] = { new = of(nn.Mean, 2, 2, false), input = of(random, 2, 3, 2),
   single = of(random, 3, 2), wrong = of(random, 4) }

for i, p in ipairs { 2, 1, 3, 1.5, math.huge } do
   M.Normalize[i] = { new = of(nn.Normalize, p), input = of(distinct, 3, 4),
      single = of(distinct, 4), wrong = of(random, 2, 3, 4) }
end

return M
