--- The indentation of Lua as it is typed.
-- @module trepl.editor.indent
local M = {}

local STEP = '   '

local opens = {
   ['do'] = true, ['then'] = true, ['function'] = true, ['repeat'] = true, ['else'] = true,
   ['{'] = true, ['('] = true,
}
local closes = { ['end'] = true, ['until'] = true, ['}'] = true, [')'] = true }

-- How many blocks a line opens and leaves open.
local function opened(line)
   line = line:gsub('%-%-.*$', ''):gsub("'[^']*'", ''):gsub('"[^"]*"', '')
   local depth = 0
   for word in line:gmatch '[%a_][%w_]*' do
      depth = depth + (opens[word] and 1 or closes[word] and -1 or 0)
   end
   for bracket in line:gmatch '[(){}]' do
      depth = depth + (opens[bracket] and 1 or -1)
   end
   local first = line:match '^%s*([%a]+)'
   if first == 'else' or first == 'elseif' or closes[first or ''] then
      depth = depth + 1 -- its block began above
   end
   if first == 'elseif' or first == 'else' then
      depth = 1
   end
   return depth
end

--- The blanks that a line after this text begins with.
function M.after(text)
   local line = text:match '[^\n]*$'
   return line:match '^%s*' .. (opened(line) > 0 and STEP or '')
end

local closing = { ['end'] = true, ['else'] = true, ['elseif'] = true, ['until'] = true,
   ['}'] = true, [')'] = true }

--- When a closing word has just been typed at the beginning of a line, take a step back.
function M.close(buffer)
   local before = buffer:before()
   local blanks, word = before:match '\n(%s*)([%a}%)]+)$'
   if blanks and closing[word] and #blanks >= #STEP and buffer.closed ~= before:match '.*\n()' then
      buffer.closed = before:match '.*\n()' -- but once: who moves it back means it
      local first = buffer:line()
      buffer:remove(first, first + #STEP - 1)
   end
end

--- How many blanks Backspace removes at once: a step, where nothing else is before the cursor.
function M.to_remove(buffer)
   local blanks = buffer:before():match '\n( +)$'
   return blanks and #blanks % #STEP == 0 and #STEP or 0
end

return M
