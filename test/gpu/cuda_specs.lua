-- The spec files of busted's task `cuda`, a line each: for those who run every file by itself.
local lfs = require 'lfs'

local task = dofile('.busted').cuda

local function left_out(name)
   for _, pattern in ipairs(task['exclude-pattern']) do
      if name:match(pattern) then
         return true
      end
   end
   return false
end

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
      if lfs.attributes(inside, 'mode') == 'directory'
         or name:match '_spec%.lua$' and not left_out(name) then
         walk(inside)
      end
   end
end

for _, root in ipairs(task.ROOT) do
   walk(root)
end
