-- The rockspecs, and what they run, without LuaRocks: programs in a folder at the front of the PATH
-- play CMake and dpkg.
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
         if not package.empty then
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

local function programs(folder, texts)
   for name, text in pairs(texts) do
      local file = assert(io.open(folder .. '/' .. name, 'w'))
      file:write('#!/bin/bash\n', text, '\n')
      file:close()
   end
   os.execute('chmod +x ' .. folder .. '/*')
end

describe('compiling a rock', function()
   -- dpkg-query that knows nothing but one package.
   local KNOWS = 'case " $* " in *" %s "*) echo " installed " ;; *) exit 1 ;; esac'
   local COMMAND = 'cd %s && env PATH=%s:/usr/bin:/bin HOME=%s TH_BUILD= TH_CUDA=OFF '
      .. 'bash rocks/tools/build.sh compile %s %s/lib/luarocks/rocks-5.1/x/1'

   local function compile(rock, texts, body)
      with_folder(function(folder)
         programs(folder, texts)
         -- A checkout of its own, for the folder of the build.
         assert.equal(0, os.execute(('mkdir -p %s/lib && cp -r rocks %s && cp -r lib/cmake %s/lib')
            :format(folder, folder, folder)))
         body(folder, run(COMMAND:format(folder, folder, folder, rock, folder)))
      end)
   end

   it('names what is missing in one sentence, with the command, and not what CMake said', function()
      compile('torch', {
         cmake = 'echo "CMake Error: no compiler" >&2; exit 1',
         ['dpkg-query'] = KNOWS:format 'build-essential',
      }, function(_, output, status)
         assert.equal(1, status)
         assert.matches('^torch wants Debian packages that are not installed here; as root: '
            .. 'apt%-get install %-%-no%-install%-recommends cmake libdnnl%-dev [^\n]*\n$', output)
         assert.not_matches('build%-essential', output)
      end)
   end)

   it('shows what CMake said where no package is missing', function()
      compile('torch', {
         cmake = 'echo "CMake Error: the disk is full" >&2; exit 1',
         ['dpkg-query'] = 'echo " installed "',
      }, function(_, output, status)
         assert.same({ 'CMake Error: the disk is full\n', 1 }, { output, status })
      end)
   end)

   it('says that torch comes first', function()
      compile('tds', { cmake = 'exit 1' }, function(folder, output, status)
         if lfs.attributes '/usr/local/lib/lua/5.1/libTH.so' then
            return
         end
         assert.equal(1, status)
         assert.equal('tds: libTH.so of the rock torch is not in ' .. folder .. '/lib/lua/5.1; '
            .. 'TH_LIBRARY=FILE says where else it is\n', output)
      end)
   end)

   it('links with the libTH.so of the tree', function()
      compile('tds', {
         cmake = 'echo "$*" >>"$HOME/calls"; test "$1" != -S',
         ['dpkg-query'] = 'echo " installed "',
      }, function(folder)
         os.execute(('mkdir -p %s/lib/lua/5.1 && touch %s/lib/lua/5.1/libTH.so')
            :format(folder, folder))
         run(COMMAND:format(folder, folder, folder, 'tds', folder))
         assert.matches('-DTH_LIBRARY=' .. folder:gsub('%p', '%%%0') .. '/lib/lua/5.1/libTH.so',
            read(folder .. '/calls'))
      end)
   end)
end)

describe('make.lua', function()
   it('makes what a rock needs before it, hands options on, and stops at a failure', function()
      with_folder(function(folder)
         programs(folder, { luarocks = 'echo "$*"; case "$*" in *nngraph*) exit 1 ;; esac' })
         local make = ('PATH=%s:$PATH luajit rocks/tools/make.lua '):format(folder)
         local function line(options, name)
            return ('make %s rocks/%s-scm-1.rockspec\n'):format(options, name)
         end
         assert.same({ line('--tree nn', 'torch') .. line('--tree nn', 'dok')
            .. line('--tree nn', 'image'), 0 }, { run(make .. '--tree nn image') })
         assert.same({ line('--local', 'torch') .. line('--local', 'nn') .. line('--local', 'graph')
            .. line('--local', 'nngraph') .. 'make.lua: nngraph failed, see above\n', 1 },
            { run(make .. 'nngraph --local') })
      end)
   end)
end)
