--- Graphs as text in Graphviz' language.
-- @module graph.language

local M = {}

--- A string as an identifier of Graphviz: in quotes unless it is a single word.
-- @string str
-- @example graph._dotEscape 'red', graph._dotEscape 'My label' --> 'red', '"My label"'
function M.escape(str)
   if str:match '^[%a_][%w_]*$' then
      return str
   end
   return '"' .. str:gsub('\\', '\\\\'):gsub('"', '\\"'):gsub('\r?\n', '\\n') .. '"'
end
local escape = M.escape

local function attributes_text(attributes)
   local names = {}
   for name in pairs(attributes) do
      names[#names + 1] = name
   end
   table.sort(names)
   for i, name in ipairs(names) do
      names[i] = ('%s=%s'):format(name, escape(tostring(attributes[name])))
   end
   return table.concat(names, ' ')
end

--- A graph in Graphviz' language; `n1` is the first node.
-- @tparam graph.Graph g
-- @string[opt='G'] title
-- @func[opt] label what is shown of a node; by default its name and its `label()`
-- @treturn string
function M.text(g, title, label)
   local lines = { 'digraph ' .. escape(title or 'G') .. ' {', 'node [shape=oval];' }
   if title then
      table.insert(lines, 2, ('labelloc=t; label=%s;'):format(escape(title)))
   end
   for i, node in ipairs(g.nodes) do
      local attributes = {}
      for name, value in pairs(node:graphNodeAttributes()) do
         attributes[name] = value
      end
      attributes.label = label and label(node)
         or ('%s\n%s'):format(node:graphNodeName(), node:label())
      lines[#lines + 1] = ('n%d [%s];'):format(i, attributes_text(attributes))
   end
   for _, edge in ipairs(g.edges) do
      local weight = edge.weight and (' [label=%s]'):format(escape(tostring(edge.weight))) or ''
      lines[#lines + 1] = ('n%d -> n%d%s;'):format(g.nodes[edge.from], g.nodes[edge.to], weight)
   end
   lines[#lines + 1] = '}\n'
   return table.concat(lines, '\n')
end

return M
