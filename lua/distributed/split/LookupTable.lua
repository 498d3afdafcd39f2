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

--- An nn.LookupTable of which each rank has some rows; `distributed.split` makes it. Fields: `rows`
-- (of all ranks), `first` (this rank's), `group`.
-- @type distributed.LookupTable
local Split, LookupTable = nn.declare('distributed.LookupTable', 'nn.LookupTable', {
   text = '({weight[1]} of {rows} x {weight[2]})',
}, distributed)

-- Which of a vector's positions are this rank's, and which rows of its own they are; nil where none
-- is.
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

function Split:__computeOutput(y, x)
   local sizes = x:size():totable()
   y:resize(x:nElement(), self.weight:size(2)):zero()
   local which, rows = own_of(self, x)
   if which then
      y:indexCopy(1, which, LookupTable.__computeOutput(self, y.new(), rows))
   end
   distributed.allReduce(y, { group = self.group })
   sizes[#sizes + 1] = self.weight:size(2)
   return y:view(unpack(sizes))
end

function Split:__computeGradParameters(x, g, scale)
   local which, rows = own_of(self, x)
   if which then
      local columns = self.weight:size(2)
      LookupTable.__computeGradParameters(self, rows,
         g:contiguous():view(-1, columns):index(1, which), scale)
   end
end

--- @param layer nn.LookupTable
-- @tab cuts for parts.cut: what was cut so far
-- @param group
function M.split(layer, cuts, group)
   local n = layer.weight:size(1)
   local first, count = parts.range(n, group)
   local padding = (layer.paddingValue or 0) - first + 1
   return parts.remade('distributed.LookupTable', layer, {
      weight = parts.cut(cuts, layer.weight, 1, first, count),
      gradWeight = layer.gradWeight and parts.cut(cuts, layer.gradWeight, 1, first, count),
      paddingValue = padding >= 1 and padding <= count and padding or 0,
      padding = layer.paddingValue, rows = n, first = first, group = group,
   })
end

--- The nn.LookupTable that a layer is a part of.
-- @param layer
-- @tab memo for parts.once: what layers have in common
function M.whole(layer, memo)
   local weight = parts.once(memo, layer.weight, function()
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
