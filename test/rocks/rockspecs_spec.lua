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

-- What CMake keeps of an earlier compilation must not count: both are said each time.
describe('compiling cutorch', function()
   -- The words that CMake is configured with, under the environment; what debian.sh is asked then.
   local function configured(environment)
      local words, asked
      with_folder(function(folder)
         programs(folder, {
            cmake = 'test "$1" != -S || printf "%s\\n" "$@" >"$HOME/words"; exit 1',
            nvcc = 'exit 1',
         })
         local tools = folder .. '/checkout/lib/cmake'
         assert.equal(0, os.execute(('mkdir -p %s && cp -r rocks %s/checkout'):format(tools,
            folder)))
         programs(tools, { ['debian.sh'] = 'echo "$*" >"$HOME/asked"; exit 1' })
         run(('cd %s/checkout && env -i PATH=%s:/usr/bin:/bin HOME=%s TH_LIBRARY=/x/libTH.so %s '
            .. 'bash rocks/tools/build.sh compile cutorch %s'):format(folder, folder, folder,
            environment, folder))
         words, asked = {}, read(folder .. '/asked')
         for word in read(folder .. '/words'):gmatch '[^\n]+' do
            local name, value = word:match '^%-D([%w_]+)=(.*)$'
            if name then
               words[name] = value:gsub('^' .. folder:gsub('%p', '%%%0'), 'F')
            end
         end
      end)
      return words, asked
   end

   local function words(cuda, sim, more)
      local all = { CMAKE_BUILD_TYPE = 'Release', BUILD_TESTING = 'OFF', TH_LIBRARY = '/x/libTH.so',
         TH_CUDA = cuda, TH_SIM = sim }
      for name, value in pairs(more or {}) do
         all[name] = value
      end
      return all
   end

   it('is with CUDA where nvcc is, or it is said', function()
      local devices = { CMAKE_CUDA_COMPILER = 'F/nvcc',
         CMAKE_CUDA_ARCHITECTURES = '80-real;90-real;100' }
      assert.same({ words('ON', 'OFF', devices), '--check cutorch compile run\n' },
         { configured '' })
      assert.same(words('ON', 'OFF', devices), (configured 'TH_CUDA=ON TH_SIM=ON'))
      devices.CMAKE_CUDA_ARCHITECTURES = '75'
      assert.same(words('ON', 'OFF', devices), (configured 'TH_CUDA=ON CUDAARCHS=75'))
   end)

   it('is without CUDA where it is said', function()
      assert.same({ words('OFF', 'OFF'), '--check cutorch compile run\n' },
         { configured 'TH_CUDA=OFF' })
   end)

   it("has simulated devices where it is said, and debian.sh's list of them is read", function()
      assert.same({ words('OFF', 'ON'), '--check cutorch compile run sim\n' },
         { configured 'TH_CUDA=OFF TH_SIM=ON' })
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
         local tree = ('--tree %s/nn'):format(lfs.currentdir())
         assert.same({ line(tree, 'torch') .. line(tree, 'dok') .. line(tree, 'image'), 0 },
            { run(make .. '--tree nn image') })
         assert.same({ line('--local', 'torch') .. line('--local', 'nn') .. line('--local', 'graph')
            .. line('--local', 'nngraph') .. 'make.lua: nngraph failed, see above\n', 1 },
            { run(make .. 'nngraph --local') })
      end)
   end)

   -- What LuaRocks is told by a call from the folder `my 'place`, and where it stands then.
   local function told(words)
      local output, status
      with_folder(function(folder)
         programs(folder, { luarocks = 'pwd; printf "<%s>" "$@"; echo' })
         output, status = run(([[mkdir "%s/my 'place" && cd "%s/my 'place" && ]]
            .. 'PATH=%s:$PATH luajit %s/rocks/tools/make.lua %s'):format(folder, folder, folder,
            lfs.currentdir(), words))
         output = output:gsub(folder:gsub('%p', '%%%0'), 'F')
            :gsub(lfs.currentdir():gsub('%p', '%%%0'), 'ROOT')
      end)
      return output, status
   end

   it('sees folders from where it is called', function()
      local line = 'ROOT\n<make>%s<rocks/torch-scm-1.rockspec>\n'
      for words, heard in pairs {
         ['--tree T'] = "<--tree><F/my 'place/T>",
         ['--tree ../T --lua-version 5.1'] = "<--tree><F/my 'place/../T><--lua-version><5.1>",
         ['--tree=T'] = "<--tree=F/my 'place/T>",
         ['--tree /opt/t'] = '<--tree></opt/t>',
         ['--tree user'] = '<--tree><user>',
         ['--only-server=https://example.org/a'] = '<--only-server=https://example.org/a>',
         ['--only-server out CC=cc'] = "<--only-server><F/my 'place/out><CC=cc>",
      } do
         assert.same({ line:format(heard), 0 }, { told(words .. ' torch') })
      end
   end)

   it('refuses a word that is no rock, and says what is near', function()
      assert.same({ "make.lua: there is no rock 'nngrpah'; near: nngraph; "
         .. 'rocks/tools/packages.lua lists them\n', 2 }, { told '--tree T nn nngrpah' })
      assert.same({ "make.lua: there is no rock 'T'; rocks/tools/packages.lua lists them\n", 2 },
         { told 'T' })
   end)
end)
