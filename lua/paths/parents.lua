--- Make the folders that a file is to lie in.
-- @module paths.parents
local paths = require 'paths'

--- @param file string: its folder is made if need be, and all above it
-- @return whether the folder is there now
return function(file)
   local folder, made = paths.dirname(paths.concat(file)), '/'
   for part in folder:gmatch('[^/]+') do
      made = made .. part .. '/'
      paths.mkdir(made)
   end
   return paths.dirp(folder)
end
