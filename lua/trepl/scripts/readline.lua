--- Torch7's module `readline`: lines from the terminal, with a history, by our own editor.
-- @module trepl.scripts.readline
local editor = require 'trepl.editor'
local history = require 'trepl.history'

local M = {}

local past = history.open()
local completer

--- Settings: what Tab completes to.
-- @param complete function(text, first, last), optional: the word from byte first to last of the
-- text is to be completed; returns a list of texts
function M.setup(complete)
   completer = complete
end

--- Read a line, edited where there is a terminal.
-- @param prompt string, optional
-- @return string without its end; nil at the end of the input
function M.readline(prompt)
   prompt = prompt or ''
   if not editor.can_edit() then
      io.write(prompt)
      io.flush()
      return io.read()
   end
   return (editor.read {
      prompt = prompt, history = past.list,
      complete = completer and function(text)
         local first = text:match '()[^%s]*$'
         return first, completer(text, first, #text) or {}
      end,
   })
end

--- Add a line to the history.
function M.add_history(line)
   past:add(line)
end

--- Read the history from a file; later lines are added to it.
-- @return whether there is such a file
function M.read_history(path)
   local file = io.open(path)
   if file then
      file:close()
   end
   past = history.open(path)
   return file ~= nil
end

--- Write the history to a file.
-- @return true, or nil and a message
function M.write_history(path)
   return past:write(path)
end

return M
