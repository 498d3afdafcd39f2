--- The tensors of a network by name: what is learnt, and the statistics that normalisations keep.
-- @module torch.train.names

local torch = require 'torch'
local nested = require 'nn.nested'
local train = require 'torch.train.module'
local options = require 'torch.options'
local sorted_keys = require 'xlua.sorted_keys'

local STATISTICS = { running_mean = true, running_var = true }

local function address(t)
   return tonumber(torch.pointer(t))
end

-- Handles of the parameters -> { gradient, position }.
local function parameters_of(model)
   local parameters, gradients = model:parameters()
   local list, slopes, by_address = nested.append({}, parameters or {}),
      nested.append({}, gradients or {}), {}
   for i, p in ipairs(list) do
      by_address[address(p)] = by_address[address(p)] or { gradient = slopes[i], place = i }
   end
   return list, by_address
end

-- Tensors in a module's own fields, and in plain tables there.
local function own_tensors(module, prefix, visit)
   for _, key in ipairs(sorted_keys(module)) do
      local value, name = rawget(module, key), prefix .. tostring(key)
      if torch.isTensor(value) then
         visit(name, value, key)
      elseif nested.is_table(value) and key ~= 'modules' and not value.modules then
         local plain = true
         for _, inner in pairs(value) do
            plain = plain and torch.isTensor(inner)
         end
         if plain then
            own_tensors(value, name .. '.', visit)
         end
      end
   end
end

--- The tensors of a network that training changes and a file of weights holds.
--
-- A name is the way there: places in containers, or the `name` of a module that has one, then the
-- field, such as '3.1.weight'. A tensor that is in several modules is named once.
-- @param model nn.Module
-- @return list of { name, tensor, gradient (nil for statistics), module, path }, in the order of
-- the modules; in each, by field
-- @example
-- local nn, train = require 'nn', require 'torch.train'
-- local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.BatchNormalization(2))
-- local names = {}
-- for i, entry in ipairs(train.tensors(net)) do names[i] = entry.name end
-- names --> { '1.bias', '1.weight', '2.bias', '2.running_mean', '2.running_var', '2.weight' }
function train.tensors(model)
   if not torch.isTypeOf(model, 'nn.Module') then
      options.fail('train.tensors: expected a network, got %s', options.describe(model))
   end
   local list, by_address = parameters_of(model)
   local found, taken, seen = {}, {}, {}
   local function walk(module, path)
      if seen[module] then
         return
      end
      seen[module] = true
      local prefix = path == '' and '' or path .. '.'
      own_tensors(module, prefix, function(name, tensor, key)
         local known = by_address[address(tensor)]
         if (known or STATISTICS[key]) and not taken[address(tensor)] then
            taken[address(tensor)] = true
            found[#found + 1] = { name = name, tensor = tensor, gradient = known and known.gradient,
               module = module, path = path }
         end
      end)
      for i, child in ipairs(module.modules or {}) do
         local name = rawget(child, 'name')
         walk(child, prefix .. (type(name) == 'string' and name or tostring(i)))
      end
   end
   walk(model, '')
   for i, p in ipairs(list) do -- those of modules that keep them elsewhere
      if not taken[address(p)] then
         taken[address(p)] = true
         found[#found + 1] = { name = 'parameter ' .. i, tensor = p,
            gradient = by_address[address(p)].gradient, module = model, path = '' }
      end
   end
   return found
end
