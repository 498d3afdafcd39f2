--- One tensor beside each of many: { v, { a, b, c } } becomes { { v, a }, { v, b }, { v, c } }.
-- @classmod nn.ZipTableOneToMany
-- @usage nn.ZipTableOneToMany():forward { v, { a, b } } -- { { v, a }, { v, b } }
-- @example
-- local x = nn.ZipTableOneToMany():forward { 'a', { 'b', 'c' } }
-- x[2] --> { 'a', 'c' }

local nn = require 'nn'
local check = require 'nn.check'

local Zip = nn.declare('nn.ZipTableOneToMany', 'nn.Routing', {})

local function check_input(self, x)
   check.entries(self, x, 'input', 2, 'entries')
   check.entries(self, x[2], 'input 2', 1, 'entry or more')
end

function Zip:__computeOutput(_, x)
   check_input(self, x)
   local y = {}
   for i = 1, #x[2] do
      y[i] = { x[1], x[2][i] }
   end
   return y
end

-- The one has its gradient from all.
function Zip:__computeGradInput(gx, x, g)
   check_input(self, x)
   check.entries(self, g, 'gradOutput', #x[2], 'tables')
   local sum, each = gx[1], {}
   for i = 1, #x[2] do
      check.entries(self, g[i], ('gradOutput %d'):format(i), 2, 'entries')
      if i == 1 then
         sum = nn.utils.recursiveCopy(sum, g[i][1])
      else
         nn.utils.recursiveAdd(sum, g[i][1])
      end
      each[i] = g[i][2]
   end
   return { sum, each }
end
