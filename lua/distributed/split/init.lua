--- Layers that are split among ranks, for layers that are too large for one device.
-- @module distributed.split

local torch = require 'torch'
local nested = require 'nn.nested'
local shapes = require 'torch.functions.shapes'
local distributed = require 'distributed.module'
local options = require 'torch.options'
local linear = require 'distributed.split.Linear'
local lookup = require 'distributed.split.LookupTable'
local dropout = require 'distributed.split.Dropout'
local attention = require 'distributed.split.Attention'

local KNOWN = { by = { 'columns', 'rows' }, group = 'list' }

-- Layer -> what it falls into parts by, and how many of these there are.
local UNITS = {
   ['nn.Linear'] = function(layer, by)
      return by == 'rows' and 'inputs' or 'outputs', layer.weight:size(by == 'rows' and 2 or 1)
   end,
   ['nn.LookupTable'] = function(layer) return 'rows', layer.weight:size(1) end,
   ['nn.MultiHeadAttention'] = function(layer) return 'heads', layer.heads end,
}

local SPLIT = {
   ['nn.Linear'] = function(layer, group, by)
      return (by == 'rows' and linear.rows or linear.columns)(layer, group, true)
   end,
   ['nn.LookupTable'] = lookup.split,
   ['nn.MultiHeadAttention'] = attention.split,
}

local function enough(layer, group, by)
   local units, count = UNITS[torch.typename(layer)](layer, by)
   return count >= distributed.size(group), units, count
end

-- Whether a layer treats each feature for itself.
local function is_elementwise(layer)
   local name = torch.typename(layer)
   return torch.isTypeOf(layer, 'nn.Pointwise') and name ~= 'nn.RReLU'
      or name == 'nn.GELU' or name == 'nn.Dropout'
      or name == 'nn.Identity'
end

-- The nn.Linear that follows the one at i with nothing but element-wise layers between.
local function partner(modules, i)
   for k = i + 1, #modules do
      if torch.typename(modules[k]) == 'nn.Linear' then
         return k
      elseif not is_elementwise(modules[k]) then
         return nil
      end
   end
end

-- Containers that hand on to their modules and keep nothing else of them.
local CONTAINERS = { 'nn.Branches', 'nn.Stream', 'nn.Residual', 'nn.FeedForward', 'nn.Bottle' }

local function is_container(module)
   for _, class in ipairs(CONTAINERS) do
      if torch.isTypeOf(module, class) then
         return true
      end
   end
   return false
end

local split_inside

-- Two linear layers with nothing but element-wise ones between: columns, then rows.
local function split_sequence(sequence, group)
   local modules, count, i = sequence.modules, 0, 1
   while i <= #modules do
      local k = torch.typename(modules[i]) == 'nn.Linear' and enough(modules[i], group)
         and partner(modules, i)
      if k then
         modules[i] = linear.columns(modules[i], group, false)
         modules[k] = linear.rows(modules[k], group, false)
         for between = i + 1, k - 1 do
            if torch.typename(modules[between]) == 'nn.Dropout' then
               modules[between] = dropout.split(modules[between], group)
            end
         end
         count, i = count + 2, k + 1
      else
         local more
         modules[i], more = split_inside(modules[i], group)
         count, i = count + more, i + 1
      end
   end
   return sequence, count
end

-- What stands in the place of a module, and how many layers of it were split.
function split_inside(module, group)
   local name = torch.typename(module)
   if SPLIT[name] then
      if enough(module, group) then
         return SPLIT[name](module, group), 1
      end
      return module, 0
   elseif name == 'nn.Sequential' then
      return split_sequence(module, group)
   end
   local count = 0
   for i, child in ipairs(is_container(module) and module.modules or {}) do
      local more
      module.modules[i], more = split_inside(child, group)
      count = count + more
   end
   return module, count
end

-- Layers that share a parameter would each get a part of their own.
local function check_ties(module)
   local seen = {}
   for _, t in ipairs(nested.append({}, (module:parameters()))) do
      local key = t:nElement() > 0 and ('%s %d'):format(torch.pointer(t:storage()),
         t:storageOffset()) or t
      if seen[key] then
         options.fail('distributed.split: layers of the %s share a parameter of %s, and parts of '
            .. 'layers cannot', torch.typename(module), shapes.text(t))
      end
      seen[key] = true
   end
end

--- A layer, or the layers of a network, split among the ranks: each has a part of the parameters,
-- their gradients and the optimiser's state. All ranks are given the same batches.
--
-- | layer | what a rank has | sums over the ranks |
-- | --- | --- | --- |
-- | nn.Linear, `by = 'columns'` | some outputs | backward; outputs are put together |
-- | nn.Linear, `by = 'rows'` | some inputs | forward; gradients by inputs are put together |
-- | nn.LookupTable | some rows | forward |
-- | nn.MultiHeadAttention | some heads | forward and backward |
--
-- In a network, two nn.Linear with only element-wise layers between them, as those of
-- nn.FeedForward, are split by columns and by rows with one sum each way; other nn.Linear by
-- columns. Layers of less than one output, row or head for each rank stay whole, as others do: all
-- ranks have and step those. Their parameters become those of rank 1. Outputs and gradients are
-- those of the whole layer but for the order in which sums are made. Ranks need the same seed where
-- layers draw numbers (nn.Dropout): what is not split has to draw the same on all. Dropout within
-- what is split draws for each rank's own features or heads.
--
-- `distributed.whole` puts layers together again, for saving.
-- @tparam nn.Module module nn.Linear, nn.LookupTable, nn.MultiHeadAttention, or a network
-- @tab[opt] settings by: 'columns' (the default) or 'rows', of a single nn.Linear; group: the ranks
-- @return the module, or for a layer the one that stands in its place
-- @raise "distributed.split: a nn.SpatialConvolution cannot be split; nn.Linear, nn.LookupTable,
-- nn.MultiHeadAttention and networks with such layers can"
-- @raise "distributed.split: a nn.Linear has 2 outputs, and there are 4 ranks"
-- @raise "distributed.split: layers of the nn.Sequential share a parameter of 100x8, and parts of
-- layers cannot"
-- @example
-- local nn, distributed = require 'nn', require 'distributed'
-- local layer = distributed.split(nn.Linear(4, 6))
-- torch.type(layer), #layer:forward(torch.ones(3, 4)) --> 'distributed.ColumnLinear', { 3, 6 }
function distributed.split(module, settings)
   settings = options.check('distributed.split', settings, KNOWN)
   if not torch.isTypeOf(module, 'nn.Module') then
      options.fail('distributed.split: expected a layer or a network (nn.Module), got %s',
         options.describe(module))
   end
   local group, name = settings.group, torch.typename(module)
   check_ties(module)
   distributed.synchronize(module, { group = group })
   if SPLIT[name] then
      local fits, units, count = enough(module, group, settings.by)
      if not fits then
         options.fail('distributed.split: a %s has %d %s, and there are %d ranks', name, count,
            units, distributed.size(group))
      end
      return SPLIT[name](module, group, settings.by)
   end
   local whole, count = split_inside(module, group)
   if count == 0 then
      options.fail('distributed.split: a %s cannot be split; nn.Linear, nn.LookupTable, '
         .. 'nn.MultiHeadAttention and networks with such layers can, if they have an output, row '
         .. 'or head for each rank', name)
   end
   return whole
end
