--- Weights from files of named tensors, such as PyTorch's, into a network.
-- @module torch.train.finetune.weights

local torch = require 'torch'
local near = require 'torch.near'
local shapes = require 'torch.functions.shapes'
local options = require 'torch.options'
local train = require 'torch.train.module'

local KNOWN = { map = 'any', strict = 'boolean' }

-- The name in the file for one of ours: by a table, a list of { pattern, replacement }, or a
-- function.
local function renamed(name, map)
   if type(map) == 'function' then
      return map(name) or name
   elseif map and map[1] then
      for _, rule in ipairs(map) do
         local changed, count = name:gsub(rule[1], rule[2])
         if count > 0 then
            return changed
         end
      end
   elseif map then
      return map[name] or name
   end
   return name
end

-- A map is used for every name, and would fail far from where it was written.
local function check_map(title, map)
   local good = map == nil or type(map) == 'function' or type(map) == 'table'
   for _, rule in ipairs(type(map) == 'table' and map or {}) do
      good = good and type(rule) == 'table' and type(rule[1]) == 'string' and rule[2] ~= nil
   end
   if not good then
      options.fail("%s: map is %s, expected { ['1.weight'] = 'fc.weight' }, a list of { pattern, "
         .. 'replacement }, or a function of our name', title, type(map) == 'table'
         and 'a list of other things' or options.describe(map))
   end
end

local function read(weights)
   if type(weights) == 'table' and not torch.typename(weights) then
      return weights, 'the weights'
   elseif type(weights) ~= 'string' then
      options.fail('train.loadWeights: the weights are %s, expected the name of a file, or a table '
         .. 'of tensors by name', options.describe(weights))
   end
   local reader = weights:match '%.pth?$' and 'pth' or 'safetensors'
   return require(reader).load(weights), "'" .. weights .. "'"
end

-- Sizes that differ in leading or trailing ones only hold the same elements in the same order.
local function squeezed(t)
   local sizes = {}
   for d = 1, t:dim() do
      if t:size(d) ~= 1 then
         sizes[#sizes + 1] = t:size(d)
      end
   end
   return table.concat(sizes, 'x')
end

-- Of as many dimensions they are of one order only where sizes are the same: 1 x 4 is not 4 x 1.
local function fits(own, given)
   if own:dim() == given:dim() then
      return own:isSameSizeAs(given)
   end
   return squeezed(own) == squeezed(given)
end

local function copy(entry, given, key, where)
   local own = entry.tensor
   if not torch.isTensor(given) then
      options.fail('train.loadWeights: %s in %s is %s, expected a tensor', key, where,
         options.describe(given))
   elseif not fits(own, given) then
      options.fail('train.loadWeights: %s is %s, %s in %s is %s', entry.name, shapes.text(own),
         key, where,
         shapes.text(given))
   end
   own:copy(given)
end

-- What to do about a name that a file lacks.
local function advice(key, tensors, map)
   for name in pairs(map == nil and tensors or {}) do
      if type(name) == 'string' and ('.' .. name):find('.0.', 1, true) then
         return "; the file counts layers from 0, as PyTorch does: { map = function(name) return "
            .. "(name:gsub('%f[%w_]%d+%f[.]', function(i) return i - 1 end)) end } names ours so"
      end
   end
   return near.hint(key, tensors)
end

--- Read weights by name: a PyTorch model's state_dict saved as safetensors, say.
--
-- A linear layer's and a convolution's weights have the same order in PyTorch and here, so that
-- names are all that differs: `map` makes the file's names of ours. PyTorch counts the layers of a
-- Sequential from 0, and we from 1: the second example reads such a file.
-- @param model nn.Module; its tensors are written to, all or (where something does not fit) none
-- @param weights path of a .safetensors file or of a .pth file of a state_dict, or table of tensors
-- by name
-- @tab[opt] settings map: our name -> the file's: a table, a list of { Lua pattern, replacement }
-- of which the first that matches counts, or a function; strict (true): whether every tensor of the
-- network has to be in the file
-- @return list of our names that were read, list of the file's that were not used
-- @raise "train.loadWeights: 1.weight is 10x3, fc.weight in 'x.safetensors' is 10x4"
-- @example
-- local nn, train = require 'nn', require 'torch.train'
-- local net = nn.Sequential():add(nn.Linear(3, 2))
-- local file = { ['fc.weight'] = torch.ones(2, 3), ['fc.bias'] = torch.zeros(2) }
-- train.loadWeights(net, file, { map = { { '^1%.', 'fc.' } } })
-- net:forward(torch.ones(3)) --> { 3, 3 }
--
-- net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
-- file = { ['0.weight'] = torch.ones(4, 3), ['0.bias'] = torch.zeros(4),
--    ['2.weight'] = torch.ones(2, 4), ['2.bias'] = torch.zeros(2) }
-- local function from_zero(name)
--    return (name:gsub('%f[%w_]%d+%f[.]', function(i) return i - 1 end))
-- end
-- train.loadWeights(net, file, { map = from_zero })
-- net:forward(torch.ones(3)) --> { 12, 12 }
function train.loadWeights(model, weights, settings)
   settings = options.check('train.loadWeights', settings or {}, KNOWN)
   check_map('train.loadWeights', settings.map)
   local tensors, where = read(weights)
   local found, used, pairs_of = {}, {}, {}
   for _, entry in ipairs(train.tensors(model)) do
      local key = renamed(entry.name, settings.map)
      local given = tensors[key]
      if given == nil and settings.strict ~= false then
         options.fail('train.loadWeights: there is no %s in %s, for %s%s; strict = false leaves '
            .. 'such as they are', key, where, entry.name, advice(key, tensors, settings.map))
      elseif given ~= nil then
         pairs_of[#pairs_of + 1] = { entry, given, key }
         found[#found + 1], used[key] = entry.name, true
      end
   end
   for _, pair in ipairs(pairs_of) do -- nothing is written before everything fits
      local own, given = pair[1].tensor, pair[2]
      if not torch.isTensor(given) or not fits(own, given) then
         copy(pair[1], given, pair[3], where)
      end
   end
   for _, pair in ipairs(pairs_of) do
      copy(pair[1], pair[2], pair[3], where)
   end
   local unused = {}
   for key in pairs(tensors) do
      unused[#unused + 1] = not used[key] and key or nil
   end
   table.sort(unused)
   return found, unused
end

--- The tensors of a network by their names, as `train.loadWeights` and safetensors.save take them.
-- @param model nn.Module
-- @tab[opt] settings map: our name -> the one wanted, as train.loadWeights has it
-- @return table of tensors by name
-- @raise "train.weights: 1.weight and 2.weight would both be named fc.weight"
-- @usage safetensors.save('net.safetensors', train.weights(net))
-- safetensors.save('state.safetensors', train.weights(net, { map = { { '^1%.', 'fc.' } } }))
-- @example
-- local nn, train = require 'nn', require 'torch.train'
-- #train.weights(nn.Sequential():add(nn.Linear(3, 2)))['1.weight'] --> { 2, 3 }
function train.weights(model, settings)
   settings = options.check('train.weights', settings or {}, { map = 'any' })
   check_map('train.weights', settings.map)
   local tensors, owner = {}, {}
   for _, entry in ipairs(train.tensors(model)) do
      local name = renamed(entry.name, settings.map)
      if owner[name] then
         options.fail('train.weights: %s and %s would both be named %s', owner[name], entry.name,
            name)
      end
      tensors[name], owner[name] = entry.tensor, entry.name
   end
   return tensors
end
