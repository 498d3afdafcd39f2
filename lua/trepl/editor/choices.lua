--- What a text may be completed to, for the eye and for the line.
-- @module trepl.editor.choices
local width = require 'trepl.editor.width'

local M = {}

-- More than so many are not read.
local MOST = 120

--- The longest beginning that all texts share.
function M.common(list)
   local common = list[1] or ''
   for i = 2, #list do
      local length = 0
      while length < #common and common:byte(length + 1) == list[i]:byte(length + 1) do
         length = length + 1
      end
      common = common:sub(1, length)
   end
   return common
end

--- The texts in columns, down one and then the next.
-- @param list of texts; what is common to them up to a '.', ':' or '/' is left out
-- @param columns of the terminal
function M.table(list, columns)
   local shared = M.common(list):match '^.*[.:/]' or ''
   local texts, widest = {}, 1
   for i = 1, math.min(#list, MOST) do
      texts[i] = list[i]:sub(#shared + 1)
      widest = math.max(widest, width.columns(texts[i]))
   end
   local across = math.max(1, math.floor((columns + 1) / (widest + 2)))
   local down = math.ceil(#texts / across)
   local lines = {}
   for row = 1, down do
      local line = {}
      for i = row, #texts, down do
         local text = texts[i]
         line[#line + 1] = text .. (' '):rep(widest + 2 - width.columns(text))
      end
      lines[row] = table.concat(line):match '^(.-)%s*$'
   end
   if #list > MOST then
      lines[#lines + 1] = ('and %d more'):format(#list - MOST)
   end
   return table.concat(lines, '\n')
end

return M
