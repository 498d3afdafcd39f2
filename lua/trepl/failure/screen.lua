--- Messages on stderr: on a terminal, which breaks a long line at its last column, they are broken
-- between words.
-- @module trepl.failure.screen
local terminal = require 'trepl.editor.terminal'
local width = require 'trepl.editor.width'

local M = {}

local STDERR = 2

local function broken_line(line, columns)
   if line:find '[%z\1-\31]' or #line <= columns then -- places of a stack begin with a tab
      return line
   end
   local indent = line:match '^ *'
   local lines, now, used = {}, indent, #indent
   for gap, word in line:sub(#indent + 1):gmatch '( *)([^ ]+)' do
      local more = width.columns(word)
      if used > #indent and used + #gap + more > columns then
         lines[#lines + 1] = now
         now, used, gap = indent, #indent, ''
      end
      now, used = now .. gap .. word, used + #gap + more
   end
   lines[#lines + 1] = now
   return table.concat(lines, '\n')
end

--- A text with no line that is broken within a word which fits into one.
-- @string text
-- @int columns
function M.broken(text, columns)
   return (text:gsub('[^\n]+', function(line)
      return broken_line(line, columns)
   end))
end

--- Write a message.
-- @string text
function M.write(text)
   if terminal.is_terminal(STDERR) then
      text = M.broken(text, (terminal.size(STDERR)))
   end
   io.stderr:write(text)
end

return M
