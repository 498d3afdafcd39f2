--- Graphs within nodes: If, Loop and Scan, as modules whose nets they are. What such a graph reads
-- of those around it becomes an input of its module, unless it is a constant.
--
-- Each is function(n, outside), where `outside` has the steps and the known values of the graph
-- around, and what reads a graph.
-- @module onnx.import.bodies
local onnx = require 'onnx'
local assemble = require 'onnx.import.assemble'
local models = require 'onnx.import.model'
local tools = require 'onnx.operators.tools'

local M = {}

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

-- Names of values around a node that graphs within it read, as steps know them, each once;
-- constants are not among them.
local function captured(n, outside, graphs, first)
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
         seen[as] = true
         list[#list + 1] = as
      end
   end
   return list
end

local function graph_of(n, name)
   local graph = n.a[name] or n:fail("it has no graph '%s'", name)
   models.check_graph(graph)
   return graph
end

-- A graph as a net of `inputs`; for each output its rank or false, and whether it is whole.
local function net_of(outside, graph, known, inputs)
   local steps
   steps, known = outside.read(outside.context, graph, known, inputs)
   local outputs = outside.outputs(graph, known, steps, inputs)
   local ranks, whole = {}, {}
   for i, info in ipairs(graph.output) do
      local found = known[info.name or '']
      ranks[i], whole[i] = found.rank or false, found.whole
   end
   return assemble.net(steps, inputs, outputs), ranks, whole
end

local function child(known)
   return setmetatable({}, { __index = known })
end

local function title_of(n)
   return n.node.name ~= '' and n.node.name or nil
end

-- What is known of a node's outputs.
local function give(n, outside, ranks, whole)
   for i, name in ipairs(n.node.output) do
      if name ~= '' then
         outside.known[name] = { rank = ranks[i] or nil, whole = whole[i] }
      end
   end
end

local function add_step(n, outside, module, inputs)
   outside.steps[#outside.steps + 1] = { module = module, inputs = inputs, outputs = n.node.output,
      name = title_of(n), kind = n.kind }
end

local function check_outputs(n, given, wanted)
   if given ~= wanted then
      n:fail('it has %d outputs, and the graph within gives %d', wanted, given)
   end
end

-- --- If ------------------------------------------------------------------------------------------

-- Its truth is known: the outputs are those of one graph.
local function decided(n, outside, graph)
   check_outputs(n, #graph.output, #n.node.output)
   local names = captured(n, outside, { graph })
   if #names == 0 then
      names[1] = outside.inputs[1]
   end
   local steps, known = outside.read(outside.context, graph, child(outside.known), names)
   local left, places = {}, {}
   for i, info in ipairs(graph.output) do
      local name, found = n.node.output[i], known[info.name or '']
      if not found then
         n:fail("no node of its graph gives the output '%s'", info.name or '?')
      elseif name ~= '' then
         local keeps = found.constant or rawget(known, info.name or '') == nil
         outside.known[name] = keeps and setmetatable({ as = not found.constant
            and (found.as or info.name) or nil }, { __index = found })
            or { rank = found.rank, sizes = found.sizes, whole = found.whole }
         if not keeps then
            left[#left + 1], places[#places + 1] = found.as or info.name, name
         end
      end
   end
   if #left > 0 then
      outside.steps[#outside.steps + 1] = { module = assemble.net(steps, names, left),
         inputs = names, outputs = places, name = title_of(n), kind = n.kind }
   end
end

function M.If(n, outside)
   local yes, no = graph_of(n, 'then_branch'), graph_of(n, 'else_branch')
   if n:isConstant(1) then
      local truth = n:constant(1)
      if not truth or truth:nElement() ~= 1 then
         n:fail 'its truth is not one element'
      end
      return decided(n, outside, tools.number(truth) ~= 0 and yes or no)
   elseif not n:has(1) then
      n:fail 'it has no truth'
   end
   local inputs = { outside.known[n.names[1]].as or n.names[1] }
   for _, name in ipairs(captured(n, outside, { yes, no }, inputs)) do
      inputs[#inputs + 1] = name
   end
   local nets, ranks, whole = {}, {}, {}
   for k, graph in ipairs { yes, no } do
      check_outputs(n, #graph.output, #n.node.output)
      nets[k], ranks[k], whole[k] = net_of(outside, graph, child(outside.known), inputs)
   end
   for i, rank in ipairs(ranks[1]) do
      ranks[1][i] = rank == ranks[2][i] and rank
   end
   add_step(n, outside, onnx.If(nets[1], nets[2]), inputs)
   give(n, outside, ranks[1], whole[1])
end

-- --- Loop and Scan -------------------------------------------------------------------------------

-- The name of an operand; a constant gets a step that gives it.
local function value(n, outside, i)
   if not n:has(i) then
      n:fail('its operand %d is missing', i)
   elseif not n:isConstant(i) then
      return outside.known[n.names[i]].as or n.names[i]
   elseif not n:constant(i) then
      n:fail('its operand %d has no elements', i)
   end
   local name = ('%s, operand %d of %s'):format(n.names[i], i, n.node.output[1])
   outside.steps[#outside.steps + 1] = { module = outside.constant(n:constant(i)),
      inputs = { outside.inputs[1] }, outputs = { name } }
   return name
end

-- A round's number, or the truth at the beginning: 'input', what it is, or nil.
local function bound(n, i)
   if not n:has(i) then
      return nil
   elseif not n:isConstant(i) then
      return 'input'
   end
   local t = n:constant(i)
   return t and tools.number(t) or n:fail('its operand %d has no elements', i)
end

local function check_names(n, names)
   local seen = {}
   for _, name in ipairs(names) do
      if seen[name] then
         n:fail("the graph within has two inputs '%s'", name)
      end
      seen[name] = true
   end
end

local function axis_of(list, k)
   return list and list[k] or 0
end

local function repeated(n, outside, first, scans)
   local body, counted = graph_of(n, 'body'), n.kind == 'Loop'
   local formal, a = body.input or {}, n.a
   local leading = counted and 2 or 0
   local states = #formal - leading - scans
   local sums = #body.output - (counted and 1 or 0) - states
   if states < 0 or sums < 0 or n.count - first + 1 ~= states + scans then
      n:fail('it has %d operands, and the graph within %d inputs and %d outputs', n.count, #formal,
         #body.output)
   end
   check_outputs(n, states + sums, #n.node.output)
   local options = { counted = counted, states = states, slices = {}, sums = {} }
   local inputs, known, within = {}, child(outside.known), {}
   if counted then
      options.rounds, options.truth = bound(n, 1), bound(n, 2)
      if options.truth ~= nil and options.truth ~= 'input' then
         options.truth = options.truth ~= 0
      end
      for i = 1, 2 do
         inputs[#inputs + 1] = bound(n, i) == 'input' and value(n, outside, i) or nil
      end
   end
   for k, info in ipairs(formal) do
      local name, i = info.name or '', k - leading
      local from = i > 0 and n.operands[first + i - 1]
      local rank = models.rank(info) or (i < 1 and 0) or i > states and from.rank and from.rank - 1
         or nil
      known[name] = { rank = rank, whole = i < 1 or from and from.whole }
      within[k] = name
      if i > 0 then
         inputs[#inputs + 1] = value(n, outside, first + i - 1)
      end
      if i > states then
         options.slices[i - states] = { axis = axis_of(a.scan_input_axes, i - states),
            backwards = axis_of(a.scan_input_directions, i - states) == 1 }
      end
   end
   for _, name in ipairs(captured(n, outside, { body })) do
      inputs[#inputs + 1], within[#within + 1] = name, name
   end
   check_names(n, within)
   if #inputs == 0 then
      inputs[1], within[#within + 1] = outside.inputs[1], outside.inputs[1]
   end
   local net, ranks, whole = net_of(outside, body, known, within)
   local shift = counted and 1 or 0
   local given, are_whole = {}, {}
   for i = 1, states + sums do
      local rank = ranks[i + shift]
      local k = i - states
      given[i] = k < 1 and rank or rank and rank + 1
      are_whole[i] = whole[i + shift]
      if k > 0 then
         options.sums[k] = { axis = axis_of(a.scan_output_axes, k), number = rank == 0,
            backwards = axis_of(a.scan_output_directions, k) == 1 }
      end
   end
   add_step(n, outside, onnx.Loop(net, options), inputs)
   give(n, outside, given, are_whole)
end

function M.Loop(n, outside)
   repeated(n, outside, 3, 0)
end

function M.Scan(n, outside)
   repeated(n, outside, 1, n.a.num_scan_inputs or 0)
end

return M
