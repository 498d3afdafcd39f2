--- Expressions as graphs of rows: each value once, operands before what is made of them.
--
-- A node is { row = 'mul', operands... }, { number = 2 } or { input = 3 }; `id` is its place.
-- @module torch.fuse.Graph
local functions = require 'torch.fuse.functions'
local near = require 'torch.near'

local rows, formulas = functions.rows, functions.formulas

-- Functions that make one element of many.
local REDUCTIONS = {}
for name in ('sum mean prod norm std var cumsum cumprod softmax logsoftmax argmax dot mm all any')
   :gmatch '%a+' do
   REDUCTIONS[name] = true
end

local Graph = {}
Graph.__index = Graph

function Graph.new()
   return setmetatable({ nodes = {}, known = {} }, Graph)
end

function Graph:keep(key, node)
   local known = self.known[key]
   if not known then
      known = node
      node.id = #self.nodes + 1
      self.nodes[node.id], self.known[key] = node, node
   end
   return known
end

function Graph:number(value)
   return self:keep(('%.17g'):format(value), { number = value })
end

--- The i'th operand of the whole.
function Graph:input(i)
   return self:keep('input ' .. i, { input = i })
end

local function isNumber(node, value)
   return node.number == value
end

-- Rows that are less work in another form, with the same value to the last bit or two.
local simpler = {
   neg = function(g, a)
      return a.number and g:number(-a.number) or a.row == 'neg' and a[1]
   end,
   add = function(g, a, b)
      return a.number and b.number and g:number(a.number + b.number)
   end,
   sub = function(g, a, b)
      return a.number and b.number and g:number(a.number - b.number)
   end,
   mul = function(g, a, b)
      return isNumber(a, 1) and b or isNumber(b, 1) and a
         or a.number and b.number and g:number(a.number * b.number)
   end,
   div = function(g, a, b)
      return isNumber(b, 1) and a or a.number and b.number and g:number(a.number / b.number)
   end,
   pow = function(g, a, b)
      if isNumber(b, 2) then
         return g:apply('mul', a, a)
      elseif isNumber(b, 3) then
         return g:apply('mul', g:apply('mul', a, a), a)
      end
      return isNumber(b, 1) and a or isNumber(b, -1) and g:apply('div', g:number(1), a)
   end,
   -- What is 0 or 1 already need not be compared with 0 again.
   ne = function(_, a, b)
      return a.row and rows[a.row].logical and isNumber(b, 0) and a
   end,
}

--- A row of nodes.
function Graph:apply(row, ...)
   local better = simpler[row] and simpler[row](self, ...)
   if better then
      return better
   end
   local node, ids = { row = row, ... }, {}
   for i, operand in ipairs(node) do
      ids[i] = operand.id
   end
   return self:keep(row .. ' ' .. table.concat(ids, ' '), node)
end

local function counted(n)
   return n == 1 and '1 argument' or n .. ' arguments'
end

-- How many arguments a function takes; nil where there is none of that name.
local function operandsOf(name)
   if formulas[name] then
      return #functions.parameters(formulas[name])
   end
   return rows[name] and rows[name].operands
end

local function names()
   local list = {}
   for name, row in pairs(rows) do
      list[name] = not row.hidden or nil
   end
   for name in pairs(formulas) do
      list[name] = true
   end
   return list
end

--- The node of a tree.
-- @param tree what torch.fuse.parse gives
-- @param value function(tree of a name): its node
-- @param[opt] refuse function(at, message) for functions that are not there; a text of this library
-- has none
function Graph:build(tree, value, refuse)
   if tree.number then
      return self:number(tree.number)
   elseif tree.name then
      return value(tree)
   end
   local name, wanted = tree.call, operandsOf(tree.call)
   if refuse and (not wanted or rows[name] and rows[name].hidden) then
      refuse(tree.at, REDUCTIONS[name] and ("'%s' is made of many elements, and here each is by "
         .. 'itself: let an operation of torch do it before or behind'):format(name)
         or ("there is no function '%s'%s"):format(name, near.hint(name, names())))
   elseif refuse and #tree ~= wanted then
      refuse(tree.at, ('%s takes %s, got %d'):format(name, counted(wanted), #tree))
   end
   local operands = {}
   for i, operand in ipairs(tree) do
      operands[i] = self:build(operand, value, refuse)
   end
   if formulas[name] then
      return self:formula(name, operands)
   end
   return self:apply(name, unpack(operands))
end

--- The node of a text of this library, in which names stand for nodes.
function Graph:text(source, bound)
   return self:build(functions.tree(source), function(tree)
      return bound[tree.name]
   end)
end

function Graph:formula(name, operands)
   local bound = {}
   for i, parameter in ipairs(functions.parameters(formulas[name])) do
      bound[parameter] = operands[i]
   end
   return self:text(formulas[name][2], bound)
end

--- Which nodes some outputs are made of: id -> true.
function Graph:needed(outputs)
   local needed = {}
   for _, output in ipairs(outputs) do
      needed[output.id] = true
   end
   for id = #self.nodes, 1, -1 do
      for _, operand in ipairs(needed[id] and self.nodes[id] or {}) do
         needed[operand.id] = true
      end
   end
   return needed
end

--- This graph's nodes in another graph: what `visit` makes of each, operands first.
-- @param visit function(node, operands there): a node there, or nil for the same row
-- @return table: id here -> node there
function Graph:into(other, visit)
   local there = {}
   for id, node in ipairs(self.nodes) do
      local operands = {}
      for i, operand in ipairs(node) do
         operands[i] = there[operand.id]
      end
      there[id] = visit and visit(node, operands)
         or node.number and other:number(node.number)
         or node.input and other:input(node.input)
         or other:apply(node.row, unpack(operands))
   end
   return there
end

return Graph
