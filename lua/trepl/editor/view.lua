--- What is edited, drawn on the terminal: prompts, lines cut where the terminal ends, the cursor.
-- @classmod trepl.editor.view
local width = require 'trepl.editor.width'

local View = {}
View.__index = View

--- @param write function(text)
-- @param size function() -> columns, rows
function View.new(write, size)
   return setmetatable({ write = write, size = size, cursor_row = 0 }, View)
end

--- Cut a text into rows of a terminal.
-- @return list of rows, row and column (from 0) of the cursor
local function layout(text, at, prompt, continued, columns)
   local rows, row, column = {}, {}, 0
   local cursor_row, cursor_column
   local function finish()
      rows[#rows + 1] = table.concat(row)
      row, column = {}, 0
   end
   local function put(shown, length)
      if column + length > columns and column > 0 then
         finish()
      end
      row[#row + 1] = shown
      column = column + length
   end
   local function start(label)
      if width.columns(label) >= columns then
         label = '' -- no room for it
      end
      put(label, width.columns(label))
   end
   local function mark()
      if column >= columns then
         finish() -- the next character begins a row, and so does the cursor
      end
      cursor_row, cursor_column = #rows, column
   end
   start(prompt)
   local position = 1
   while position <= #text do
      if position >= at and not cursor_row then -- beyond it: within what became one character
         mark()
      end
      local character = width.character(text, position)
      if character == '\n' then
         finish()
         start(continued)
      else
         put(width.shown(character))
      end
      position = position + #character
   end
   if not cursor_row then
      mark()
   end
   finish()
   return rows, cursor_row, cursor_column
end
View.layout = layout

-- Back to the row in which the prompt stands; everything from there on is cleared.
local function to_start(self)
   return (self.cursor_row > 0 and ('\27[%dA'):format(self.cursor_row) or '') .. '\r\27[J'
end

--- Draw everything anew. `colour(prompt)` may colour a prompt.
function View:draw(buffer, prompt, continued, colour)
   local columns, height = self.size()
   local rows, cursor_row, cursor_column =
      layout(buffer.text, buffer.at, prompt, continued, columns)
   -- A text that is higher than the terminal: the part around the cursor.
   local first = math.max(1, math.min(cursor_row + 1 - math.floor(height / 2), #rows - height + 2))
   local last = math.min(#rows, first + height - 2)
   local lines = {}
   for i = first, last do
      local text = rows[i]
      for _, label in ipairs { prompt, continued } do
         if colour and text:sub(1, #label) == label then
            text = colour(label) .. text:sub(#label + 1)
            break
         end
      end
      lines[#lines + 1] = text
   end
   local up = last - (cursor_row + 1)
   self.write(to_start(self) .. table.concat(lines, '\r\n')
      .. (up > 0 and ('\27[%dA'):format(up) or '') .. '\r'
      .. (cursor_column > 0 and ('\27[%dC'):format(cursor_column) or ''))
   self.cursor_row = cursor_row + 1 - first
   self.below = up
end

--- Leave what is drawn where it is: the cursor goes to a new row below it.
function View:leave(mark)
   self.write(((self.below or 0) > 0 and ('\27[%dB'):format(self.below) or '') .. (mark or '')
      .. '\r\n')
   self.cursor_row, self.below = 0, 0
end

--- Begin on an empty row, even if something was written without an end of line: a row of blanks
-- ends in the next one unless it began in the first column.
function View:begin()
   local columns = self.size()
   self.write('\27[2m~\27[0m' .. (' '):rep(columns - 1) .. '\r\27[K')
   self.cursor_row, self.below = 0, 0
end

return View
