local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, positive, distinct, of = make.random, make.positive, make.distinct, make.of
local pair = make.pair

local function triple(a)
   return function()
      return { a(), a(), a() }
   end
end

-- Two tensors of one size, combined element by element.
local function two(name, values)
   values = values or random
   return {
      new = nn[name], input = pair(of(values, 2, 3), of(values, 2, 3)),
      single = pair(of(values, 3), of(values, 3)),
      wrong = pair(of(random, 2, 3), of(random, 2, 4)),
   }
end

-- Three of them, whose elements at each place differ.
local function extremum(name)
   local function tensors(...)
      local all = distinct(3, ...)
      return { all[1], all[2], all[3] }
   end
   return {
      new = nn[name], input = of(tensors, 2, 3), single = of(tensors, 3),
      wrong = pair(of(random, 2, 3), of(random, 2, 4)),
   }
end

return {
   CAddTable = { two 'CAddTable' },
   CSubTable = { two 'CSubTable' },
   CMulTable = {
      two 'CMulTable',
      { new = nn.CMulTable, input = triple(of(random, 2, 3)), single = triple(of(random, 3)) },
   },
   CDivTable = { two('CDivTable', positive) },
   CMaxTable = { extremum 'CMaxTable' },
   CMinTable = { extremum 'CMinTable' },
   JoinTable = {
      { new = of(nn.JoinTable, 1, 1), input = pair(of(random, 2, 3), of(random, 2, 4)),
         single = pair(of(random, 3), of(random, 4)),
         wrong = pair(of(random, 2, 3), of(random, 3, 4)) },
   },
}
