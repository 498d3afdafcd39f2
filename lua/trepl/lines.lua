--- Where the prompt's statements come from: the editor on a terminal, plain lines otherwise.

local editor = require 'trepl.editor'
local terminal = require 'trepl.editor.terminal'

local PROMPT, CONTINUED = 'th> ', '..> '

local M = {}

-- Lines as they are, put together until they are complete.
local function plain(interactive, is_complete)
   local function read(prompt)
      if interactive then
         io.write(prompt)
         io.flush()
      end
      return io.read()
   end
   return function()
      local text = read(PROMPT)
      if not text then
         return nil, 'end'
      end
      while not is_complete(text) do
         local line = read(CONTINUED)
         local gives_up = interactive and line == '' and text:find '\n$'
         if not line or gives_up then
            break -- the error will say what is missing
         end
         text = text .. '\n' .. line
      end
      return text
   end
end

local function bold(prompt)
   return '\27[1m' .. prompt .. '\27[0m'
end

--- @param options table: is_complete(text), complete(text), idle(), as trepl.editor has them, and
-- history(), which is called once where somebody types: the list of trepl.history
-- @return a table with read() -> statement, or nil and 'end' or 'dropped'; and two flags:
-- interactive (somebody types) and colours
function M.open(options)
   if editor.can_edit() then
      local list = options.history()
      return {
         interactive = true, colours = true,
         read = function()
            return editor.read {
               prompt = PROMPT, continued = CONTINUED, colour = bold,
               history = list, is_complete = options.is_complete,
               complete = options.complete, idle = options.idle,
            }
         end,
      }
   end
   local interactive = terminal.is_terminal(0)
   if interactive then
      options.history()
   end
   return { interactive = interactive, read = plain(interactive, options.is_complete) }
end

return M
