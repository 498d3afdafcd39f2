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
function M.part(layer, dimension, first, count)
   local function bias_of(t)
      return t and (dimension == 1 and t:narrow(1, first, count) or t):clone()
   end
   local function weight_of(t)
      return t and t:narrow(dimension, first, count):clone()
   end
   return parts.remade('nn.Linear', layer, {
      weight = weight_of(layer.weight), gradWeight = weight_of(layer.gradWeight),
      bias = bias_of(layer.bias), gradBias = bias_of(layer.gradBias),
   })
end

--- @param layer nn.Linear
-- @param group
-- @bool gathers whether the output is that of all ranks
function M.columns(layer, group, gathers)
   local n = layer.weight:size(1)
   local first, count = parts.range(n, group)
   return parts.remade('distributed.ColumnLinear', M.part(layer, 1, first, count), {
      features = n, first = first, gathers = gathers, width = gathers and n or count, group = group,
   })
end

--- @param layer nn.Linear
-- @param group
-- @bool cuts whether the input is that of all ranks
-- @int[opt] first where this rank's inputs begin; default: an even part of them
-- @int[opt] count how many they are
function M.rows(layer, group, cuts, first, count)
   local n = layer.weight:size(2)
   if not first then
      first, count = parts.range(n, group)
   end
   return parts.remade('distributed.RowLinear', M.part(layer, 2, first, count), {
      features = n, first = first, cuts = cuts, width = cuts and n or count, group = group,
   })
end

local PRIVATE = { 'features', 'first', 'gathers', 'cuts', 'width', 'group', 'part', 'addBuffer' }

--- The nn.Linear that a layer is a part of, of these parameters; gradients are zero.
function M.whole_of(layer, weight, bias)
   local whole = parts.remade('nn.Linear', layer, { weight = weight, bias = bias,
      gradWeight = weight:clone():zero(), gradBias = bias and bias:clone():zero() })
   for _, name in ipairs(PRIVATE) do
      whole[name] = nil
   end
   return whole
end

function M.from_columns(layer)
   return M.whole_of(layer, parts.joined(layer.weight, layer.features, layer.group),
      layer.bias and parts.joined(layer.bias, layer.features, layer.group))
end

function M.from_rows(layer)
   return M.whole_of(layer,
      parts.joined(layer.weight:t(), layer.features, layer.group):t():contiguous(),
      layer.bias and layer.bias:clone())
end

return M
