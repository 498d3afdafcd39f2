--- The code of a text: without comments, and without what strings hold.
-- @module trepl.scripts.code
local M = {}

local LONGEST = 400 -- bytes of a line that is looked at; longer ones are data

-- Where the quote at i ends: behind its twin, or where the line does.
local function quoted(text, i)
   local quote, at = text:sub(i, i), i + 1
   while true do
      local found = text:find('[\\\n' .. quote .. ']', at)
      if not found then
         return #text
      elseif text:sub(found, found) ~= '\\' then
         return found
      end
      at = found + 2
   end
end

-- Where the long bracket at i ends; nil where there is none.
local function bracketed(text, i)
   local level = text:match('^%[(=*)%[', i)
   if level then
      return select(2, text:find(']' .. level .. ']', i, true)) or #text
   end
end

-- What begins at i: where it ends, and what is left of it; nil where it is code.
local function skipped(text, i)
   local first = text:sub(i, i)
   if first == '"' or first == "'" then
      return quoted(text, i), first, first
   elseif text:find('^%-%-', i) then
      return bracketed(text, i + 2) or (text:find('\n', i, true) or #text + 1) - 1, '', ''
   end
   return bracketed(text, i), '[[', ']]'
end

-- Lines keep their numbers.
local function without(text)
   local parts, at, from = {}, 1, 1
   while true do
      local i = text:find('["\'%[%-]', from)
      if not i then
         parts[#parts + 1] = text:sub(at)
         return table.concat(parts)
      end
      local last, before, behind = skipped(text, i)
      if last then
         parts[#parts + 1] = text:sub(at, i - 1) .. before
            .. text:sub(i, last):gsub('[^\n]', '') .. behind
         at = last + 1
      end
      from = last and at or i + 1
   end
end

--- The lines of a text's code; a list of parameters is on the line of its function.
function M.lines(text)
   text = without(text):gsub('function[%s%w_.:]*%b()', function(head)
      local lines = head:gsub('[^\n]', '')
      return head:gsub('\n', ' ') .. lines
   end)
   local lines = {}
   for line in (text .. '\n'):gmatch '([^\n]*)\n' do
      lines[#lines + 1] = #line <= LONGEST and line .. ' ' or ''
   end
   return lines
end

return M
