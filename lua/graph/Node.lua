--- A node: its `data`, and `children`, the list of the nodes that its edges lead to.
-- `children[child]` is the child's place in the list; `id` is the node's place in the graph that it
-- was last added to. Traversals take children in their order, keep their own stack, and so follow
-- chains of any length.
-- @classmod graph.Node
-- @usage graph.Node([data])

local torch = require 'torch'
local graph = require 'graph'
local search = require 'graph.search'
local raise = require('torch.errors').raise

local Node = torch.class('graph.Node', graph)

function Node:__init(data)
   self.data = data
   self.id = 0
   self.children = {}
   self.visited, self.marked = false, false
end

--- Make nodes children of this one; those that are already stay where they are.
-- @param child a node, or a list of nodes
-- @raise "graph.Node: a child is a number, expected a node"
function Node:add(child)
   if torch.type(child) == 'table' then
      for _, one in ipairs(child) do
         self:add(one)
      end
   elseif not torch.isTypeOf(child, 'graph.Node') then
      raise(('%s: a child is a %s, expected a node'):format(torch.type(self), torch.type(child)))
   elseif not self.children[child] then
      table.insert(self.children, child)
      self.children[child] = #self.children
   end
end

local function nothing() end

--- Visit every node that can be reached from here, once, depth first.
-- @func[opt] pre_func called with a node before its children
-- @func[opt] post_func called with a node after its children
function Node:visit(pre_func, post_func)
   search.depth(self, {}, pre_func or nothing, post_func or nothing)
end

--- Depth first: `func(node)` for every node that can be reached, children before parents.
-- @func func gets a node
-- @example
-- local a, b, names = graph.Node 'a', graph.Node 'b', ''
-- a:add(b)
-- a:dfs(function(node) names = names .. node.data end)
-- names --> 'ba'
function Node:dfs(func)
   self:visit(nil, func)
end

--- As `dfs`, but past nodes whose field `visited` is set; it sets that of the nodes it visits. So
-- several calls together visit each node once.
-- @func func gets a node
function Node:dfs_dirty(func)
   local seen = setmetatable({}, { __index = function(_, node)
      return node.visited and 'closed' or nil
   end })
   search.depth(self, seen, function(node)
      node.visited = true
   end, func)
end

--- Breadth first: `func(node)` for every node that can be reached, nearest first.
-- @func func gets a node
function Node:bfs(func)
   local seen = {}
   search.breadth(self, function(node)
      local new = not seen[node]
      seen[node] = true
      return new
   end, func)
end

--- As `bfs`, but past nodes whose field `visited` is set; it sets that of the nodes it visits.
-- @func func gets a node
function Node:bfs_dirty(func)
   search.breadth(self, function(node)
      local new = not node.visited
      node.visited = true
      return new
   end, func)
end

--- Whether a cycle can be reached from this node.
-- @treturn boolean
function Node:hasCycle()
   return search.cycle { self } ~= nil
end

--- The graph of all nodes that can be reached, and their edges, nearest nodes first.
-- @treturn graph.Graph
function Node:graph()
   local g = graph.Graph()
   g:__addNode(self)
   self:bfs(function(node)
      for _, child in ipairs(node.children) do
         g:add(graph.Edge(node, child))
      end
   end)
   return g
end

--- What a drawing shows of the node: its data as text.
-- @treturn string
function Node:label()
   return tostring(self.data)
end

--- The node's name in a drawing.
-- @treturn string
function Node:graphNodeName()
   return 'Node' .. self.id
end

--- Graphviz attributes of the node in a drawing.
-- @treturn table such as { color = 'red' }
function Node.graphNodeAttributes()
   return {}
end
