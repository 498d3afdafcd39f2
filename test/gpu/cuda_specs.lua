-- The spec files of busted's task `cuda`, a line each: for those who run every file by itself.
local lfs = require 'lfs'

local function walk(path)
   if lfs.attributes(path, 'mode') == 'file' then
      print(path)
      return
   end
   local names = {}
   for name in lfs.dir(path) do
      if name:sub(1, 1) ~= '.' then
         names[#names + 1] = name
      end
   end
   table.sort(names)
   for _, name in ipairs(names) do
      local inside = path .. '/' .. name
      if lfs.attributes(inside, 'mode') == 'directory' or name:match '_spec%.lua$' then
         walk(inside)
      end
   end
end

for _, root in ipairs(dofile('.busted').cuda.ROOT) do
   walk(root)
end
