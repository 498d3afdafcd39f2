--- Which files a script needs: what it and its modules `require`, by their text.
--
-- Names that are put together while the script runs are not seen; `--add` is for them.
-- @module trepl.bundle.modules
local lfs = require 'lfs'
local paths = require 'paths.names'
local beside = require 'trepl.scripts.require'

local M = {}

-- What LuaJIT has built in.
local BUILT_IN = { _G = true, bit = true, coroutine = true, debug = true, ffi = true, io = true,
   jit = true, math = true, os = true, package = true, string = true, table = true,
   ['jit.opt'] = true, ['jit.util'] = true, ['jit.profile'] = true, ['string.buffer'] = true,
   ['table.clear'] = true, ['table.new'] = true, ['table.clone'] = true, ['table.isarray'] = true,
   ['table.isempty'] = true, ['table.nkeys'] = true, ['thread.exdata'] = true,
   ['thread.exdata2'] = true }

--- What a text asks for: list of { name, file = whether it names a file and no module }.
-- Lines that are comments are left out.
function M.asked(text)
   local list = {}
   text = ('\n' .. text):gsub('\n%s*%-%-[^\n]*', '\n')
   for _, opening in ipairs { 'require%s*[%(,]?%s*', 'paths%.dofile%s*%(?%s*',
      'include%s*%(?%s*' } do
      for _, quotes in ipairs { "'([^'\n]+)'", '"([^"\n]+)"', '%[%[([^%]\n]+)%]%]' } do
         for name in text:gmatch('%f[%w_]' .. opening .. quotes) do
            list[#list + 1] = { name = name, file = opening:sub(1, 7) ~= 'require' }
         end
      end
   end
   return list
end

local function is_file(path)
   return lfs.attributes(path, 'mode') == 'file'
end

-- A template of package.path, and what it makes of a name: 'lua/socket.lua'.
local function on_path(name, templates)
   local stem = name:gsub('%.', '/')
   for template in templates:gmatch '[^;]+' do
      local path = template:gsub('%?', (stem:gsub('%%', '%%%%')))
      if is_file(path) then
         return path, stem .. template:match '%?(.*)$'
      end
   end
   return nil
end

--- Where a module is, for the file that asks for it.
-- @param name as it was given to `require`
-- @param folder string: of the file that asks
-- @return kind, path, name within the bundle's folder: 'script' (beside the script), 'lua', 'c';
-- 'built in'; nil: it is nowhere
function M.locate(name, folder)
   if name:sub(1, 1) == '.' then
      local path = beside.find(paths.concat(folder .. '/' .. name))
      return path and 'script', path
   elseif BUILT_IN[name] then
      return 'built in'
   end
   local stem = name:gsub('%.', '/')
   for _, suffix in ipairs { '.lua', '/init.lua' } do
      local path = paths.concat(folder .. '/' .. stem .. suffix)
      if is_file(path) then
         return 'script', path
      end
   end
   local path, inner = on_path(name, package.path)
   if path then
      return 'lua', path, 'lua/' .. inner
   end
   path, inner = on_path(name, package.cpath)
   if not path and name:find '%.' then -- a library with several modules goes by the first name
      path, inner = on_path(name:match '^[^.]+', package.cpath)
   end
   if path then
      return 'c', path, 'lib/' .. inner
   end
   return nil
end

return M
