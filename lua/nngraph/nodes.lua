--- Lists of nodes that users give, and which node feeds which.
-- @module nngraph.nodes

local torch = require 'torch'
local raise = require('torch.errors').raise

local M = {}

local function complain(name, i, value)
   local what
   if value == nil then
      what = 'nil (typo / bad index?)'
   else
      local class = torch.type(value)
      local kind = torch.isTypeOf(value, 'nn.Module') and 'an nn.Module, specifically a ' or 'a '
      what = ('%s%s, but the only valid thing to pass is an instance of nngraph.Node'):format(kind,
         class)
      if kind ~= 'a ' then
         what = ('%s: %s() makes one of it'):format(what, class)
      end
   end
   raise(('%s[%d] is %s'):format(name, i, what))
end

--- Raise unless there are only nodes in a list.
-- @tparam table list
-- @int count its length
-- @string name what the error calls it
function M.check(list, count, name)
   for i = 1, count do
      if not torch.isTypeOf(list[i], 'nngraph.Node') then
         complain(name, i, list[i])
      end
   end
end

--- Remember that a node feeds another, until a gModule has been made of them.
function M.note_consumer(node, consumer)
   local data = node.data
   data.reverseMap = data.reverseMap or {}
   table.insert(data.reverseMap, consumer)
end

return M
