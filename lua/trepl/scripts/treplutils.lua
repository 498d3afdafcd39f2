--- Torch7's module `treplutils`.
-- @module trepl.scripts.treplutils
local terminal = require 'trepl.editor.terminal'

local M = {}

--- Whether the standard input is a terminal.
-- @usage require('treplutils').isatty() -> boolean
function M.isatty()
   return terminal.is_terminal(0)
end

return M
