--- If: the graph that its truth chooses, or an onnx.If where that is computed.
-- @module onnx.import.branches
local onnx = require 'onnx'
local assemble = require 'onnx.import.assemble'
local bodies = require 'onnx.import.bodies'
local models = require 'onnx.import.model'
local tools = require 'onnx.operators.tools'

-- What is known of a value under another name.
local function kept(found, name)
   local copy = {}
   for key, value in pairs(found) do
      copy[key] = value
   end
   copy.as = not found.constant and (found.as or name) or nil
   return copy
end

-- Its truth is known: the outputs are those of one graph.
local function decided(n, outside, graph)
   bodies.check_outputs(n, #graph.output, #n.node.output)
   local names = bodies.captured(n, outside, { graph })
   if #names == 0 then
      names[1] = outside.inputs[1]
   end
   local steps, known = outside.read(outside.context, graph, bodies.child(outside.known), names)
   local left, places = {}, {}
   for i, info in ipairs(graph.output) do
      local name, found = n.node.output[i], known[info.name or '']
      if not found then
         n:fail("no node of its graph gives the output '%s'", info.name or '?')
      elseif name ~= '' then
         local keeps = found.constant or rawget(known, info.name or '') == nil
         outside.known[name] = keeps and kept(found, info.name)
            or { rank = found.rank or models.rank(info), sizes = found.sizes, type = found.type }
         if not keeps then
            left[#left + 1], places[#places + 1] = found.as or info.name, name
         end
      end
   end
   if #left > 0 then
      outside.steps[#outside.steps + 1] = { module = assemble.net(steps, names, left),
         inputs = names, outputs = places, name = bodies.title_of(n), kind = n.kind }
   end
end

return function(n, outside)
   local yes, no = bodies.graph_of(n, 'then_branch'), bodies.graph_of(n, 'else_branch')
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
   for _, name in ipairs(bodies.captured(n, outside, { yes, no }, inputs)) do
      inputs[#inputs + 1] = name
   end
   local nets, ranks, types = {}, {}, {}
   for k, graph in ipairs { yes, no } do
      bodies.check_outputs(n, #graph.output, #n.node.output)
      nets[k], ranks[k], types[k] = bodies.net_of(outside, graph, bodies.child(outside.known),
         inputs)
   end
   for i, rank in ipairs(ranks[1]) do
      ranks[1][i] = rank == ranks[2][i] and rank
   end
   bodies.add_step(n, outside, onnx.If(nets[1], nets[2]), inputs)
   bodies.give(n, outside, ranks[1], types[1])
end
