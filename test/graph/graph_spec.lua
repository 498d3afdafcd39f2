local torch = require 'torch'
local graph = require 'graph'
local raises = require 'test.support.raises'

-- a -> b -> d, a -> c -> d, c -> e
local function diamond()
   local n = {}
   for name in ('abcde'):gmatch '.' do
      n[name] = graph.Node(name)
   end
   local g = graph.Graph()
   for from, to in ('ab ac bd cd ce'):gmatch '(%w)(%w)' do
      g:add(graph.Edge(n[from], n[to]))
   end
   return g, n
end

local function names(nodes)
   local list = {}
   for i, node in ipairs(nodes) do
      list[i] = node.data
   end
   return table.concat(list)
end

local function visited(walk)
   local list = {}
   walk(function(node)
      list[#list + 1] = node
   end)
   return names(list)
end

describe('graph', function()
   it('lists nodes and edges, roots and leaves', function()
      local g, n = diamond()
      assert.equal('abcde', names(g.nodes))
      assert.equal(4, g.nodes[n.d])
      assert.equal(5, #g.edges)
      assert.equal('a', names(g:roots()))
      assert.equal('de', names(g:leaves()))
      g:add(g.edges[1])
      assert.equal(5, #g.edges)
   end)

   it('goes depth first with children before parents, and breadth first', function()
      local _, n = diamond()
      assert.equal('dbeca', visited(function(f) n.a:dfs(f) end))
      assert.equal('abcde', visited(function(f) n.a:bfs(f) end))
      assert.equal('abdce', visited(function(f) n.a:visit(f) end))
      assert.equal('dbeca', visited(function(f) n.a:dfs(f) end)) -- nothing is left behind
   end)

   it('goes over the nodes that are not visited yet', function()
      for _, walk in ipairs { 'dfs_dirty', 'bfs_dirty' } do
         local _, n = diamond()
         assert.equal('d', visited(function(f) n.d[walk](n.d, f) end))
         local rest = visited(function(f) n.a[walk](n.a, f) end)
         assert.equal(4, #rest)
         assert.is_nil(rest:match 'd')
         assert.equal('', visited(function(f) n.a[walk](n.a, f) end))
      end
   end)

   it('makes the graph of what can be reached from a node', function()
      local _, n = diamond()
      local g = n.c:graph()
      assert.equal('cde', names(g.nodes))
      assert.equal(2, #g.edges)
      assert.equal('x', names(graph.Node('x'):graph().nodes))
   end)

   it('sorts so that edges lead forwards', function()
      local g = diamond()
      local place = {}
      local sorted, reversed, roots = g:topsort()
      for i, node in ipairs(sorted) do
         place[node] = i
      end
      assert.equal(5, #sorted)
      for _, edge in ipairs(g.edges) do
         assert.is_true(place[edge.from] < place[edge.to])
      end
      assert.equal(5, #reversed.edges)
      assert.equal('de', names(roots))
   end)

   it('finds cycles, and refuses to sort them', function()
      local g, n = diamond()
      assert.is_false(g:hasCycle())
      assert.is_false(n.a:hasCycle())
      g:add(graph.Edge(n.e, n.a))
      assert.is_true(g:hasCycle())
      assert.is_true(n.c:hasCycle())
      assert.is_false(n.d:hasCycle())
      raises('the graph has the cycle Node1 -> Node3 -> Node5 -> Node1', g.topsort, g)
   end)

   it('follows a chain that is longer than the stack', function()
      local first, last = graph.Node(0), nil
      local node = first
      for i = 1, 20000 do
         last = graph.Node(i)
         node:add(last)
         node = last
      end
      local count = 0
      first:dfs(function() count = count + 1 end)
      assert.equal(20001, count)
   end)

   it('clones and reverses with nodes of its own', function()
      local g, n = diamond()
      local copy, map = g:clone()
      assert.equal('abcde', names(copy.nodes))
      assert.not_equal(n.a, copy.nodes[1])
      assert.equal(copy.nodes[1], map[n.a])
      local reversed, twins = g:reverse()
      assert.equal('de', names(reversed:roots()))
      assert.equal('bc', names(twins[n.d].children))
      assert.equal('', names(n.d.children))
   end)

   it('survives saving', function()
      local again = torch.deserialize(torch.serialize((diamond())))
      assert.equal('abcde', names(again.nodes))
      assert.equal(3, again.nodes[again.nodes[3]])
      assert.equal('de', names(again:leaves()))
   end)

   it('is written in the language of Graphviz', function()
      local a, b = graph.Node 'a', graph.Node 'say "b"'
      local g = graph.Graph()
      g:add(graph.Edge(a, b, 3))
      function b.graphNodeAttributes()
         return { tooltip = 'a tip', color = 'red' }
      end
      assert.equal([[
digraph "my graph" {
labelloc=t; label="my graph";
node [shape=oval];
n1 [label="Node1\na"];
n2 [color=red label="Node2\nsay \"b\"" tooltip="a tip"];
n1 -> n2 [label="3"];
}
]], g:todot 'my graph')
      assert.equal('red', graph._dotEscape 'red')
      assert.equal('"a\\nb\\\\c"', graph._dotEscape 'a\nb\\c')
   end)

   it('refuses what is no node and no edge', function()
      raises('graph.Edge: to is a number, expected a node', graph.Edge, graph.Node(), 3)
      raises('graph.Graph: expected an edge, got a string', graph.Graph().add, graph.Graph(), 'x')
      raises('graph.Node: a child is a number, expected a node', graph.Node().add, graph.Node(), 1)
   end)
end)
