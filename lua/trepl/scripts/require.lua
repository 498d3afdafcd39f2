--- `require` for files beside the calling one, as Torch7's th has it.
--
-- A name that begins with a point is a file's, relative to the file that asks: require './x',
-- '../x', './x.lua', './data.json'. In this order: name.lua, the file itself by its kind, name.th,
-- .t7, .net, .json, .csv, .so, name/init.lua. Any other name is a module's, as ever; one that is
-- not found is looked for beside the calling file at last.
-- @module trepl.scripts.require
local lfs = require 'lfs'
local errors = require 'torch.errors'
local paths = require 'paths.names'
local kinds = require 'trepl.scripts.kinds'

local M = {}

local original -- Lua's require
local folders = {} -- of the files whose loading has begun and not ended

local function folder_of(source)
   return source:match '^@(.*)/[^/]*$' or (source:sub(1, 1) == '@' and '.' or nil)
end

-- The folder of the code that called; the current one for what is typed at a prompt. A file that
-- ends in `return require './x'` is no longer on the stack: the one that is being loaded is it.
local function caller(level)
   local info = debug.getinfo(level + 1, 'S')
   while info and info.what ~= 'C' and info.source == debug.getinfo(1, 'S').source do
      level = level + 1
      info = debug.getinfo(level + 1, 'S')
   end
   local folder = info and info.what ~= 'C' and folder_of(info.source)
   return folder or (info and info.what == 'C' and folders[#folders]) or '.'
end

local function is_file(path)
   return lfs.attributes(path, 'mode') == 'file'
end

--- The file that a path without its ending means; nil and where it was looked for.
function M.find(path)
   local tried = {}
   for _, suffix in ipairs { '.lua', '', '.th', '.t7', '.net', '.json', '.csv', '.so',
      '/init.lua' } do
      if is_file(path .. suffix) then
         return path .. suffix
      end
      tried[#tried + 1] = ("\n\tno file '%s'"):format(path .. suffix)
   end
   return nil, table.concat(tried)
end

-- Load a file once, however it is named.
local function load(path)
   package.preload[path] = package.preload[path] or function()
      folders[#folders + 1] = path:match '^(.*)/'
      local values = { pcall(kinds.load, path) }
      folders[#folders] = nil
      if not values[1] then
         error(values[2], 0)
      end
      return values[2]
   end
   return original(path)
end

--- As Lua's require; the names above.
function M.require(name)
   if type(name) ~= 'string' or name:sub(1, 1) ~= '.' then
      return original(name)
   end
   local path, tried = M.find(paths.concat(caller(2) .. '/' .. name))
   if not path then
      error(("module '%s' not found:%s"):format(name, tried), 2)
   end
   return load(path)
end

-- The last of Lua's searchers: a module beside the calling file.
local function beside(name)
   local level = 3
   local info = debug.getinfo(level, 'S')
   while info and (info.what == 'C' or info.source == debug.getinfo(1, 'S').source) do
      level = level + 1
      info = debug.getinfo(level, 'S')
   end
   if not info or errors.isLibrary(info.source) then
      return nil -- a library asks for packages
   end
   local path = paths.concat((folder_of(info.source) or '.') .. '/' .. name:gsub('%.', '/'))
   for _, suffix in ipairs { '.lua', '/init.lua' } do
      if is_file(path .. suffix) then
         return function()
            return kinds.load(path .. suffix)
         end
      end
   end
   return ("\n\tno file '%s.lua'"):format(path)
end

--- A script's folder, for the files that it requires.
function M.within(folder)
   folders[1] = folder
end

--- Put this `require` in the place of Lua's.
function M.install()
   if not original then
      original = require
      rawset(_G, 'require', M.require)
      table.insert(package.loaders, beside)
   end
end

return M
