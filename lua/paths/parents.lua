--- Make the folders that a file is to lie in.
-- @module paths.parents
local paths = require 'paths'

--- @param file string: its folder is made if need be, and those above it, but for one directly
-- under /, which is a path mistyped
-- @return whether the folder is there now
return function(file)
   local folder, made = paths.dirname(paths.concat(file)), '/'
   for part in folder:gmatch('[^/]+') do
      local at_root = made == '/'
      made = made .. part .. '/'
      if not at_root then
         paths.mkdir(made)
      end
   end
   return paths.dirp(folder)
end
