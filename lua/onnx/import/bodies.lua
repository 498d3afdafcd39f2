--- Graphs within nodes: what If, Loop and Scan have in common. What such a graph reads of those
-- around it becomes an input of its node's module, unless it is a constant.
--
-- `outside` has the steps and the known values of the graph around, and what reads a graph.
-- @module onnx.import.bodies
local assemble = require 'onnx.import.assemble'
local models = require 'onnx.import.model'
local tools = require 'onnx.operators.tools'

local M = {}

-- What a value that graphs within a node read counts of the elements that a file of this size may
-- make: it is an input of each of the nets around it, however deep these are.
local READ = 32

-- Names that a graph reads and does not give itself, in their order, into a list.
local function add_free(graph, list, seen, own)
   own = setmetatable({}, { __index = own })
   for _, part in ipairs { graph.initializer or {}, graph.input or {} } do
      for _, one in ipairs(part) do
         own[one.name or ''] = true
      end
   end
   local function reads(name)
      if name ~= '' and not own[name] and not seen[name] then
         seen[name] = true
         list[#list + 1] = name
      end
   end
   for _, node in ipairs(graph.node or {}) do
      for _, name in ipairs(node.input or {}) do
         reads(name)
      end
      for _, inner in ipairs(models.graphs(node)) do
         add_free(inner, list, seen, own)
      end
      for _, name in ipairs(node.output or {}) do
         own[name] = true
      end
   end
   for _, info in ipairs(graph.output or {}) do
      reads(info.name or '')
   end
end

local function free_of(graphs)
   local list, seen = {}, {}
   for _, graph in ipairs(graphs) do
      add_free(graph, list, seen, {})
   end
   return list
end

--- The names that graphs within a node read of those around it; nil for nodes without graphs.
function M.free(node)
   local graphs = models.graphs(node)
   return #graphs > 0 and free_of(graphs) or nil
end

--- Names of values around a node that graphs within it read, as steps know them, each once;
-- constants are not among them.
function M.captured(n, outside, graphs, first)
   local list, seen = {}, {}
   for _, name in ipairs(first or {}) do
      seen[name] = true
   end
   for _, name in ipairs(free_of(graphs)) do
      local found = outside.known[name]
      if not found then
         n:fail("a graph within it reads '%s', which no node before it gives", name)
      end
      local as = found.as or name
      if not found.constant and not seen[as] then
         tools.spend(READ)
         seen[as] = true
         list[#list + 1] = as
      end
   end
   return list
end

--- A graph that an attribute of a node is.
function M.graph_of(n, name)
   local graph = n.a[name] or n:fail("it has no graph '%s'", name)
   models.check_graph(graph)
   return graph
end

--- A graph as a net of `inputs`.
-- @return the net; of each output the rank, known or declared, or false; and the type, or false
function M.net_of(outside, graph, known, inputs)
   local steps
   steps, known = outside.read(outside.context, graph, known, inputs)
   local outputs = outside.outputs(outside.context, graph, known, steps, inputs)
   local ranks, types = {}, {}
   for i, info in ipairs(graph.output) do
      local found = known[info.name or '']
      ranks[i], types[i] = found.rank or models.rank(info) or false, found.type or false
   end
   return assemble.net(steps, inputs, outputs), ranks, types
end

--- What is known within: what is known around, and more.
function M.child(known)
   return setmetatable({}, { __index = known })
end

--- A node's name, if it has one.
function M.title_of(n)
   return n.node.name ~= '' and n.node.name or nil
end

--- Note what is known of a node's outputs.
function M.give(n, outside, ranks, types)
   for i, name in ipairs(n.node.output) do
      if name ~= '' then
         outside.known[name] = { rank = ranks[i] or nil, type = types[i] or nil }
      end
   end
end

--- A node's module as a step of the graph around.
function M.add_step(n, outside, module, inputs)
   outside.steps[#outside.steps + 1] = { module = module, inputs = inputs, outputs = n.node.output,
      name = M.title_of(n), kind = n.kind }
end

--- Raise unless a node has as many outputs as its graph gives.
function M.check_outputs(n, given, wanted)
   if given ~= wanted then
      n:fail('it has %d outputs, and the graph within gives %d', wanted, given)
   end
end

return M
