--- The escape strings of sys.COLORS by Torch7's name for them.
-- @module trepl.colors
return require 'sys.colors'
