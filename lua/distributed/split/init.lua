--- Layers that are split among ranks, for layers that are too large for one device.
-- @module distributed.split

local torch = require 'torch'
local nested = require 'nn.nested'
local distributed = require 'distributed.module'
local options = require 'torch.options'
local linear = require 'distributed.split.Linear'
local lookup = require 'distributed.split.LookupTable'
local dropout = require 'distributed.split.Dropout'
local attention = require 'distributed.split.Attention'
local parts = require 'distributed.split.parts'

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
   ['nn.Linear'] = function(layer, job, by)
      return (by == 'rows' and linear.rows or linear.columns)(layer, job.cuts, job.group, true)
   end,
   ['nn.LookupTable'] = function(layer, job) return lookup.split(layer, job.cuts, job.group) end,
   ['nn.MultiHeadAttention'] = function(layer, job)
      return attention.split(layer, job.cuts, job.group)
   end,
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

-- What is to be done: `cuts`, the parameters cut so far (parts.cut); `places`, lists of modules
-- with what will stand where. The network changes when all is known to fit.
local function new_job(group)
   return { group = group, cuts = {}, places = {} }
end

local function put(job, modules, i, layer)
   job.places[#job.places + 1] = { modules, i, layer }
end

local split_inside

-- Two linear layers with nothing but element-wise ones between: columns, then rows.
local function split_sequence(sequence, job)
   local modules, i = sequence.modules, 1
   while i <= #modules do
      local k = torch.typename(modules[i]) == 'nn.Linear' and enough(modules[i], job.group)
         and partner(modules, i)
      if k then
         put(job, modules, i, linear.columns(modules[i], job.cuts, job.group, false))
         put(job, modules, k, linear.rows(modules[k], job.cuts, job.group, false))
         for between = i + 1, k - 1 do
            if torch.typename(modules[between]) == 'nn.Dropout' then
               put(job, modules, between, dropout.split(modules[between], job.group))
            end
         end
         i = k
      else
         split_inside(modules, i, job)
      end
      i = i + 1
   end
end

-- Split the module at modules[i], or what is in it.
function split_inside(modules, i, job)
   local module = modules[i]
   local name = torch.typename(module)
   if SPLIT[name] then
      if enough(module, job.group) then
         put(job, modules, i, SPLIT[name](module, job))
      end
   elseif name == 'nn.Sequential' then
      split_sequence(module, job)
   elseif is_container(module) then
      for k in ipairs(module.modules) do
         split_inside(module.modules, k, job)
      end
   end
end

-- A parameter that layers share is cut by all of them, or by none.
local function check_ties(module, job)
   local users = {}
   for _, t in ipairs(nested.append({}, (module:parameters()))) do
      local key = t:nElement() > 0 and parts.key(t)
      local cut = key and job.cuts[key]
      if cut then
         users[key] = users[key] or { t = t, count = 0 }
         users[key].count = users[key].count + 1
      end
   end
   for key, user in pairs(users) do
      if user.count ~= job.cuts[key].count then
         parts.refuse_tie(user.t)
      end
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
-- what is split draws for each rank's own features or heads. Layers that share a parameter share
-- its part, if both cut it alike, as an nn.LookupTable and an nn.Linear behind it do.
--
-- `distributed.whole` puts layers together again, for saving.
-- @tparam nn.Module module nn.Linear, nn.LookupTable, nn.MultiHeadAttention, or a network
-- @tab[opt] settings by: 'columns' (the default) or 'rows', of a single nn.Linear; group: the ranks
-- @return the module, or for a layer the one that stands in its place
-- @raise "distributed.split: a nn.SpatialConvolution cannot be split; nn.Linear, nn.LookupTable,
-- nn.MultiHeadAttention and networks with such layers can"
-- @raise "distributed.split: a nn.Linear has 2 outputs, and there are 4 ranks"
-- @raise "distributed.split: layers share a parameter of 100x8, and would cut it differently: one
-- by rows, another by columns or not at all"
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
   distributed.synchronize(module, { group = group })
   local job = new_job(group)
   if SPLIT[name] then
      local fits, units, count = enough(module, group, settings.by)
      if not fits then
         options.fail('distributed.split: a %s has %d %s, and there are %d ranks', name, count,
            units, distributed.size(group))
      end
      return SPLIT[name](module, job, settings.by)
   end
   split_inside({ module }, 1, job)
   if #job.places == 0 then
      options.fail('distributed.split: a %s cannot be split; nn.Linear, nn.LookupTable, '
         .. 'nn.MultiHeadAttention and networks with such layers can, if they have an output, row '
         .. 'or head for each rank', name)
   end
   check_ties(module, job)
   for _, place in ipairs(job.places) do
      place[1][place[2]] = place[3]
   end
   return module
end
