--- Expressions as text: their tokens, and errors that show the place.
-- @module torch.fuse.text
local raise = require('torch.errors').raise

local M = {}

-- The line that a position lies in, its number, and the position within it.
local function lineOf(source, at)
   local number, first = 1, 1
   while true do
      local stop = source:find('\n', first, true)
      if not stop or stop >= at then
         return source:sub(first, (stop or #source + 1) - 1), number, at - first + 1
      end
      number, first = number + 1, stop + 1
   end
end

--- Raise an error that shows the line and has a caret below the place.
-- @param source string: the whole text
-- @param at position in it, from 1
-- @param message string
function M.refuse(source, at, message)
   local line, number, column = lineOf(source, at)
   local indent = line:sub(1, column - 1):gsub('[^\t]', ' ')
   raise(('torch.fuse: %s (line %d, column %d)\n   %s\n   %s^'):format(message, number, column,
      line, indent))
end

local ELEMENTS = ': an operation on each element is what the others are, too: a * b, a / b, a ^ b'
local FUNCTIONS = ': functions go by their names alone: exp(x)'
local CHOICE = ': where(c, a, b) is a where c holds, and b elsewhere'

-- What other languages write; pattern -> what to write here.
local FOREIGN = {
   { '^%.[*/^\\]', ELEMENTS }, { '^%.%s*%a', FUNCTIONS }, { '^:', FUNCTIONS },
   { '^%[', ': each element is computed by itself, and none is looked up' },
   { '^@', ': torch.mm makes the product of matrices, before or behind' },
   { '^&', ": 'and'" }, { '^|', ": 'or'" }, { '^!', ": 'not'" }, { '^%?', CHOICE },
   { '^#', ': comments begin with --' }, { '^{', FUNCTIONS },
}

--- What to write instead of what stands at a place; '' where nobody knows.
function M.instead(source, at)
   for _, row in ipairs(FOREIGN) do
      if source:find(row[1], at) then
         return row[2]
      end
   end
   return ''
end

local WORDS = { ['and'] = true, ['or'] = true, ['not'] = true }

local PATTERNS = { -- tried in this order
   { 'space', '^[ \t\r]+' },
   { 'space', '^%-%-[^\n]*' },
   { 'end', '^[;\n]' },
   { 'number', '^0[xX]%x+' },
   { 'number', '^%d+%.?%d*[eE][+-]?%d+' },
   { 'number', '^%.%d+[eE][+-]?%d+' },
   { 'number', '^%d+%.?%d*' },
   { 'number', '^%.%d+' },
   { 'name', '^[%a_][%w_]*' },
   { 'symbol', '^[<>=~!]=' },
   { 'symbol', '^[-+*/%%^<>=(),]' },
}

--- The tokens of a text: kind ('number', 'name', 'symbol', 'end'), text, at (its position). Within
-- parentheses, and behind a symbol that wants something to follow, a line's end ends nothing.
function M.tokens(source)
   local list, at, depth = {}, 1, 0
   while at <= #source do
      local kind, first, last
      for _, pattern in ipairs(PATTERNS) do
         first, last = source:find(pattern[2], at)
         if first then
            kind = pattern[1]
            break
         end
      end
      if not kind then
         M.refuse(source, at, ("'%s' has no meaning here%s"):format(
            source:match('^[%z\1-\127\194-\244][\128-\191]*', at) or source:sub(at, at),
            M.instead(source, at)))
      end
      local text = source:sub(first, last)
      local before = list[#list]
      local goesOn = text == '\n'
         and (depth > 0 or before and before.kind == 'symbol' and before.text ~= ')')
      if kind ~= 'space' and not goesOn then
         depth = depth + (text == '(' and 1 or text == ')' and -1 or 0)
         kind = WORDS[text] and 'symbol' or kind
         list[#list + 1] = { kind = kind, text = text, at = first }
      end
      at = last + 1
   end
   list[#list + 1] = { kind = 'end', text = '', at = #source + 1 }
   return list
end

return M
