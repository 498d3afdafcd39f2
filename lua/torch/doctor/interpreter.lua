--- The interpreter, and where it finds what it runs.
-- @module torch.doctor.interpreter
local traversal = require 'torch.traversal'

local M = {}

-- Every file that a search path has for a module.
local function all(name, path)
   local files, seen = {}, {}
   for template in path:gmatch '[^;]+' do
      local file = template:gsub('%?', (name:gsub('%.', '/')))
      local handle = not seen[file] and io.open(file)
      seen[file] = true
      if handle then
         handle:close()
         files[#files + 1] = file
      end
   end
   return files
end

-- A second torch, such as Torch7's own, that LUA_PATH or LUA_CPATH leads to.
local function other_torch(report)
   local files = all('torch', package.path)
   if #files > 1 then
      report:problem(('there are %d packages named torch: %s; the first is taken'):format(#files,
         table.concat(files, ', ')), 'Take the others out of LUA_PATH')
   end
   local libraries = all('libTH', package.cpath)
   if #libraries > 1 and libraries[1]:gsub('//', '/') ~= libraries[2]:gsub('//', '/') then
      report:problem(('there are %d libTH.so: %s; the first is taken'):format(#libraries,
         table.concat(libraries, ', ')), 'Take the others out of LUA_CPATH')
   end
   return files[1], libraries[1]
end

function M.examine(report)
   report:section 'Interpreter'
   report:line('LuaJIT', jit.version .. (jit.prngstate and " (OpenResty's branch)" or ''))
   report:line('compiler', jit.status() and 'on' or 'off')
   report:line('system', ('%s %s'):format(jit.os, jit.arch))
   local lua, c = other_torch(report)
   report:line('Lua files', lua)
   report:line('libTH', c)
   if traversal.faulty then
      report:problem('this LuaJIT compiles loops over tables wrongly; they are interpreted '
         .. 'instead, which is slower', 'Debian: apt install luajit2, which replaces luajit')
   end
   if not jit.status() then
      report:problem('the compiler is off: loops run ten to fifty times slower',
         "Do without `-joff` and jit.off()")
   end
   if jit.arch ~= 'x64' and jit.arch ~= 'arm64' then
      report:note(('%s is no architecture that is tested'):format(jit.arch),
         'Run the tests: ctest --preset cpu')
   end
end

return M
