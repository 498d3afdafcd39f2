-- nn.Module: visiting a module and the modules inside it.

local torch = require 'torch'
local nn = require 'nn'

local Module = nn.Module
local check = require 'nn.check'
local callable = require('torch.options').callable

local function check_callback(module, name, callback)
   if not callable(callback) then
      check.fail(module, '%s wants a function of a module, got %s', name, check.given(callback))
   end
end

--- Call `callback(module)` for this module and then for each module inside, outermost first.
-- @func callback gets a module
-- @example
-- local n = 0
-- nn.Sequential():add(nn.Linear(3, 2)):add(nn.Tanh()):apply(function() n = n + 1 end)
-- n --> 3
function Module:apply(callback)
   check_callback(self, 'apply', callback)
   callback(self)
   for _, module in ipairs(self.modules or {}) do
      module:apply(callback)
   end
end

--- Find modules by class.
-- @string typename for example 'nn.Linear'
-- @param[opt] container the module that holds this one
-- @treturn table modules of that very class
-- @treturn table the containers that hold them, in the same order
-- @example
-- local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Tanh()):add(nn.Linear(2, 1))
-- #net:findModules 'nn.Linear' --> 2
function Module:findModules(typename, container)
   container = container or self
   local nodes, containers = {}, {}
   if torch.typename(self) == typename then
      nodes[1], containers[1] = self, container
   end
   for _, child in ipairs(self.modules or {}) do
      local found, holders = child:findModules(typename, self)
      for i, node in ipairs(found) do
         nodes[#nodes + 1] = node
         containers[#containers + 1] = holders[i]
      end
   end
   return nodes, containers
end

--- This module and all modules inside, outermost first.
-- @treturn table
-- @example
-- local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Tanh())
-- torch.type(net:listModules()[3]) --> 'nn.Tanh'
function Module:listModules()
   local list = {}
   self:apply(function(module)
      list[#list + 1] = module
   end)
   return list
end

--- Replace modules: `callback(module)` returns what shall stand in its place (itself, to keep it).
-- @func callback gets a module, before those inside it
-- @return what stands in the place of this module
-- @example
-- local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Tanh())
-- net:replace(function(module)
--    return torch.type(module) == 'nn.Tanh' and nn.ReLU() or module
-- end)
-- torch.type(net:get(2)) --> 'nn.ReLU'
function Module:replace(callback)
   check_callback(self, 'replace', callback)
   local out = callback(self)
   for i, module in ipairs(self.modules or {}) do
      self.modules[i] = module:replace(callback)
   end
   return out
end
