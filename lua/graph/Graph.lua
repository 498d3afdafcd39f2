--- A directed graph: the lists `nodes` and `edges`; `nodes[node]` is a node's place in its list.
-- @classmod graph.Graph
-- @usage graph.Graph()

local torch = require 'torch'
local graph = require 'graph'
local language = require 'graph.language'
local search = require 'graph.search'
local raise = require('torch.errors').raise

local Graph = torch.class('graph.Graph', graph)

function Graph:__init()
   self.nodes, self.edges = {}, {}
end

function Graph:__addNode(node)
   if not self.nodes[node] then
      table.insert(self.nodes, node)
      self.nodes[node] = #self.nodes
      node.id = #self.nodes
   end
end

--- Add edges, and their nodes; `to` becomes a child of `from`.
-- @param edge an edge, or a list of edges
-- @raise "graph.Graph: expected an edge, got a number"
function Graph:add(edge)
   if torch.type(edge) == 'table' then
      for _, one in ipairs(edge) do
         self:add(one)
      end
      return
   elseif not torch.isTypeOf(edge, 'graph.Edge') then
      raise(('graph.Graph: expected an edge, got a %s'):format(torch.type(edge)))
   elseif self.edges[edge] then
      return
   end
   table.insert(self.edges, edge)
   self.edges[edge] = #self.edges
   self:__addNode(edge.from)
   self:__addNode(edge.to)
   edge.from:add(edge.to)
end

-- The graph over new nodes of the same classes and data, with edge(new from, new to) for each edge.
local function copy(self, make_edge)
   local made, map = graph.Graph(), {}
   local function twin(node)
      local new = map[node]
      if not new then
         new = torch.factory(torch.typename(node))()
         graph.Node.__init(new, node.data)
         map[node] = new
      end
      return new
   end
   for _, edge in ipairs(self.edges) do
      made:add(make_edge(twin(edge.from), twin(edge.to), edge.weight))
   end
   for _, node in ipairs(self.nodes) do -- those without edges
      made:__addNode(twin(node))
   end
   return made, map
end

--- A graph with nodes and edges of its own; the nodes' data are those of the original.
-- @treturn graph.Graph
-- @treturn table node -> its copy
function Graph:clone()
   return copy(self, graph.Edge)
end

--- A copy with all edges turned round.
-- @treturn graph.Graph
-- @treturn table node -> its copy
function Graph:reverse()
   return copy(self, function(from, to, weight)
      return graph.Edge(to, from, weight)
   end)
end

--- Whether a way along the edges leads back to where it began.
-- @treturn boolean
function Graph:hasCycle()
   return search.cycle(self.nodes) ~= nil
end

-- The nodes that no edge leads to, or from.
local function without(self, side)
   local has = {}
   for _, edge in ipairs(self.edges) do
      has[edge[side]] = true
   end
   local list = {}
   for _, node in ipairs(self.nodes) do
      if not has[node] then
         list[#list + 1] = node
      end
   end
   return list
end

--- The nodes that no edge leads to.
-- @treturn table
function Graph:roots()
   return without(self, 'to')
end

--- The nodes that no edge leaves.
-- @treturn table
function Graph:leaves()
   return without(self, 'from')
end

local function refuse(cycle)
   local names = {}
   for i, node in ipairs(cycle) do
      names[i] = node:graphNodeName()
   end
   names[#names + 1] = names[1]
   raise('graph.Graph:topsort: there is no order, the graph has the cycle '
      .. table.concat(names, ' -> '))
end

--- The nodes in an order in which every edge leads forwards.
-- @treturn table the nodes
-- @treturn graph.Graph the reversed graph that was searched for it
-- @treturn table that graph's roots
-- @raise "there is no order, the graph has the cycle Node1 -> Node2 -> Node1"
function Graph:topsort()
   local cycle = search.cycle(self.nodes)
   if cycle then
      refuse(cycle)
   end
   local reversed, map = self:reverse()
   local original = {}
   for node, twin in pairs(map) do
      original[twin] = node
   end
   local sorted, roots = {}, reversed:roots()
   for _, root in ipairs(roots) do
      root:dfs_dirty(function(node)
         sorted[#sorted + 1] = original[node]
      end)
   end
   for _, node in ipairs(reversed.nodes) do
      node.visited = false
   end
   return sorted, reversed, roots
end

--- The graph in Graphviz' language.
-- @string[opt='G'] title
-- @treturn string
-- @example
-- local a, b = graph.Node 'a', graph.Node 'b'
-- a:add(b)
-- a:graph():todot():match 'n1 %-> n2' --> 'n1 -> n2'
function Graph:todot(title)
   return language.text(self, title)
end
