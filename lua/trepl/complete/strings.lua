--- What may stand in a string: a file's name, a module's after `require`, a class of torch's.
-- @module trepl.complete.strings
local lfs = require 'lfs'
local registry = require 'torch.class.registry'

local M = {}

local function is_folder(path)
   return lfs.attributes(path, 'mode') == 'directory'
end

local function entries(folder)
   local names = {}
   local ok = pcall(function()
      for name in lfs.dir(folder) do
         names[#names + 1] = name
      end
   end)
   return ok and names or {}
end

--- Files whose names begin as a text does; folders end in '/'.
function M.files(typed)
   local folder, start = typed:match '^(.*/)([^/]*)$'
   folder, start = folder or '', start or typed
   local where = folder == '' and '.' or folder
   if where:sub(1, 2) == '~/' then
      where = (os.getenv 'HOME' or '~') .. where:sub(2)
   end
   local list = {}
   for _, name in ipairs(entries(where)) do
      local hidden = name:sub(1, 1) == '.'
      if name:sub(1, #start) == start and name ~= '.' and name ~= '..'
         and (not hidden or start:sub(1, 1) == '.') then
         list[#list + 1] = folder .. name .. (is_folder(where .. '/' .. name) and '/' or '')
      end
   end
   table.sort(list)
   return list
end

--- Modules that `require` would find.
function M.modules(typed)
   local folder, start = typed:match '^(.*)%.([^.]*)$'
   local prefix = folder and folder .. '.' or ''
   folder, start = (folder or ''):gsub('%.', '/'), start or typed
   local list, seen = {}, {}
   local function add(name)
      if name:sub(1, #start) == start and not name:find '^%.' and not seen[name] then
         seen[name] = true
         list[#list + 1] = prefix .. name
      end
   end
   for template in (package.path .. ';' .. package.cpath):gmatch '[^;]+' do
      local root, suffix = template:match '^([^?]*)%?(.*)$'
      local where = root and root .. folder or nil
      if where and where ~= '' and where ~= './' then
         for _, name in ipairs(entries(where)) do
            if name:sub(-#suffix) == suffix and not suffix:find '/' then
               add(name:sub(1, -#suffix - 1))
            elseif suffix == '/init.lua' and lfs.attributes(where .. '/' .. name .. suffix) then
               add(name)
            end
         end
      end
   end
   table.sort(list)
   return list
end

local function classes(typed)
   local list = {}
   for name in pairs(registry.classes) do
      if name:sub(1, #typed) == typed then
         list[#list + 1] = name
      end
   end
   table.sort(list)
   return list
end

--- @param before string: the text up to the string's quote
-- @param typed string: what the string holds so far
-- @return list of texts
function M.candidates(before, typed)
   if before:find 'require%s*%(?%s*["\']$' and typed:sub(1, 1) ~= '.' then
      return M.modules(typed)
   end
   local list = M.files(typed)
   if typed:find '^%a+%.' then
      for _, name in ipairs(classes(typed)) do
         list[#list + 1] = name
      end
   end
   return list
end

return M
