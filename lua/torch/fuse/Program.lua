--- What a text of torch.fuse computes: its arguments, its results, and the graph between them.
-- @module torch.fuse.Program
local functions = require 'torch.fuse.functions'
local Graph = require 'torch.fuse.Graph'
local near = require 'torch.near'
local parse = require 'torch.fuse.parse'
local raise = require('torch.errors').raise
local text = require 'torch.fuse.text'

local Program = {}
Program.__index = Program

-- A list as a set of its values.
local function set(list)
   local values = {}
   for i, value in ipairs(list) do
      values[value] = i
   end
   return values
end

-- Every value that is made is used, or a result: otherwise a name is written wrongly.
local function checkUse(source, statements, uses, results)
   local wanted, last = set(results), {}
   for i, statement in ipairs(statements) do
      last[statement.name] = i
   end
   for i, statement in ipairs(statements) do
      local isResult = wanted[statement.name] and last[statement.name] == i
      if not uses[i] and not isResult then
         text.refuse(source, statement.at, ("'%s' is made here and never used; name it among the "
            .. 'results, as in torch.fuse(text, { results = { %q } })'):format(statement.name,
            statement.name))
      end
   end
end

--- Read a text.
-- @param source string
-- @param[opt] results list of names; the last one made
-- @param[opt] arguments list of names; those that are read before they are made, in that order
function Program.read(source, results, arguments)
   local statements = parse.statements(source)
   local self = setmetatable({
      source = source, graph = Graph.new(), arguments = {}, outputs = {},
      results = results or { statements[#statements].name },
   }, Program)
   local made, maker, places, uses = {}, {}, {}, {} -- made: name -> node; maker: its statement
   for i, name in ipairs(arguments or {}) do
      self.arguments[i], places[name] = name, i
   end
   local function refuse(at, message)
      text.refuse(source, at, message)
   end
   local function value(tree)
      local name = tree.name
      if made[name] then
         uses[maker[name]] = true
         return made[name]
      elseif not places[name] and functions.constants[name] then
         return self.graph:number(functions.constants[name])
      elseif not places[name] then
         if arguments then
            local known = set(arguments)
            for other in pairs(made) do
               known[other] = true
            end
            refuse(tree.at, ("'%s' is not made before this place, and none of the arguments %s%s")
               :format(name, table.concat(arguments, ', '), near.hint(name, known)))
         end
         self.arguments[#self.arguments + 1] = name
         places[name] = #self.arguments
      end
      return self.graph:input(places[name])
   end
   for i, statement in ipairs(statements) do
      made[statement.name] = self.graph:build(statement.value, value, refuse)
      maker[statement.name] = i
   end
   for i, name in ipairs(self.results) do
      self.outputs[i] = made[name] or raise(("torch.fuse: the result '%s' is never made%s"):format(
         name, near.hint(name, made)))
   end
   checkUse(source, statements, uses, self.results)
   if #self.arguments == 0 then
      refuse(statements[1].at, 'there is no argument: nothing here is made of a tensor')
   end
   return self
end

-- Which nodes depend on one of some inputs.
local function dependents(graph, inputs)
   local depends = {}
   for id, node in ipairs(graph.nodes) do
      depends[id] = node.input and inputs[node.input] or false
      for _, operand in ipairs(node) do
         depends[id] = depends[id] or depends[operand.id]
      end
   end
   return depends
end

--- The program of the gradients: its arguments are this one's and the gradients of its results.
-- Everything is computed from the arguments again, so nothing has to be kept.
-- @param wanted list of arguments' places
function Program:gradient(wanted)
   local graph, n = Graph.new(), #self.arguments
   local there = self.graph:into(graph)
   local count = #graph.nodes
   local depends = dependents(graph, set(wanted))
   local slopes = {} -- id -> node
   local function add(node, slope)
      local before = slopes[node.id]
      slopes[node.id] = before and graph:apply('add', before, slope) or slope
   end
   for i, output in ipairs(self.outputs) do
      add(there[output.id], graph:input(n + i))
   end
   for id = count, 1, -1 do
      local node, slope = graph.nodes[id], slopes[id]
      local texts = slope and node.row and functions.rows[node.row].slopes
      for i = 1, texts and #node or 0 do
         if texts[i] and depends[node[i].id] then
            add(node[i], graph:text(texts[i],
               { a = node[1], b = node[2], c = node[3], r = node, g = slope }))
         end
      end
   end
   local gradient = setmetatable({
      source = self.source, graph = graph, arguments = {}, results = {}, outputs = {},
   }, Program)
   for i, name in ipairs(self.arguments) do
      gradient.arguments[i] = name
   end
   for _, name in ipairs(self.results) do
      table.insert(gradient.arguments, 'gradient of ' .. name)
   end
   for k, place in ipairs(wanted) do
      gradient.results[k] = 'gradient of ' .. self.arguments[place]
      gradient.outputs[k] = slopes[graph:input(place).id] or graph:number(0)
   end
   return gradient
end

--- The same in rows that code is written for.
-- @return graph, outputs
function Program:lowered()
   local graph = Graph.new()
   local there = self.graph:into(graph, function(node, operands)
      local formula = node.row and functions.rows[node.row].formula
      return formula and graph:text(formula, { a = operands[1] })
   end)
   local outputs = {}
   for i, output in ipairs(self.outputs) do
      outputs[i] = there[output.id]
   end
   return graph, outputs
end

return Program
