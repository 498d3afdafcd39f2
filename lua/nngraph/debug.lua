--- Nets that draw themselves when a pass fails.
-- @module nngraph.debug

local graph = require 'graph'

local M = {}

local is_debugging = false

--- Whether a net whose pass fails draws itself, with the node that failed in red.
-- The files are `<name>.dot` and, where Graphviz is installed, `<name>.svg`, after the net's field
-- `name` or else `nngraph_<inputs>in_<outputs>out`. Where a node was made is in its tooltip.
-- @bool[opt=true] enable
function M.setDebug(enable)
   is_debugging = enable ~= false
end

local function draw(net, data)
   local annotations = data.annotations or {}
   data.annotations = annotations
   annotations.graphAttributes = annotations.graphAttributes or {}
   annotations.graphAttributes.color = 'red'
   local name = type(net.name) == 'string' and net.name
      or ('nngraph_%din_%dout'):format(net.nInputs or 1, #net.outnode.children)
   local ok, message = pcall(graph.dot, net.fg, name, name)
   io.stderr:write(ok and ('nngraph: the net is drawn in %s.svg\n'):format(name)
      or message .. '\n')
end

--- What a net does about a node that has failed.
-- @tparam nn.gModule net
-- @tparam table data the node's
function M.failed(net, data)
   if is_debugging then
      draw(net, data)
   end
end

return M
