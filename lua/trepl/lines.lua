--- Where the REPL's lines come from: readline with history on a terminal, plain lines otherwise.

local ffi = require 'ffi'

ffi.cdef 'int isatty(int fd);'

local HISTORY_FILE = '~/.th_history'
local HISTORY_LINES = 1000

local function plain_lines(interactive)
   return {
      interactive = interactive,
      read = function(prompt)
         if interactive then
            io.write(prompt)
            io.flush()
         end
         return io.read()
      end,
      close = function() end,
   }
end

local function edited_lines(readline)
   readline.set_readline_name('th')
   readline.set_options { histfile = HISTORY_FILE, keeplines = HISTORY_LINES, minlength = 1 }
   return {
      interactive = true,
      read = readline.readline,
      close = readline.save_history,
   }
end

local M = {}

--- @return a table with read(prompt) -> line or nil at the end, close() and the flag interactive
function M.open()
   if ffi.C.isatty(0) == 0 then
      return plain_lines(false)
   end
   local found, readline = pcall(require, 'readline')
   if not found or not readline.set_readline_name then
      return plain_lines(true) -- no lua-readline here: no editing, everything else works
   end
   return edited_lines(readline)
end

return M
