--- Names of files, directories and what is in them.
-- Requiring it defines the global `paths`.
-- @module paths
require('torch.errors').library()

local M = {}

for _, part in ipairs { 'names', 'directories', 'here', 'system' } do
   for name, value in pairs(require('paths.' .. part)) do
      M[name] = value
   end
end

rawset(_G, 'paths', M)

return M
