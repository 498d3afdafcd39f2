-- Modules of nn that the package nngraph brings.
local nn = require 'nn'
require 'nngraph'
local make = require 'test.support.samples.make'

local random, of, pair = make.random, make.of, make.pair

-- Two inputs, a sum, a node with two consumers, two outputs.
local function two_and_two()
   local a, b = nn.Identity()(), nn.Linear(3, 5)()
   local hidden = nn.Tanh()(nn.CAddTable() { nn.Linear(4, 5)(a), b })
   return nn.gModule({ a, b }, { nn.Linear(5, 2)(hidden), nn.Abs()(hidden) })
end

local function chain()
   local x = nn.Identity()()
   return nn.gModule({ x }, { nn.Linear(5, 3)(nn.Tanh()(nn.Linear(4, 5)(x))) })
end

-- Entries of a table, one of them with two consumers.
local function parts()
   local x = nn.Identity()()
   local a, b = x:split(2)
   local sum = nn.CAddTable() { nn.Square()(a), nn.Linear(4, 4)(b) }
   return nn.gModule({ x }, { nn.JoinTable(1, 1) { sum, nn.Identity()(b) } })
end

return {
   gModule = {
      { new = chain, input = of(random, 2, 4), single = of(random, 4), wrong = of(random, 2, 5),
         inside = '.2' },
      { new = two_and_two, input = pair(of(random, 2, 4), of(random, 2, 3)),
         single = pair(of(random, 4), of(random, 3)), wrong = of(random, 2, 5) },
      { new = parts, input = pair(of(random, 2, 4), of(random, 2, 4)),
         single = pair(of(random, 4), of(random, 4)), wrong = pair(of(random, 3), of(random, 3)),
         inside = '.3' },
   },
}
