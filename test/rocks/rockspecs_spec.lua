-- The rockspecs, as write.lua writes them.
local lfs = require 'lfs'
local shell = require 'test.support.shell'
local packages = dofile 'rocks/tools/packages.lua'

local run, read, with_folder = shell.run, shell.read, shell.with_folder

local function rockspec(path)
   local fields = {}
   setfenv(assert(loadfile(path)), fields)()
   return fields
end

local function names_in(folder, pattern)
   local names = {}
   for name in lfs.dir(folder) do
      names[#names + 1] = name:match(pattern)
   end
   table.sort(names)
   return names
end

describe('the rockspecs', function()
   it('are what write.lua writes', function()
      with_folder(function(folder)
         local copy = 'cp -r rocks CMakeLists.txt %s && cd %s && rm rocks/*.rockspec && '
            .. 'luajit rocks/tools/write.lua && diff -r rocks %s/rocks'
         assert.same({ '', 0 }, { run(copy:format(folder, folder, lfs.currentdir())) })
      end)
   end)

   it('hold each folder of lua once; what has no folder holds nothing', function()
      local folders, full = {}, {}
      for _, name in ipairs(names_in('lua', '^%w+$')) do
         folders[name] = true
      end
      for _, package in ipairs(packages) do
         if package.folder then -- within the folder of another rock
            assert.equal('directory', lfs.attributes('lua/' .. package.folder, 'mode'))
            assert.is_nil(folders[package[1]])
         elseif not package.empty then
            full[package[1]] = true
            assert.is_true(folders[package[1]])
         end
      end
      -- Those that the rock torch has with it.
      local with_torch = read 'lib/cmake/lua_packages.cmake':match 'set%(torch_packages ([^)]*)'
      for name in with_torch:gmatch '%w+' do
         full[name] = true
      end
      assert.same(folders, full)
   end)

   it('leave what another rock has within their folder to that one', function()
      local inner = {}
      for _, package in ipairs(packages) do
         inner[#inner + 1] = package.folder and package.folder:match '^torch/(.*)$'
      end
      table.sort(inner)
      local left_out = read 'lib/cmake/lua_packages.cmake':match 'set%(torch_folders ([^)]*)'
      local words = {}
      for word in left_out:gmatch '%S+' do
         words[#words + 1] = word
      end
      table.sort(words)
      assert.same(inner, words)
      with_folder(function(folder)
         local install = 'bash rocks/tools/build.sh install train %s %s/lua %s/lib %s/bin && ls '
            .. '%s/lua/torch'
         assert.same({ 'train\n', 0 }, { run(install:format(folder, folder, folder, folder,
            folder)) })
      end)
   end)

   -- A file that is read asks at once for what stands at its left edge; what a function asks for is
   -- there where the function is of use.
   it('name all the rocks that their files ask for when they are read', function()
      local rock_of, within, by_name = {}, {}, {}
      for _, package in ipairs(packages) do
         by_name[package[1]] = package
         if package.folder then
            within[package.folder:gsub('/', '.')] = package[1]
         elseif not package.empty then
            rock_of[package[1]] = package[1]
         end
      end
      for name in read 'lib/cmake/lua_packages.cmake':match 'set%(torch_packages ([^)]*)'
         :gmatch '%w+' do
         rock_of[name] = 'torch'
      end
      local function owner(module)
         return within[module:match '^[^.]+%.[^.]+'] or rock_of[module:match '^[^.]+']
      end
      local function needs(name, set)
         set[name] = true
         for _, need in ipairs(by_name[name][3]) do
            needs(need, set)
         end
         return set
      end
      local asked = 0
      for path in run "find lua -name '*.lua'":gmatch '[^\n]+' do
         local rock = owner((path:gsub('^lua/', ''):gsub('%.lua$', ''):gsub('/', '.')))
         local allowed = needs(rock, {})
         for line in ('\n' .. read(path)):gmatch '\n(%a[^\n]*)' do
            line = line:gsub('"[^"]* [^"]*"', '') -- sentences
            for module in line:gmatch 'require[ (]*[\'"]([%w_.]+)' do
               asked = asked + 1
               local other = owner(module)
               assert(not other or allowed[other], ('%s of rock %s asks for %s of rock %s'):format(
                  path, rock, module, tostring(other)))
            end
         end
      end
      assert.is_true(asked > 1000)
   end)

   it('come in an order in which they can be installed', function()
      local seen = {}
      for _, package in ipairs(packages) do
         for _, need in ipairs(package[3]) do
            assert.is_true(seen[need], package[1] .. ' before ' .. need)
         end
         seen[package[1]] = true
      end
   end)

   it("of a release have CMakeLists.txt's version, also for each other, and the address", function()
      with_folder(function(folder)
         local write = 'luajit rocks/tools/write.lua %s http://x/y.tar.gz'
         assert.same({ '', 0 }, { run(write:format(folder)) })
         local version = read 'CMakeLists.txt':match 'LuaTorch VERSION (%d+%.%d+%.%d+)'
         local found = rockspec(('%s/nngraph-%s-1.rockspec'):format(folder, version))
         assert.equal(version .. '-1', found.version)
         assert.same({ url = 'http://x/y.tar.gz', dir = 'luatorch-' .. version }, found.source)
         assert.same({ 'lua >= 5.1, < 5.2', 'torch == ' .. version, 'nn == ' .. version,
            'graph == ' .. version }, found.dependencies)
         assert.equal(#packages, #names_in(folder, '^.*%.rockspec$'))
      end)
   end)
end)
