--- Make the folders that a file is to lie in.
-- @module paths.parents
local paths = require 'paths'

--- @param file string: its folder is made if need be, and all above it
return function(file)
   local made = '/'
   for part in paths.dirname(paths.concat(file)):gmatch('[^/]+') do
      made = made .. part .. '/'
      paths.mkdir(made)
   end
end
