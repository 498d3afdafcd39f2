--- ANSI escape strings that colour what a terminal shows.
--
-- `red` is plain, `Red` bold, `_red` the background; `none` goes back to the terminal's own.
-- @module sys.colors
local M = { none = '\27[0m' }

local names = { 'black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white' }

for i, name in ipairs(names) do
   local colour = i - 1
   M[name] = ('\27[0;%dm'):format(30 + colour)
   M[name:sub(1, 1):upper() .. name:sub(2)] = ('\27[1;%dm'):format(30 + colour)
   M['_' .. name] = ('\27[%dm'):format(40 + colour)
end

return M
