--- Classes for tests of the class system.
local class = require 'torch.class'

local M = {}

--- The table that holds the constructors of the classes named by `fresh`.
M.home = {}
class.setModule('spec', M.home)

local serial = 0

--- A class name not used yet. Class names are never forgotten, and busted loads this file once per
-- spec file: so the name says how many classes there are.
function M.fresh(stem)
   repeat
      serial = serial + 1
   until not class.getmetatable(('spec.%s%d'):format(stem or 'C', serial))
   return ('spec.%s%d'):format(stem or 'C', serial)
end

--- The error a call raises.
function M.raised(f, ...)
   local ok, message = pcall(f, ...)
   assert(not ok, 'no error was raised')
   return message
end

return M
