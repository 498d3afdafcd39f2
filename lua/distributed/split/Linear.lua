--- nn.Linear split among ranks: by columns of the product (its outputs), or by rows (its inputs).
--
-- All ranks are given the same batch. By columns: y_r = x W_r' + b_r, and the gradient by x is the
-- sum over ranks of g_r W_r. By rows: y is the sum over ranks of x_r W_r', plus b. Columns, then
-- something element-wise, then rows need one sum forward and one backward, and nobody has the
-- features between them as a whole.
-- Source: Shoeybi et al., "Megatron-LM", 2019 (arXiv:1909.08053), section 3.
-- @module distributed.split.Linear

local nn = require 'nn'
local ops = require 'nn.base.ops'
local distributed = require 'distributed.module'
local parts = require 'distributed.split.parts'

local M = {}

-- --- columns ------------------------------------------------------------------------------------

--- An nn.Linear of which each rank computes some outputs; `distributed.split` makes it.
-- Fields: `features` (outputs of all ranks), `first` (this rank's), `gathers` (whether the output
-- is that of all ranks), `group`.
-- @type distributed.ColumnLinear
local Column, Linear = nn.declare('distributed.ColumnLinear', 'nn.Linear', {
   output = 'N? width', text = '({weight[2]} -> {weight[1]} of {features}){no bias}',
}, distributed)

-- N x own as N x features, or one sample of it.
local function side_by_side(own, features, group)
   local turned = own.ndim == 1 and own or own:t()
   local all = parts.joined(turned, features, group)
   return own.ndim == 1 and all or all:t()
end

local function own_part(self, g)
   return self.gathers and g:narrow(g.ndim, self.first, self.weight:size(1)) or g
end

function Column:__computeOutput(y, x)
   if not self.gathers then
      return Linear.__computeOutput(self, y, x)
   end
   self.part = Linear.__computeOutput(self, self.part or y.new(), x)
   local all = side_by_side(self.part, self.features, self.group)
   return y:resize(all:size()):copy(all)
end

function Column:__computeGradInput(gx, x, g)
   gx = Linear.__computeGradInput(self, gx, x, own_part(self, g))
   return distributed.allReduce(gx, { group = self.group })
end

function Column:__computeGradParameters(x, g, scale)
   Linear.__computeGradParameters(self, x, own_part(self, g), scale)
end

function Column:clearState()
   self.part = nil
   return Linear.clearState(self)
end

-- --- rows ---------------------------------------------------------------------------------------

--- An nn.Linear of which each rank takes some inputs; `distributed.split` makes it. The bias is on
-- all ranks. Fields: `features` (inputs of all ranks), `first` (this rank's), `cuts` (whether it is
-- given the inputs of all ranks), `group`.
-- @type distributed.RowLinear
local Row = nn.declare('distributed.RowLinear', 'nn.Linear', {
   input = 'N? width', text = '({weight[2]} of {features} -> {weight[1]}){no bias}',
}, distributed)

local function own_inputs(self, x)
   return self.cuts and x:narrow(x.ndim, self.first, self.weight:size(2)) or x
end

function Row:__computeOutput(y, x)
   y = ops.linear(self, y, own_inputs(self, x), self.weight, nil)
   distributed.allReduce(y, { group = self.group })
   if self.bias then
      y:add(y.ndim == 1 and self.bias or self.bias:view(1, -1):expandAs(y))
   end
   return y
end

function Row:__computeGradInput(gx, x, g)
   gx = Linear.__computeGradInput(self, gx, own_inputs(self, x), g)
   if not self.cuts then
      return gx
   end
   local all = side_by_side(gx, self.features, self.group)
   return gx:resize(all:size()):copy(all)
end

function Row:__computeGradParameters(x, g, scale)
   Linear.__computeGradParameters(self, own_inputs(self, x), g, scale)
end

-- --- from a layer, and back ---------------------------------------------------------------------

--- An nn.Linear of some outputs (dimension 1) or inputs (2) of another.
-- @tab cuts for parts.cut: what was cut so far
function M.part(layer, cuts, dimension, first, count)
   local function bias_of(t)
      return t and parts.cut(cuts, t, dimension == 1 and 1 or nil, first, count)
   end
   local function weight_of(t)
      return t and parts.cut(cuts, t, dimension, first, count)
   end
   return parts.remade('nn.Linear', layer, {
      weight = weight_of(layer.weight), gradWeight = weight_of(layer.gradWeight),
      bias = bias_of(layer.bias), gradBias = bias_of(layer.gradBias),
   })
end

--- @param layer nn.Linear
-- @tab cuts for parts.cut
-- @param group
-- @bool gathers whether the output is that of all ranks
function M.columns(layer, cuts, group, gathers)
   local n = layer.weight:size(1)
   local first, count = parts.range(n, group)
   return parts.remade('distributed.ColumnLinear', M.part(layer, cuts, 1, first, count), {
      features = n, first = first, gathers = gathers, width = gathers and n or count, group = group,
   })
end

--- @param layer nn.Linear
-- @tab cuts for parts.cut
-- @param group
-- @bool takes_all whether the input is that of all ranks
-- @int[opt] first where this rank's inputs begin; default: an even part of them
-- @int[opt] count how many they are
function M.rows(layer, cuts, group, takes_all, first, count)
   local n = layer.weight:size(2)
   if not first then
      first, count = parts.range(n, group)
   end
   return parts.remade('distributed.RowLinear', M.part(layer, cuts, 2, first, count), {
      features = n, first = first, cuts = takes_all, width = takes_all and n or count,
      group = group,
   })
end

local PRIVATE = { 'features', 'first', 'gathers', 'cuts', 'width', 'group', 'part', 'addBuffer' }

--- The nn.Linear that a layer is a part of; gradients are zero.
-- @param layer
-- @tab memo for parts.once: what layers have in common
-- @func weight_of the whole of the layer's weight
-- @func bias_of the whole of its bias
function M.whole_of(layer, memo, weight_of, bias_of)
   local function whole(t, make)
      return t and parts.once(memo, t, function() return make(t) end)
   end
   local function zeros(slope, like)
      return like and parts.once(memo, slope, function() return like:clone():zero() end)
   end
   local weight = whole(layer.weight, weight_of)
   local bias = whole(layer.bias, bias_of)
   local linear = parts.remade('nn.Linear', layer, { weight = weight, bias = bias,
      gradWeight = zeros(layer.gradWeight, weight), gradBias = zeros(layer.gradBias, bias) })
   for _, name in ipairs(PRIVATE) do
      linear[name] = nil
   end
   return linear
end

function M.from_columns(layer, memo)
   local function joined(t)
      return parts.joined(t, layer.features, layer.group)
   end
   return M.whole_of(layer, memo, joined, joined)
end

function M.from_rows(layer, memo)
   return M.whole_of(layer, memo, function(t)
      return parts.joined(t:t(), layer.features, layer.group):t():contiguous()
   end, parts.copy)
end

return M
