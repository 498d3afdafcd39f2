--- A sequence cut into parts that need about as much memory each.
-- @module nn.containers.balance

local torch = require 'torch'
local nn = require 'nn'
local nested = require 'nn.nested'
local options = require 'torch.options'

local M = {}

-- A parameter, its gradient, and Adam's two moments.
local OF_A_PARAMETER = 4

local OF_A_SEQUENCE = { 'forward', 'backward', 'updateOutput', 'updateGradInput',
   'accGradParameters', 'accUpdateGradParameters', '__pass' }

-- The name of a method that is not nn.Sequential's, nil where all are: parts would not call it.
local function own_method(net)
   for _, name in ipairs(OF_A_SEQUENCE) do
      if net[name] ~= nn.Sequential[name] then
         return name
      end
   end
end

--- The layers of a sequence; sequences in it count by theirs.
-- @tparam nn.Sequential sequence
-- @return list
function M.layers(sequence, list)
   list = list or {}
   for _, module in ipairs(sequence.modules) do
      if torch.typename(module) == 'nn.Sequential' and not own_method(module) then
         M.layers(module, list)
      else
         list[#list + 1] = module
      end
   end
   return list
end

local function bytes(tensors)
   local sum = 0
   for _, t in ipairs(tensors) do
      sum = sum + t:nElement() * t:elementSize()
   end
   return sum
end

-- Of what modules inside leave behind, too: backward reads it.
local function bytes_of_outputs(layer)
   local seen, sum = {}, 0
   layer:apply(function(module)
      for _, t in ipairs(nested.tensors(module.output)) do
         local storage = t:storage()
         local key = storage and tonumber(torch.pointer(storage))
         if key and not seen[key] then
            seen[key], sum = true, sum + bytes { t }
         end
      end
   end)
   return sum
end

-- f() in evaluation: nothing is drawn, no statistics change.
local function evaluated(layers, f)
   local before = {}
   for _, layer in ipairs(layers) do
      layer:apply(function(module)
         before[module] = { module.train }
      end)
      layer:evaluate()
   end
   local ok, result = pcall(f)
   for module, train in pairs(before) do
      module.train = train[1]
   end
   if not ok then
      error(result, 0)
   end
   return result
end

--- Bytes that each layer needs in training: parameters with gradients and Adam's moments, and, if
-- there is an input, outputs with their gradients.
-- @tab layers
-- @param[opt] input of the first
-- @return list of numbers
function M.costs(layers, input)
   local costs = {}
   for i, layer in ipairs(layers) do
      costs[i] = OF_A_PARAMETER * bytes(nested.append({}, (layer:parameters())))
   end
   if input == nil then
      return costs
   end
   return evaluated(layers, function()
      local x = input
      for i, layer in ipairs(layers) do
         x = layer:forward(x)
         costs[i] = costs[i] + 2 * bytes_of_outputs(layer)
      end
      for _, layer in ipairs(layers) do
         layer:clearState()
      end
      return costs
   end)
end

--- Cut a list of costs into parts of neighbours, so that the largest part is as small as it can be.
-- @tab costs
-- @int parts at most as many as costs
-- @return list: how many neighbours each part has, 1 at least
function M.cut(costs, parts)
   local n, before = #costs, { [0] = 0 }
   for i = 1, n do
      before[i] = before[i - 1] + costs[i]
   end
   -- least[k][i]: the largest of k parts of the first i, at its smallest; from[k][i]: where its
   -- last part begins.
   local least, from = { {} }, { {} }
   for i = 1, n do
      least[1][i], from[1][i] = before[i], 1
   end
   for k = 2, parts do
      least[k], from[k] = {}, {}
      for i = k, n do
         for first = k, i do
            local largest = math.max(least[k - 1][first - 1], before[i] - before[first - 1])
            if not least[k][i] or largest <= least[k][i] then -- an activation stays with its layer
               least[k][i], from[k][i] = largest, first
            end
         end
      end
   end
   local counts, last = {}, n
   for k = parts, 1, -1 do
      local first = from[k][last]
      counts[k], last = last - first + 1, first - 1
   end
   return counts
end

local function check_counts(title, counts, parts, layers)
   local sum = 0
   for i, count in ipairs(counts) do
      sum = sum + options.value(title, ('layers[%d]'):format(i), count, 'count')
   end
   if #counts ~= parts or sum ~= layers then
      options.fail('%s: layers is { %s }, expected %d numbers with the sum %d: the net has %d '
         .. 'layers', title, table.concat(counts, ', '), parts, layers, layers)
   end
   return counts
end

-- A tensor that two parts have would be in two places.
local function check_apart(title, parts)
   local home = {}
   for i, part in ipairs(parts) do
      for _, t in ipairs(nested.append({}, (part:parameters()))) do
         local key = t:nElement() > 0 and ('%s %d'):format(torch.pointer(t:storage()),
            t:storageOffset()) or t
         if (home[key] or i) ~= i then
            options.fail('%s: parts %d and %d share parameters; layers = { ... } can leave them in '
               .. 'one part', title, home[key], i)
         end
         home[key] = i
      end
   end
end

-- `getParameters` of the whole has put all into one memory: each part gets its own.
local function separate(parts)
   local home, shared = {}, false
   for i, part in ipairs(parts) do
      for _, t in ipairs(nested.append({}, (part:parameters()))) do
         local key = t:nElement() > 0 and tostring(torch.pointer(t:storage())) or t
         shared = shared or (home[key] or i) ~= i
         home[key] = i
      end
   end
   for _, part in ipairs(shared and parts or {}) do
      part:getParameters()
   end
end

--- The parts of a sequence.
-- @string title for messages
-- @param net an nn.Sequential
-- @int parts how many
-- @tab settings layers: how many each part has, or nil; input: a batch to measure outputs by, or
-- nil
-- @string what the parts are for, in the error
-- @return list of nn.Sequential, with the net's own layers
-- @raise "nn.Placed: the net has 3 layers, and there are 4 devices"
function M.parts(title, net, parts, settings, what)
   if not torch.isTypeOf(net, 'nn.Sequential') then
      options.fail('%s: expected an nn.Sequential, whose layers can be parted, got %s', title,
         options.describe(net))
   end
   local method = own_method(net)
   if method then
      options.fail('%s: the %s has a method %s of its own, which parts of it would not call; put '
         .. 'it into an nn.Sequential, as one layer', title, torch.typename(net), method)
   end
   local layers = M.layers(net)
   if #layers < parts then
      options.fail('%s: the net has %d layers, and there are %d %s; a container other than an '
         .. 'nn.Sequential is one layer', title, #layers, parts, what)
   end
   local counts = settings.layers and check_counts(title, settings.layers, parts, #layers)
      or M.cut(M.costs(layers, settings.input), parts)
   local list, at = {}, 0
   for i, count in ipairs(counts) do
      list[i] = nn.Sequential()
      for k = at + 1, at + count do
         list[i]:add(layers[k])
      end
      list[i]._type = layers[at + 1]:type()
      at = at + count
   end
   check_apart(title, list)
   separate(list)
   return list
end

return M
