--- The data of nodes as text, for drawings and errors.
-- @module nngraph.describe

local torch = require 'torch'
local check = require 'nn.check'

local M = {}

-- Lines of a drawing: these fields in this order, then the user's.
local FIRST = { 'module', 'selectindex', 'nSplitOutputs', 'input', 'gradOutput', 'mapindex' }
local HIDDEN = { annotations = true, forwardNodeId = true, reverseMap = true,
   gradOutputBuffer = true }

local function value_text(value)
   if torch.isTensor(value) then
      return ('%s[%s]'):format(torch.type(value):match '[^.]+$', check.describe(value))
   elseif torch.type(value) ~= 'table' then
      return tostring(value)
   end
   local parts = {}
   for i, entry in ipairs(value) do
      parts[i] = value_text(entry)
   end
   return '{' .. table.concat(parts, ', ') .. '}'
end

-- Where a node's input comes from.
local function sources_text(mapindex)
   local parts = {}
   for i, data in ipairs(mapindex) do
      local annotations = data.annotations or {}
      parts[i] = tostring(annotations.name
         or data.forwardNodeId and 'Node' .. data.forwardNodeId or data.module or '?')
   end
   return '{' .. table.concat(parts, ', ') .. '}'
end

--- What a drawing shows of a node.
-- @tparam table data the node's
-- @treturn string lines
function M.node(data)
   local lines, shown = { data.annotations and data.annotations.description }, {}
   local function add(key)
      local value = data[key]
      shown[key] = true
      if value ~= nil then
         local text = key == 'mapindex' and sources_text(value) or value_text(value)
         if text ~= '{}' then
            lines[#lines + 1] = ('%s = %s'):format(key, text)
         end
      end
   end
   for _, key in ipairs(FIRST) do
      add(key)
   end
   local others = {}
   for key in pairs(data) do
      if type(key) == 'string' and not shown[key] and not HIDDEN[key] then
         others[#others + 1] = key
      end
   end
   table.sort(others)
   for _, key in ipairs(others) do
      add(key)
   end
   return table.concat(lines, '\n')
end

--- What an error calls a node: its annotated name or its module, and where it was made.
-- @tparam table data the node's
-- @treturn string for example "node 'hidden' (nn.Linear), declared at [net.lua]:12"
function M.place(data)
   local annotations = data.annotations or {}
   local class = data.module and torch.type(data.module)
   local label = tostring(annotations._debugLabel or '?'):gsub('_$', '')
   if annotations.name then
      return ("node '%s' (%s), declared at %s"):format(annotations.name, class or 'no module',
         label)
   end
   return ('node %s, declared at %s'):format(class or 'without module', label)
end

return M
