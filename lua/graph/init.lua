--- Directed graphs: nodes that know their children, traversals, topological order, drawings.
--
-- `require 'graph'` returns the package and sets the global `graph`, with the classes `graph.Node`,
-- `graph.Edge` and `graph.Graph`.
-- @module graph
-- @example
-- local a, b, c = graph.Node 'a', graph.Node 'b', graph.Node 'c'
-- local g = graph.Graph()
-- g:add { graph.Edge(a, b), graph.Edge(b, c), graph.Edge(a, c) }
-- #g.nodes, g:topsort()[1].data, g:hasCycle() --> 3, 'a', false

require 'torch'
require('torch.errors').library()

local graph = {}
-- The class files say `require 'graph'` too: give them the namespace while it is being filled.
package.loaded.graph = graph
rawset(_G, 'graph', graph)

require 'graph.Node'
require 'graph.Edge'
require 'graph.Graph'

local graphviz = require 'graph.graphviz'
graph.dot = graphviz.dot
graph.graphvizFile, graph.graphvizLayout = graphviz.graphvizFile, graphviz.graphvizLayout
graph._dotEscape = require('graph.language').escape

return graph
