local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, positive, distinct, of = make.random, make.positive, make.distinct, make.of
local pair = make.pair

local function triple(a)
   return function()
      return { a(), a(), a() }
   end
end

-- A table { a, { b, a } }.
local function nest(a, b)
   return function()
      return { a(), { b(), a() } }
   end
end

-- What takes no tensor.
local function of_tables(new, input)
   return { new = new, input = input, why = 'tensors of any shape', wrong = of(random, 2, 5) }
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

local function matrices(new, rows, columns, rows2, columns2)
   return {
      new = new, input = pair(of(random, 2, rows, columns), of(random, 2, rows2, columns2)),
      single = pair(of(random, rows, columns), of(random, rows2, columns2)),
      wrong = pair(of(random, rows, columns), of(random, rows2 + 1, columns2 + 1)),
   }
end

-- A matrix and a vector.
local function matrix_vector(new, rows, columns, n)
   return {
      new = new, input = pair(of(random, 2, rows, columns), of(random, 2, n)),
      single = pair(of(random, rows, columns), of(random, n)),
      wrong = pair(of(random, rows, columns), of(random, n + 1)),
   }
end

-- Two vectors.
local function vectors(name, ...)
   return {
      new = of(nn[name], ...), input = pair(of(random, 2, 3), of(random, 2, 3)),
      single = pair(of(random, 3), of(random, 3)),
      wrong = pair(of(random, 2, 3), of(random, 2, 4)),
   }
end

-- A gater and its experts.
local function mixture(new, one, experts)
   return {
      new = new, input = pair(of(random, 2, 3), experts), single = pair(of(random, 3), one),
      wrong = pair(of(random, 2, 4), experts),
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
   CAddTensorTable = {
      { new = nn.CAddTensorTable, input = nest(of(random, 2, 3), of(random, 2, 3)),
         single = nest(of(random, 3), of(random, 3)),
         wrong = nest(of(random, 2, 3), of(random, 2, 4)) },
   },
   SelectTable = {
      of_tables(of(nn.SelectTable, 2), nest(of(random, 2, 3), of(random, 4))),
      of_tables(of(nn.SelectTable, -2), nest(of(random, 2, 3), of(random, 4))),
   },
   NarrowTable = {
      of_tables(of(nn.NarrowTable, 2), triple(of(random, 2, 3))),
      of_tables(of(nn.NarrowTable, 1, 2), triple(nest(of(random, 2), of(random, 3)))),
   },
   SplitTable = {
      { new = of(nn.SplitTable, 1, 2), input = of(random, 2, 3, 4),
         single = of(random, 3, 4), wrong = of(random, 3) },
      { new = of(nn.SplitTable, -2), input = of(random, 2, 3), single = of(random, 4, 2, 3),
         wrong = of(random, 3) },
   },
   FlattenTable = {
      { new = nn.FlattenTable, input = nest(of(random, 2, 3), of(random, 4)),
         why = 'tensors of any shape', anything = true },
   },
   ZipTable = { of_tables(nn.ZipTable, pair(triple(of(random, 2)), triple(of(random, 3)))) },
   ZipTableOneToMany = {
      of_tables(nn.ZipTableOneToMany, nest(of(random, 2, 3), of(random, 4))),
   },
   MM = {
      matrices(nn.MM, 2, 3, 3, 4), matrices(of(nn.MM, true), 3, 2, 3, 4),
      matrices(of(nn.MM, false, true), 2, 3, 4, 3), matrices(of(nn.MM, true, true), 3, 2, 4, 3),
   },
   MV = { matrix_vector(nn.MV, 2, 3, 3), matrix_vector(of(nn.MV, true), 2, 3, 2) },
   DotProduct = { vectors 'DotProduct' },
   PairwiseDistance = {
      vectors('PairwiseDistance', 1), vectors 'PairwiseDistance', vectors('PairwiseDistance', 3),
   },
   CosineDistance = { vectors 'CosineDistance' },
   MixtureTable = {
      mixture(nn.MixtureTable, triple(of(random, 2)), triple(of(random, 2, 4))),
      mixture(nn.MixtureTable, of(random, 3, 2), of(random, 2, 3, 2)),
      { new = of(nn.MixtureTable, 3), input = pair(of(random, 2, 3), of(random, 2, 4, 3)),
         why = 'as above', wrong = pair(of(random, 2, 4), of(random, 2, 4, 3)) },
   },
   JoinTable = {
      { new = of(nn.JoinTable, 1, 1), input = pair(of(random, 2, 3), of(random, 2, 4)),
         single = pair(of(random, 3), of(random, 4)),
         wrong = pair(of(random, 2, 3), of(random, 3, 4)) },
   },
}
