---@meta graph
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

---@class graph
graph = {}

---An edge: the nodes `from` and `to`, and a `weight` where one is given.
---@class graph.Edge
---@overload fun(...: any): graph.Edge
graph.Edge = {}

---A directed graph: the lists `nodes` and `edges`; `nodes[node]` is a node's place in its list.
---@class graph.Graph
---@overload fun(...: any): graph.Graph
graph.Graph = {}

---A node: its `data`, and `children`, the list of the nodes that its edges lead to.
---`children[child]` is the child's place in the list; `id` is the node's place in the graph that it
---was last added to. Traversals take children in their order, keep their own stack, and so follow
---chains of any length.
---@class graph.Node
---@overload fun(...: any): graph.Node
graph.Node = {}

---Add edges, and their nodes; `to` becomes a child of `from`.
---@param edge any an edge, or a list of edges
function graph.Graph:add(edge) end

---A graph with nodes and edges of its own; the nodes' data are those of the original.
---@param ... any
---@return any
---@return table
function graph.Graph:clone(...) end

---Whether a way along the edges leads back to where it began.
---@param ... any
---@return boolean
function graph.Graph:hasCycle(...) end

---The nodes that no edge leaves.
---@param ... any
---@return table
function graph.Graph:leaves(...) end

---A copy with all edges turned round.
---@param ... any
---@return any
---@return table
function graph.Graph:reverse(...) end

---The nodes that no edge leads to.
---@param ... any
---@return table
function graph.Graph:roots(...) end

---The graph in Graphviz' language.
---@param title? string (string, default 'G')
---@return string
function graph.Graph:todot(title) end

---The nodes in an order in which every edge leads forwards.
---@param ... any
---@return table
---@return any
---@return table
function graph.Graph:topsort(...) end

---Make nodes children of this one; those that are already stay where they are.
---@param child any a node, or a list of nodes
function graph.Node:add(child) end

---Breadth first: `func(node)` for every node that can be reached, nearest first.
---@param func function gets a node (function)
function graph.Node:bfs(func) end

---As `bfs`, but past nodes whose field `visited` is set; it sets that of the nodes it visits.
---@param func function gets a node (function)
function graph.Node:bfs_dirty(func) end

---Depth first: `func(node)` for every node that can be reached, children before parents.
---@param func function gets a node (function)
function graph.Node:dfs(func) end

---As `dfs`, but past nodes whose field `visited` is set; it sets that of the nodes it visits. So
---several calls together visit each node once.
---@param func function gets a node (function)
function graph.Node:dfs_dirty(func) end

---The graph of all nodes that can be reached, and their edges, nearest nodes first.
---@param ... any
---@return any
function graph.Node:graph(...) end

---Graphviz attributes of the node in a drawing.
---@param ... any
---@return table
function graph.Node:graphNodeAttributes(...) end

---The node's name in a drawing.
---@param ... any
---@return string
function graph.Node:graphNodeName(...) end

---Whether a cycle can be reached from this node.
---@param ... any
---@return boolean
function graph.Node:hasCycle(...) end

---What a drawing shows of the node: its data as text.
---@param ... any
---@return string
function graph.Node:label(...) end

---Visit every node that can be reached from here, once, depth first.
---@param pre_func? function called with a node before its children (function, optional)
---@param post_func? function called with a node after its children (function, optional)
function graph.Node:visit(pre_func, post_func) end

---Draw a graph: `fname`.dot and `fname`.svg. Without a name the picture is shown on the screen.
---Of a net, `graph.dot(net.fg, 'Net', 'net')` draws the forward and `net.bg` the backward graph.
---@param g any (graph.Graph)
---@param title? string (string, optional)
---@param fname? string without an ending (string, optional)
function graph.dot(g, title, fname) end

---Draw a graph into a file, in the format that its name ends in.
---@param g any (graph.Graph)
---@param algorithm? string how nodes are placed: dot, neato, fdp, circo, twopi, … (string, default 'dot')
---@param fname? string for example 'net.svg' (string)
function graph.graphvizFile(g, algorithm, fname) end

---Where Graphviz would place the nodes.
---@param g any (graph.Graph)
---@param algorithm? string dot, neato, fdp, circo, twopi, … (string, default 'dot')
---@return torch.Tensor
function graph.graphvizLayout(g, algorithm) end

return graph
