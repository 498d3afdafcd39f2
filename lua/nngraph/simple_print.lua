--- Drawings of nets with little in them: of each node its annotated name and its module.
-- @module nngraph.simple_print

local graphviz = require 'graph.graphviz'
local language = require 'graph.language'

local M = {}

local function label(node)
   local data = node.data
   local name = (data.annotations or {}).name
   local what = data.module and tostring(data.module)
      or data.selectindex and ('entry %d'):format(data.selectindex)
      or data.nSplitOutputs and ('split %d'):format(data.nSplitOutputs)
      or #node.children == 0 and 'output' or 'input'
   return name and ('%s\n%s'):format(name, what) or what
end

--- A net's graph in Graphviz' language.
-- @tparam graph.Graph g a net's `fg`
-- @string[opt] title
-- @treturn string
-- @example
-- local x = nn.Identity()()
-- local net = nn.gModule({ x }, { nn.Tanh()(x) })
-- nngraph.simple_print.todot(net.fg):match 'nn%.Tanh' --> 'nn.Tanh'
function M.todot(g, title)
   return language.text(g, title, label)
end

--- Draw a net's graph: `fname`.dot and `fname`.svg; without a name it is shown on the screen.
-- @tparam graph.Graph g a net's `fg`
-- @string[opt] title
-- @string[opt] fname without an ending
-- @raise "net.dot is written; a picture needs Graphviz"
function M.dot(g, title, fname)
   graphviz.draw('nngraph.simple_print.dot', M.todot(g, title), fname)
end

return M
