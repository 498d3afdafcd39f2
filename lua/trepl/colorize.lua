--- Texts in colour: colorize.red 'text', by the names of sys.COLORS.
-- @module trepl.colorize
local colors = require 'sys.colors'

local M = {}

for name, sequence in pairs(colors) do
   M[name] = function(text)
      return sequence .. tostring(text) .. colors.none
   end
end

return M
