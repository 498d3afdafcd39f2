--- The tensors of a nested table, in order, in one table: { a, { b, { c } } } becomes { a, b, c }.
--
-- The output is the same table as long as the input has the same tensors in the same places.
-- @classmod nn.FlattenTable
-- @example #nn.FlattenTable():forward { torch.ones(1), { torch.ones(2), { torch.ones(3) } } } --> 3

local nn = require 'nn'
local check = require 'nn.check'
local nested = require 'nn.nested'

local FlattenTable = nn.declare('nn.FlattenTable', 'nn.Routing', {})

function FlattenTable:__initialize()
   self.output, self.gradInput, self.input_map = {}, {}, {}
end

-- Append the tensors of x to a list; what has their places in it, in the structure of x.
local function flatten(list, x)
   if not nested.is_table(x) then
      list[#list + 1] = x
      return #list
   end
   local map = {}
   for i = 1, #x do
      map[i] = flatten(list, x[i])
   end
   return map
end

-- Whether `flatten` would give this list and this map.
local function is_current(list, map, x)
   if type(map) ~= 'table' or not nested.is_table(x) then
      return type(map) == 'number' and list[map] == x
   end
   for i = 1, math.max(#x, #map) do
      if not is_current(list, map[i], x[i]) then
         return false
      end
   end
   return true
end

local function unflatten(list, map)
   if type(map) == 'number' then
      return list[map]
   end
   local x = {}
   for i = 1, #map do
      x[i] = unflatten(list, map[i])
   end
   return x
end

function FlattenTable:__computeOutput(y, x)
   if type(x) == 'nil' then
      check.fail(self, 'input is nil, expected a table')
   elseif #y > 0 and is_current(y, self.input_map, x) then
      return y
   end
   y = {}
   self.input_map = flatten(y, x)
   return y
end

function FlattenTable:__computeGradInput(_, _, g)
   check.entries(self, g, 'gradOutput', #self.output, 'entries')
   return unflatten(g, self.input_map)
end

function FlattenTable:clearState()
   self.input_map = {}
   return nn.Routing.clearState(self)
end
