--- nn.MultiHeadAttention split among ranks: each has some heads.
--
-- Projections of queries, keys and values are split by columns, head by head, and the one of the
-- output by rows: one sum over the ranks forward, one backward.
-- Source: Shoeybi et al., "Megatron-LM", 2019 (arXiv:1909.08053), section 3.
-- @module distributed.split.Attention

local nn = require 'nn'
local nested = require 'nn.nested'
local passes = require 'nn.containers.passes'
local distributed = require 'distributed.module'
local linear = require 'distributed.split.Linear'
local parts = require 'distributed.split.parts'

local M = {}

--- An nn.MultiHeadAttention of which each rank has some heads; `distributed.split` makes it.
-- Fields: `allHeads`, `heads` (this rank's), `group`.
-- @type distributed.MultiHeadAttention
local Split, MultiHead = nn.declare('distributed.MultiHeadAttention', 'nn.MultiHeadAttention', {
   text = '({features}, {heads} of {allHeads} heads)',
}, distributed)

-- The projections in front have no sum of their own: there is one for all three.
function Split:__pass(method, input, gradOutput, factor)
   local gx = MultiHead.__pass(self, method, input, gradOutput, factor)
   if passes.gives_gradient[method] then
      for _, g in ipairs(nested.tensors(gx)) do
         distributed.allReduce(g, { group = self.group })
      end
   end
   return gx
end

-- Dropout of weights is that of this rank's heads.
function Split:updateOutput(input)
   local attention = self.modules[5]
   if (attention.p or 0) > 0 and attention.train ~= false then
      return parts.apart(self.group, MultiHead.updateOutput, self, input)
   end
   return MultiHead.updateOutput(self, input)
end

--- A layer of another class, or with other modules, without buffers.
function M.remade(name, layer, fields)
   local other = parts.remade(name, layer, fields)
   for _, buffer in ipairs(MultiHead.__buffers) do
      other[buffer] = nil
   end
   return other
end

--- @param layer nn.MultiHeadAttention
-- @tab cuts for parts.cut: what was cut so far
-- @param group
function M.split(layer, cuts, group)
   local of_head = layer.features / layer.heads
   local first, count = parts.range(layer.heads, group)
   local at, features = (first - 1) * of_head + 1, count * of_head
   local modules = {}
   for i = 1, 3 do
      modules[i] = linear.part(layer.modules[i], cuts, 1, at, features)
   end
   modules[4] = linear.rows(layer.modules[4], cuts, group, false, at, features)
   modules[5] = layer.modules[5]
   return M.remade('distributed.MultiHeadAttention', layer, { modules = modules, heads = count,
      allHeads = layer.heads, group = group })
end

-- Parts of the ranks are heads, not features: as many of them as heads times D.
local function joined(t, layer)
   local of_head = layer.features / layer.allHeads
   local sizes = t:size():totable()
   local blocks = t:contiguous():view(layer.heads, of_head, -1)
   local whole = parts.joined(blocks, layer.allHeads, layer.group)
   sizes[1] = layer.features
   return whole:view(unpack(sizes))
end

--- The nn.MultiHeadAttention that a layer is a part of.
-- @param layer
-- @tab memo for parts.once: what layers have in common
function M.whole(layer, memo)
   local modules = {}
   local function of_columns(t)
      return joined(t, layer)
   end
   local function of_rows(t)
      return joined(t:t(), layer):t():contiguous()
   end
   for i = 1, 4 do
      modules[i] = linear.whole_of(layer.modules[i], memo, i < 4 and of_columns or of_rows,
         i < 4 and of_columns or parts.copy)
   end
   modules[5] = layer.modules[5]
   local whole = M.remade('nn.MultiHeadAttention', layer, { modules = modules,
      heads = layer.allHeads })
   whole.allHeads, whole.group = nil, nil
   return whole
end

return M
