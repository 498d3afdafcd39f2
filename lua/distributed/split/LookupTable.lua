--- nn.LookupTable split among ranks: each has some rows, and looks up the positions that are its
-- own. The output is the sum over ranks, of which all but one give zeros.
-- Source: Shoeybi et al., "Megatron-LM", 2019 (arXiv:1909.08053), section 3.
-- @module distributed.split.LookupTable

local nn = require 'nn'
local check = require 'nn.check'
local positions = require 'nn.base.positions'
local distributed = require 'distributed.module'
local parts = require 'distributed.split.parts'

local M = {}

--- Some rows of an nn.LookupTable, and zeros for positions of other rows; `distributed.split`
-- makes it. Fields: `rows` (of the whole table), `first` (of its own).
-- @type distributed.LookupRows
local Rows, LookupTable = nn.declare('distributed.LookupRows', 'nn.LookupTable', {
   text = '({weight[1]} of {rows} x {weight[2]})',
}, distributed)

-- Which of a vector's positions are its own, and which rows they are; nil where none is.
local function own_of(self, x)
   local at = positions.vector(self, '_input', x, self.weight)
   local low, high = at:min(), at:max()
   if low < 1 or high > self.rows then
      check.fail(self, 'position %d is out of range: there are rows 1 to %d',
         low < 1 and low or high, self.rows)
   end
   local mine = at:ge(self.first):cmul(at:le(self.first + self.weight:size(1) - 1))
   local which = mine:nonzero()
   if which:nElement() == 0 then
      return nil
   end
   which = which:view(-1)
   return which, at:index(1, which):add(1 - self.first)
end

function Rows:__computeOutput(y, x)
   local sizes = x:size():totable()
   y:resize(x:nElement(), self.weight:size(2)):zero()
   local which, rows = own_of(self, x)
   if which then
      y:indexCopy(1, which, LookupTable.__computeOutput(self, y.new(), rows))
   end
   sizes[#sizes + 1] = self.weight:size(2)
   return y:view(unpack(sizes))
end

function Rows:__computeGradParameters(x, g, scale)
   local which, rows = own_of(self, x)
   if which then
      local columns = self.weight:size(2)
      LookupTable.__computeGradParameters(self, rows,
         g:contiguous():view(-1, columns):index(1, which), scale)
   end
end

--- An nn.LookupTable of which each rank has some rows; `distributed.split` makes it. Fields: as of
-- distributed.LookupRows, `group`.
-- @type distributed.LookupTable
local Split = nn.declare('distributed.LookupTable', 'distributed.LookupRows', {}, distributed)

function Split:__computeOutput(y, x)
   return distributed.allReduce(Rows.__computeOutput(self, y, x), { group = self.group })
end

--- Some rows of a table, as a layer of a class.
-- @string name of the class
-- @param layer nn.LookupTable
-- @tab cuts for parts.cut: what was cut so far
-- @int first
-- @int count
function M.part(name, layer, cuts, first, count)
   local padding = (layer.paddingValue or 0) - first + 1
   return parts.remade(name, layer, {
      weight = parts.cut(cuts, layer.weight, 1, first, count),
      gradWeight = layer.gradWeight and parts.cut(cuts, layer.gradWeight, 1, first, count),
      paddingValue = padding >= 1 and padding <= count and padding or 0,
      padding = layer.paddingValue, rows = layer.weight:size(1), first = first,
   })
end

--- @param layer nn.LookupTable
-- @tab cuts for parts.cut
-- @param group
function M.split(layer, cuts, group)
   local first, count = parts.range(layer.weight:size(1), group)
   local part = M.part('distributed.LookupTable', layer, cuts, first, count)
   part.group = group
   return part
end

--- The nn.LookupTable that a layer is a part of.
-- @param layer
-- @tab memo for parts.once: what layers have in common
-- @func[opt] weight_of gives the whole of its weight; default: the rows of all ranks
function M.whole(layer, memo, weight_of)
   local weight = parts.once(memo, layer.weight, weight_of or function()
      return parts.joined(layer.weight, layer.rows, layer.group)
   end)
   local gradWeight = layer.gradWeight and parts.once(memo, layer.gradWeight, function()
      return weight:clone():zero()
   end)
   local whole = parts.remade('nn.LookupTable', layer, { weight = weight,
      gradWeight = gradWeight, paddingValue = layer.padding })
   for _, name in ipairs { 'padding', 'rows', 'first', 'group', '_input', '_contiguous',
      '_gradOutput' } do
      whole[name] = nil
   end
   return whole
end

return M
