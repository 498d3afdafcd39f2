--- Layers that are split among ranks, or among devices of one process, for layers that are too
-- large for one device.
-- @module distributed.split

local torch = require 'torch'
local nested = require 'nn.nested'
local distributed = require 'distributed.module'
local options = require 'torch.options'
local linear = require 'distributed.split.Linear'
local lookup = require 'distributed.split.LookupTable'
local dropout = require 'distributed.split.Dropout'
local attention = require 'distributed.split.Attention'
local devices = require 'distributed.split.devices'
local parts = require 'distributed.split.parts'

local KNOWN = { by = { 'columns', 'rows' }, group = 'list', devices = 'list' }

-- Layer -> what it falls into parts by, and how many of these there are.
local UNITS = {
   ['nn.Linear'] = function(layer, by)
      return by == 'rows' and 'inputs' or 'outputs', layer.weight:size(by == 'rows' and 2 or 1)
   end,
   ['nn.LookupTable'] = function(layer) return 'rows', layer.weight:size(1) end,
   ['nn.MultiHeadAttention'] = function(layer) return 'heads', layer.heads end,
}

-- What layers become where each rank of job.group has a part: `apart`, layers between which
-- features stay apart.
local OVER_RANKS = {
   columns = function(layer, job, apart)
      return linear.columns(layer, job.cuts[1], job.group, not apart)
   end,
   rows = function(layer, job, apart)
      return linear.rows(layer, job.cuts[1], job.group, not apart)
   end,
   between = function(layer, job)
      return torch.typename(layer) == 'nn.Dropout' and dropout.split(layer, job.group) or layer
   end,
   lookup = function(layer, job) return lookup.split(layer, job.cuts[1], job.group) end,
   attention = function(layer, job) return attention.split(layer, job.cuts[1], job.group) end,
}

-- And where each of job.devices has one.
local OVER_DEVICES = {
   columns = function(layer, job, apart) return devices.columns(layer, job, not apart) end,
   rows = function(layer, job, apart) return devices.rows(layer, job, not apart) end,
   between = devices.between, lookup = devices.lookup, attention = devices.attention,
}

local SPLIT = {
   ['nn.Linear'] = function(layer, job, by) return job.split[by or 'columns'](layer, job) end,
   ['nn.LookupTable'] = function(layer, job) return job.split.lookup(layer, job) end,
   ['nn.MultiHeadAttention'] = function(layer, job) return job.split.attention(layer, job) end,
}

local function enough(layer, job, by)
   local units, count = UNITS[torch.typename(layer)](layer, by)
   return count >= job.size, units, count
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

-- What is to be done: `cuts`, the parameters cut so far, for the ranks or for each device
-- (parts.cut); `places`, lists of modules with what will stand where. The network changes when all
-- is known to fit.
local function new_job(settings)
   local job = { group = settings.group, devices = settings.devices, places = {}, cuts = {},
      split = settings.devices and OVER_DEVICES or OVER_RANKS }
   job.size = job.devices and #job.devices or distributed.size(job.group)
   for i = 1, job.devices and job.size or 1 do
      job.cuts[i] = {}
   end
   return job
end

local function put(job, modules, i, layer)
   job.places[#job.places + 1] = { modules, i, layer }
end

local split_inside

-- Two linear layers with nothing but element-wise ones between: columns, then rows.
local function split_sequence(sequence, job)
   local modules, i = sequence.modules, 1
   while i <= #modules do
      local k = torch.typename(modules[i]) == 'nn.Linear' and enough(modules[i], job)
         and partner(modules, i)
      if k then
         put(job, modules, i, job.split.columns(modules[i], job, true))
         put(job, modules, k, job.split.rows(modules[k], job, true))
         for between = i + 1, k - 1 do
            put(job, modules, between, job.split.between(modules[between], job))
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
      if enough(module, job) then
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
local function check_ties(module, cuts)
   local users = {}
   for _, t in ipairs(nested.append({}, (module:parameters()))) do
      local key = t:nElement() > 0 and parts.key(t)
      local cut = key and cuts[key]
      if cut then
         users[key] = users[key] or { t = t, count = 0 }
         users[key].count = users[key].count + 1
      end
   end
   for key, user in pairs(users) do
      if user.count ~= cuts[key].count then
         parts.refuse_tie(user.t)
      end
   end
end

local function check_devices(settings)
   if settings.group then
      options.fail('distributed.split: devices are those of one process, and group are ranks: give '
         .. 'one of the two')
   elseif #settings.devices == 0 then
      options.fail('distributed.split: devices is an empty list, expected one such as { 1, 2 }')
   end
   for i, device in ipairs(settings.devices) do
      options.value('distributed.split', ('device %d of the list'):format(i), device, 'count')
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
-- With `devices` the parts are on devices of this process: a distributed.Parts stands in the
-- layer's place, and its output is on the first of them. Make the network on the CPU; it moves with
-- `net:cuda()`, what is not split to the current device, which has to be the first of the list.
-- Then `getParameters` gives lists: a vector for each device.
--
-- `distributed.whole` puts layers together again, for saving.
-- @tparam nn.Module module nn.Linear, nn.LookupTable, nn.MultiHeadAttention, or a network
-- @tab[opt] settings by: 'columns' (the default) or 'rows', of a single nn.Linear; group: the
-- ranks; devices: those of this process, instead of ranks
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
   local name = torch.typename(module)
   if settings.devices then
      check_devices(settings)
   else
      distributed.synchronize(module, { group = settings.group })
   end
   local job = new_job(settings)
   if SPLIT[name] then
      local fits, units, count = enough(module, job, settings.by)
      if not fits then
         options.fail('distributed.split: a %s has %d %s, and there are %d %s', name, count,
            units, job.size, job.devices and 'devices' or 'ranks')
      end
      return SPLIT[name](module, job, settings.by)
   end
   split_inside({ module }, 1, job)
   if #job.places == 0 then
      options.fail('distributed.split: a %s cannot be split; nn.Linear, nn.LookupTable, '
         .. 'nn.MultiHeadAttention and networks with such layers can, if they have an output, row '
         .. 'or head for each %s', name, job.devices and 'device' or 'rank')
   end
   for _, cuts in ipairs(job.cuts) do
      check_ties(module, cuts)
   end
   for _, place in ipairs(job.places) do
      place[1][place[2]] = place[3]
   end
   return module
end
