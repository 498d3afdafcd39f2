--- Looking at nets: names for their nodes, pictures.
-- @module nngraph.inspect

local torch = require 'torch'
local graph = require 'graph'
local raise = require('torch.errors').raise

local M = {}

local function annotate(name, value)
   if torch.isTypeOf(value, 'nngraph.Node') then
      local annotations = value.data.annotations
      annotations.name = annotations.name or name
   elseif torch.type(value) == 'table' then
      for i, entry in ipairs(value) do
         if torch.isTypeOf(entry, 'nngraph.Node') then
            annotate(('%s[%d]'):format(name, i), entry)
         end
      end
   end
end

--- Name nodes after the local variables that hold them, alone or in a list (`state[2]`): to be
-- called at the end of the function that makes them. Nodes that have a name keep it.
-- @int[opt=1] stackLevel whose variables: 1 is the function that calls this one
-- @example
-- local function make()
--    local x = nn.Identity()()
--    local scores = nn.Linear(3, 2)(x)
--    nngraph.annotateNodes()
--    return scores.data.annotations.name
-- end
-- make() --> 'scores'
function M.annotateNodes(stackLevel)
   local level, i = (stackLevel or 1) + 1, 1
   if not debug.getinfo(level, 'f') then
      raise(('nngraph.annotateNodes: there is no function at level %d'):format(stackLevel))
   end
   while true do
      local name, value = debug.getlocal(level, i)
      if not name then
         return
      end
      annotate(name, value)
      i = i + 1
   end
end

--- Draw a net and show it on the screen; needs Graphviz.
-- @tparam nn.gModule gmodule
-- @raise "a picture needs Graphviz"
function M.display(gmodule)
   graph.dot(gmodule.fg, type(gmodule.name) == 'string' and gmodule.name or 'nn.gModule')
end

return M
