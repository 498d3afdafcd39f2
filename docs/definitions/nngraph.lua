---@meta nngraph
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

---@class nngraph
nngraph = {}
nngraph.simple_print = {}

---A criterion as a module: { input, target } -> the loss, a tensor of one element.
---The gradient by the input is the criterion's times gradOutput; the target has gradient 0.
---@class nn.ModuleFromCriterion: nn.Module
---@overload fun(...: any): nn.ModuleFromCriterion
nn.ModuleFromCriterion = {}

---A net made of nodes: the modules of a graph as one module.
---
---The input is a tensor or table for a single input node, a table with an entry for each of
---several; the output likewise. `fg` is the forward graph, from `innode` to `outnode`, and `bg` the
---backward graph; `forwardnodes` and `backwardnodes` list their nodes in the order of computation,
---and `modules` lists the modules. A module belongs into one node only: `clone` it with its
---parameters shared where it is to be used twice.
---@class nn.gModule: nn.Container
---@overload fun(...: any): nn.gModule
nn.gModule = {}

---The only entry of a table: { x } -> x.
---@class nngraph.JustElement: nn.Module
---@overload fun(...: any): nngraph.JustElement
nngraph.JustElement = {}

---A table of one entry: x -> { x }.
---@class nngraph.JustTable: nn.Module
---@overload fun(...: any): nngraph.JustTable
nngraph.JustTable = {}

---A node of a net: `data.module` is called on what the node's children give. These are the nodes
---that it takes its input from; `data.annotations` say what it is for.
---@class nngraph.Node: graph.Node
---@overload fun(...: any): nngraph.Node
nngraph.Node = {}

---Call `func(module, other)` for each module of this net and the one in its place in another net
---of the same structure.
---@param gm any a gModule
---@param func function gets the two modules (function)
function nn.gModule:map(gm, func) end

---Go through the net as `forward` does, with another function in the place of `updateOutput`.
---@param func any a method's name, or a function that gets a module and its input; what it returns is the input of the next nodes
---@param input? any (optional)
---@return any
function nn.gModule:runForwardFunction(func, input) end

---Make nodes children of this one.
---@param child any a node, or a list of nodes
---@param domap? boolean whether they are inputs of this node: `data.mapindex` then tells the place of each in the input (boolean, optional)
function nngraph.Node:add(child, domap) end

---Say what a node is for. `name` is in errors and drawings, `description` in drawings,
---`graphAttributes` are Graphviz' attributes of the node; others are the user's own.
---@param annotations table (table)
---@return self
function nngraph.Node:annotate(annotations) end

---Graphviz attributes of the node in a drawing: the annotated ones; a tooltip tells where the node
---was made.
---@param ... any
---@return table
function nngraph.Node:graphNodeAttributes(...) end

---The node's name in a drawing: the annotated one, with the node's number.
---@param ... any
---@return string
function nngraph.Node:graphNodeName(...) end

---What a drawing shows of the node: its description, its module, and the sizes of what has gone
---through it.
---@param ... any
---@return string
function nngraph.Node:label(...) end

---The entries of a node whose output is a table, as nodes of their own.
---All of them must be used. `split(1)` gives the only entry.
---@param noutput integer number of entries (integer)
---@return any
function nngraph.Node:split(noutput) end

---Name nodes after the local variables that hold them, alone or in a list (`state[2]`): to be
---called at the end of the function that makes them. Nodes that have a name keep it.
---@param stackLevel? integer whose variables: 1 is the function that calls this one (integer, default 1)
function nngraph.annotateNodes(stackLevel) end

---Draw a net and show it on the screen; needs Graphviz.
---@param gmodule any (nn.gModule)
function nngraph.display(gmodule) end

---One node for nodes nested in tables: its output is nested likewise.
---@param ... any nodes or tables of them; several are as one table of them
---@return any
function nngraph.nest(...) end

---Whether a net whose pass fails draws itself, with the node that failed in red.
---The files are `<name>.dot` and, where Graphviz is installed, `<name>.svg`, after the net's field
---`name` or else `nngraph_<inputs>in_<outputs>out`. Where a node was made is in its tooltip.
---@param enable? boolean (boolean, default true)
function nngraph.setDebug(enable) end

---Draw a net's graph: `fname`.dot and `fname`.svg; without a name it is shown on the screen.
---@param g any a net's `fg` (graph.Graph)
---@param title? string (string, optional)
---@param fname? string without an ending (string, optional)
function nngraph.simple_print.dot(g, title, fname) end

---A net's graph in Graphviz' language.
---@param g any a net's `fg` (graph.Graph)
---@param title? string (string, optional)
---@return string
function nngraph.simple_print.todot(g, title) end

return nngraph
