--- From a net to a graph: each layer is run on what the layers before it made of the sample, and
-- its exporter writes nodes for it.
-- @module onnx.export.walk
local torch = require 'torch'
local registry = require 'torch.class.registry'
local Graph = require 'onnx.export.Graph'

local M = {}

--- Exporters of layers: class -> function(g, layer, x, y) that returns the name of what comes out,
-- or a table of names; x is the value that goes in or a table of values, y the tensor that comes
-- out.
M.layers = {}
--- Exporters of containers: class -> function(g, container, x, export) that returns values;
-- export(module, x, key) writes a module within.
M.containers = {}
--- class -> why it cannot be exported.
M.refused = {}

-- What a class has of its own.
local COMPUTES = { 'updateOutput', '__computeOutput' }

-- The nearest class with an exporter that computes as this one does.
local function exporter(class)
   local found = torch.getmetatable(class)
   while found do
      local name = found.__typename:gsub('^cudnn%.', 'nn.') -- the same layers by other names
      if M.layers[name] or M.containers[name] or M.refused[name] then
         return M.layers[name], M.containers[name], M.refused[name]
      end
      for _, method in ipairs(COMPUTES) do
         if rawget(found, method) then
            return nil
         end
      end
      found = registry.parents[found]
   end
end

local function tensors(x)
   if Graph.isValue(x) then
      return x.tensor:clone()
   end
   local copy = {}
   for key, value in pairs(x) do
      copy[key] = tensors(value)
   end
   return copy
end

-- Names as values, with the tensors that the layer gave.
local function values(g, names, y)
   if Graph.isValue(names) then
      return names
   elseif type(names) == 'string' then
      return g:value(names, y:clone())
   end
   local list = {}
   for key, name in pairs(names) do
      list[key] = values(g, name, y and y[key])
   end
   return list
end

--- Write a module.
-- @param g the graph
-- @param module
-- @param x value or table of values
-- @param[opt] key its place in the container
-- @return value or table of values
function M.module(g, module, x, key)
   local class = torch.type(module)
   if key then
      g.path[#g.path + 1] = tostring(rawget(module, 'name') or key)
   end
   local outer = g.class
   g.class = class
   local layer, container, refused = exporter(class)
   local result
   if layer then
      local y = module:forward(tensors(x))
      result = values(g, layer(g, module, x, y), y)
   elseif container then
      result = container(g, module, x, function(inner, given, place)
         return M.module(g, inner, given, place)
      end)
   else
      g:refuse('%s', refused or 'there is no exporter for this class; onnx.layers takes one')
   end
   g.class = outer
   if key then
      g.path[#g.path] = nil
   end
   return result
end

return M
