--- Functions that a file defines: their nodes in the place of the nodes that call them.
-- @module onnx.import.functions
local models = require 'onnx.import.model'
local tools = require 'onnx.operators.tools'

local M = {}

-- What a node or value that is written out, one in a list of names or attributes, and a new name
-- count of the elements that a file of this size may make, which have up to 8 bytes.
local COST, LISTED, NAME = 16, 1, 8

-- How many functions may be on the way into each other, and graphs, of which files themselves have
-- some 30.
local DEPTH, GRAPHS = 200, 60

local function key_of(domain, name, overload)
   return ('%s.%s.%s'):format(domain or '', name or '?', overload or '')
end

local function by_key(list)
   local found = {}
   for _, f in ipairs(list or {}) do
      found[key_of(f.domain, f.name, f.overload)] = f
   end
   return found
end

local function renamed(names, rename)
   local list = {}
   for i, name in ipairs(names or {}) do
      tools.spend(LISTED)
      list[i] = name == '' and '' or rename(name)
   end
   return list
end

local copy_node

-- A graph within a node of a function, its names and attributes as the call has them.
local function copy_graph(graph, rename, attributes)
   local function infos(list)
      local result = {}
      for i, info in ipairs(list or {}) do
         tools.spend(COST)
         result[i] = setmetatable({ name = rename(info.name or ''), source = info },
            { __index = info })
      end
      return result
   end
   local nodes = {}
   for i, node in ipairs(graph.node or {}) do
      nodes[i] = copy_node(node, rename, attributes)
   end
   return { name = graph.name, node = nodes, initializer = infos(graph.initializer),
      input = infos(graph.input), output = infos(graph.output),
      sparse_initializer = graph.sparse_initializer }
end

-- The attributes of a function's node: those that refer to one of the function are the call's, or
-- the function's own where it has one, or are left out. Schemas before ONNX 1.13 do not know of
-- functions' own, and then there is neither one nor a name.
local function copy_attributes(list, rename, given)
   local result = {}
   for _, attribute in ipairs(list or {}) do
      tools.spend(LISTED)
      local refers = attribute.ref_attr_name
      if refers and refers ~= '' then
         local value = given[refers]
         if value == nil then
            error(("the value that its functions give their attribute '%s' is not read: write it "
               .. 'where they are called'):format(refers), 0)
         end
         result[#result + 1] = value and setmetatable({ name = attribute.name },
            { __index = value }) or nil
      elseif type(attribute.g) == 'table' then
         result[#result + 1] = setmetatable({ g = copy_graph(attribute.g, rename, given) },
            { __index = attribute })
      else
         result[#result + 1] = attribute
      end
   end
   return result
end

function copy_node(node, rename, given)
   tools.spend(COST)
   return { op_type = node.op_type, domain = node.domain, overload = node.overload,
      name = node.name, input = renamed(node.input, rename), output = renamed(node.output, rename),
      attribute = copy_attributes(node.attribute, rename, given) }
end

-- How a call's names stand for a function's; others get the call's number in front, and count.
local function renaming(f, call, number)
   local known = {}
   tools.spend(LISTED * (#(f.input or {}) + #(f.output or {})))
   for i, name in ipairs(f.input or {}) do
      known[name] = (call.input or {})[i] or ''
   end
   for i, name in ipairs(f.output or {}) do
      local given = (call.output or {})[i] or ''
      if given ~= '' then
         known[name] = given
      end
   end
   return function(name)
      if not known[name] then
         tools.spend(NAME + #name / 8)
         known[name] = ('#%d.%s'):format(number, name)
      end
      return known[name]
   end
end

local function given_attributes(f, call)
   local given = {} -- false: may be left out
   tools.spend(LISTED * (#(f.attribute or {}) + #(f.attribute_proto or {})))
   for _, name in ipairs(f.attribute or {}) do
      given[name] = false
   end
   for _, list in ipairs { f.attribute_proto or {}, call.attribute or {} } do
      for _, attribute in ipairs(list) do
         given[attribute.name or ''] = attribute
      end
   end
   return given
end

-- Nodes with what they call in their places, into a list; `within`: the functions on the way, how
-- many these are, and how many graphs.
local function expand(context, nodes, within, result)
   for _, node in ipairs(nodes) do
      local key = key_of(node.domain, node.op_type, node.overload)
      local f = context.functions[key]
      if not f then
         for _, graph in ipairs(models.graphs(node)) do
            if within.graphs == GRAPHS then
               error(('graphs are within each other more than %d deep'):format(GRAPHS), 0)
            end
            within.graphs = within.graphs + 1
            graph.node = expand(context, graph.node or {}, within, {})
            within.graphs = within.graphs - 1
         end
         result[#result + 1] = node
      elseif within[key] then
         error(('the function %s calls itself'):format(f.name or '?'), 0)
      elseif within.depth == DEPTH then
         error(('functions call each other %d deep, down to %s: no more are read'):format(DEPTH,
            f.name or '?'), 0)
      else
         context.calls = context.calls + 1
         local rename, given = renaming(f, node, context.calls), given_attributes(f, node)
         local copies = {}
         for i, inner in ipairs(f.node or {}) do
            copies[i] = copy_node(inner, rename, given)
         end
         within[key], within.depth = true, within.depth + 1
         expand(context, copies, within, result)
         within[key], within.depth = nil, within.depth - 1
      end
   end
   return result
end

--- Write a model's functions out, in place.
function M.expand(model)
   local functions = by_key(model.functions)
   if next(functions) then
      local graph = model.graph
      graph.node = expand({ functions = functions, calls = 0 }, graph.node or {},
         { depth = 0, graphs = 0 }, {})
   end
end

return M
