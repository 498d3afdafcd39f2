-- th --bundle: programs in one file, run without anything of the machine but glibc.
local lfs = require 'lfs'
local torch = require 'torch'
local nn = require 'nn'
local shell = require 'test.support.shell'
local support = require 'test.examples.support'

local th = assert(os.getenv 'TH_EXECUTABLE', 'run busted by way of th')
local quoted, run = shell.quoted, shell.run

if os.getenv 'LD_PRELOAD' then
   describe('th --bundle', function()
      it('refuses a build with sanitizers', function()
         local output, status = run(quoted(th) .. ' --bundle examples/embed/export.lua')
         assert.equal(1, status)
         assert.matches('this build has sanitizers', output)
      end)
   end)
   return
end

local SCRIPT = [[
require 'nn'
local paths = require 'paths'
local describe = require 'words'
local twice = require './parts/twice'
if arg[1] == 'status' then
   os.exit(tonumber(arg[2]))
elseif arg[1] == 'wait' then
   io.write 'ready\n' io.flush()
   while true do os.execute 'true' end
elseif arg[1] == 'require' then
   require(arg[2])
elseif arg[1] == 'libraries' then
   require 'image' require 'threads' require 'tds'
   torch.gesv(torch.rand(2, 1), torch.eye(2))
   for line in io.lines '/proc/self/maps' do
      local path = line:match '%s(/%S+%.so%S*)$'
      if path then print(path) end
   end
   os.exit(0)
elseif arg[1] == 'environment' then
   print(os.getenv 'LD_LIBRARY_PATH', os.getenv 'LUA_PATH', os.getenv 'TH_BUNDLE_LIBRARY_PATH')
   os.exit(0)
elseif arg[1] == 'program' then
   os.execute(paths.thisfile 'parts/program.sh')
   os.exit(0)
elseif arg[1] == 'error' then
   error 'it went wrong'
end
local net = torch.load(paths.thisfile 'models/net.t7')
local x = torch.FloatTensor(2, 3):fill(0.5)
print(describe(twice(net:forward(x):sum())))
print(torch.symeig(torch.Tensor { { 2, 0 }, { 0, 3 } })[2])
print(paths.basename(arg[0]), #arg, unpack(arg))
print(io.read '*a')
]]

describe('th --bundle', function()
   local folder, app

   local function bundle(words)
      return run(('cd %s && %s --bundle %s'):format(folder, quoted(th), words))
   end

   -- Run a bundle with an empty environment; stdin is empty.
   local function start(words, cache, program)
      return run(('env -i LUATORCH_BUNDLES=%s %s %s < /dev/null'):format(
         cache or folder .. '/cache', program or app, words or ''))
   end

   local function cached(cache)
      local list = {}
      for name in lfs.dir(cache or folder .. '/cache') do
         if name:find '^%x+$' then
            list[#list + 1] = (cache or folder .. '/cache') .. '/' .. name
         end
      end
      return list
   end

   setup(function()
      folder = support.folder()
      app = folder .. '/elsewhere/app'
      assert.equal(0, os.execute(('cd %s && mkdir -p source/parts source/models elsewhere')
         :format(folder)))
      support.write(folder .. '/source/main.lua', SCRIPT)
      support.write(folder .. '/source/words.lua',
         "return function(x) return ('sum %.3f'):format(x) end")
      support.write(folder .. '/source/parts/twice.lua', 'return function(x) return 2 * x end')
      support.write(folder .. '/source/parts/program.sh', '#!/bin/sh\necho it runs\n')
      os.execute(('chmod +x %s/source/parts/program.sh'):format(folder))
      torch.save(folder .. '/source/models/net.t7',
         nn.Sequential():add(nn.Linear(3, 4)):add(nn.SoftMax()):float())
      local output, status = bundle('source/main.lua source/models '
         .. '--add source/parts/program.sh -o elsewhere/app')
      assert.equal(0, status, output)
      assert.matches('^elsewhere/app: %d+%.%d MiB, %d+ files of %d+%.%d MiB\n$', output)
      -- From here on neither sources nor models are where they were.
      assert.equal(0, os.execute(('mv %s/source %s/gone'):format(folder, folder)))
   end)

   teardown(function()
      support.remove(folder)
   end)

   it('makes a program that does what the script does', function()
      local expected = run(('cd / && echo text | %s %s/gone/main.lua a "b c" -x'):format(quoted(th),
         folder))
      assert.matches('^sum 4%.000\n3\nmain%.lua\t3\ta\tb c\t%-x\ntext\n', expected)
      local command = 'cd / && echo text | env -i LUATORCH_BUNDLES=%s/cache %s a "b c" -x'
      local output, status = run(command:format(folder, app))
      assert.same({ expected, 0 }, { output, status })
   end)

   it("brings all libraries but glibc's", function()
      local output, status = start 'libraries'
      assert.equal(0, status, output)
      local own = {}
      for path in output:gmatch '[^\n]+' do
         local name = path:match '[^/]*$'
         if path:sub(1, #folder) == folder then
            own[#own + 1] = name
         else
            local glibc = name:match '^ld%-linux' or name:match '^ld%-[%d.]+so'
               or name:match '^lib(%a+)[-.]'
            assert.is_truthy(({ ['ld-linux'] = 1, c = 1, m = 1, mvec = 1, dl = 1, pthread = 1,
               rt = 1 })[glibc], path)
         end
      end
      own = table.concat(own, ' ')
      for _, name in ipairs { 'libTH.so', 'libdnnl.so.2', 'libopenblas.so.0', 'libgomp.so.1',
         'libstdc++.so.6', 'libgcc_s.so.1', 'libthreads.so', 'libtds.so', 'libTHimage.so',
         'lfs.so' } do
         assert.matches(name, own, 1, true)
      end
   end)

   it('keeps programs among its files executable', function()
      assert.same({ 'it runs\n', 0 }, { start 'program' })
   end)

   it('hands on exit status, errors and signals', function()
      assert.same({ '', 7 }, { start 'status 7' })
      local output, status = start 'error'
      assert.equal(1, status)
      assert.matches('main%.lua:%d+: it went wrong', output)
      output = run(([[
         mkfifo %s/pipe
         env -i LUATORCH_BUNDLES=%s/cache %s wait > %s/pipe & app=$!
         read line < %s/pipe
         kill -TERM $app
         wait $app
         echo "$line $?"]]):format(folder, folder, app, folder, folder))
      assert.matches('ready 143\n$', output)
   end)

   it("leaves the user's environment to the programs that it starts", function()
      local output = run(('env -i LUATORCH_BUNDLES=%s/cache LD_LIBRARY_PATH=/mine LUA_PATH=x %s '
         .. 'environment'):format(folder, app))
      assert.equal('/mine\tx\tnil\n', output)
      assert.equal('nil\tnil\tnil\n', (start 'environment'))
   end)

   it('names modules that it was made without', function()
      local output, status = start 'require socket.core'
      assert.equal(1, status)
      assert.matches("module 'socket%.core' not found", output)
      assert.matches('not in this bundle.*%-%-add socket%.core', output)
   end)

   it('unpacks once when many start at once', function()
      local cache = folder .. '/many'
      assert(lfs.mkdir(cache))
      local output = run(([[
         for i in 1 2 3 4 5 6; do
            env -i LUATORCH_BUNDLES=%s %s status $i & list="$list $!"
         done
         for process in $list; do wait $process; echo $?; done]]):format(cache, app))
      assert.equal('1\n2\n3\n4\n5\n6\n', output)
      local folders = cached(cache)
      assert.equal(1, #folders)
      for name in lfs.dir(folders[1]) do
         assert.not_matches('^%.part', name)
      end
   end)

   it('mends a folder that a killed start or somebody else left incomplete', function()
      local cache = folder .. '/killed'
      assert(lfs.mkdir(cache))
      local killed = 'env -i LUATORCH_BUNDLES=%s %s status 0 & sleep 0.1; kill -9 $!; wait'
      run(killed:format(cache, app))
      assert.same({ '', 3 }, { start('status 3', cache) })
      local inner = cached(cache)[1]
      assert(os.remove(inner .. '/app/words.lua'))
      support.write(inner .. '/lib/libTH.so', 'cut')
      support.write(inner .. '/.part-1', 'left behind')
      assert.same({ '', 4 }, { start('status 4', cache) })
      assert.is_nil(lfs.attributes(inner .. '/.part-1'))
   end)

   it('says that it is damaged, wherever, and runs nothing', function()
      local whole = support.read(app)
      local size = #whole
      local copy = folder .. '/copy'
      local function broken(bytes)
         support.write(copy, bytes)
         os.execute('chmod +x ' .. copy)
         local cache = folder .. '/broken'
         assert(lfs.mkdir(cache))
         local output, status = start('status 0', cache, copy)
         os.execute('rm -r ' .. cache)
         assert.equal(126, status, output)
         assert.matches(copy .. ' is damaged or incomplete %(', output)
      end
      local function flipped(at)
         local byte = string.char(255 - whole:byte(at))
         return whole:sub(1, at - 1) .. byte .. whole:sub(at + 1)
      end
      broken(whole:sub(1, size - 1))
      broken(whole:sub(1, math.floor(size * 0.7)))
      broken(whole .. 'more')
      for _, at in ipairs { size - 2, size - 20, size - 38, size - 100, math.floor(size / 2) } do
         broken(flipped(at))
      end
   end)

   it('says where it cannot be unpacked, and why', function()
      support.write(folder .. '/file', '')
      local output, status = start('status 0', folder .. '/file')
      assert.equal(126, status)
      assert.matches('there is no place to unpack %d+ MiB of files:\n  .*/file: not a folder\n'
         .. 'LUATORCH_BUNDLES=FOLDER', output)
      local open = folder .. '/open'
      assert.equal(0, os.execute(('mkdir %s && chmod 777 %s'):format(open, open)))
      output, status = start('status 0', open)
      assert.equal(126, status)
      assert.matches('other users may write there', output)
   end)

   it('tries one place after the other where none is chosen', function()
      support.write(folder .. '/file', '')
      local output, status = run(('env -i HOME=%s XDG_CACHE_HOME=%s/xdg %s status 5'):format(
         folder .. '/file', folder, app))
      assert.same({ '', 5 }, { output, status })
      assert.equal('directory', lfs.attributes(folder .. '/xdg/luatorch/bundles', 'mode'))
   end)

   local root = run 'id -u' == '0\n' and it or function(name)
      pending(name .. ': wants to be root')
   end

   root('says that a disk is full, or that nothing runs from it', function()
      local mounted = folder .. '/mounted'
      assert(lfs.mkdir(mounted))
      local reasons = { ['size=1m'] = ': 1 MiB are free', noexec = 'mounted noexec' }
      for options, reason in pairs(reasons) do
         local _, failed = run(('mount -t tmpfs -o %s,mode=700 none %s'):format(options, mounted))
         if failed ~= 0 then
            pending 'mount is not allowed here'
            return
         end
         local output, status = start('status 0', mounted)
         os.execute('umount ' .. mounted)
         assert.equal(126, status)
         assert.matches(reason, output, 1, true)
      end
   end)

   local debian = run 'command -v dpkg' ~= '' and root or function(name)
      pending(name .. ': wants to know the files of libc6')
   end

   -- A root that has the files of the package libc6, and nothing else: no shell, no /proc.
   debian('runs where there is glibc and nothing else', function()
      local bare = folder .. '/bare'
      local output, status = run(([[(
         set -e
         mkdir -p %s/tmp
         dpkg -L libc6 | grep -E '/lib.*/(lib|ld-)[^/]*\.so' | sort -u > %s/list
         tar -C / -ch -T %s/list 2>/dev/null | tar -C %s -x
         test -e %s/lib64 || { mkdir %s/lib64; cp -L /lib64/ld-* %s/lib64; }
         cp %s %s/app
         for i in 1 2; do
            env -i "$(command -v chroot)" %s /app first second < /dev/null
         done)]]):format(bare, bare, bare, bare, bare, bare, bare, app, bare, bare))
      assert.equal(0, status, output)
      local once = 'sum 4.000\n3\nmain.lua\t2\tfirst\tsecond\n\n'
      assert.equal(once .. once, output)
   end)
end)

describe("th --bundle's words", function()
   local function fails(words, status, text)
      local output, got = run(('%s --bundle %s'):format(quoted(th), words))
      assert.equal(status, got, output)
      assert.matches(text, output, 1, true)
   end

   it('are checked', function()
      fails('', 2, 'th: --bundle: there is no script\nusage: th --bundle script.lua')
      fails('--strange', 2, "th: --bundle: unknown option '--strange'")
      fails('app.lua -o', 2, "option '-o' needs a value")
      fails('/tmp -o /tmp/x', 1, "script '/tmp' is a directory")
      fails('/nowhere/app.lua', 1, "script '/nowhere/app.lua' is not there")
      local output, status = run(quoted(th) .. ' -i --bundle app.lua')
      assert.same({ 'th: --bundle must be the first option\n', 2 }, { output, status })
   end)

   it('name files and modules that there are', function()
      shell.with_folder(function(folder)
         local script = folder .. '/app.lua'
         fails(('%s missing.t7 -o %s/app'):format(script, folder), 1,
            "'missing.t7' is no file, no folder and no module that `require` finds")
         fails(('%s -o %s'):format(script, folder), 1, 'is a folder; -o names the program')
         fails(('%s -o %s/nowhere/app'):format(script, folder), 1, 'No such file or directory')
         fails(('%s/broken.lua -o %s/app'):format(folder, folder), 1, 'broken.lua:1:')
         assert.is_nil(lfs.attributes(folder .. '/app'))
         assert.is_nil(lfs.attributes(folder .. '/app.part'))
      end, { ['app.lua'] = 'print(1)', ['broken.lua'] = 'print(' })
   end)
end)

describe('the modules that a text asks for', function()
   local modules = require 'trepl.bundle.modules'

   it('are found in all ways of writing it', function()
      local names = {}
      for _, asked in ipairs(modules.asked [==[
require 'a'
local b = require("b.c")
pcall(require, 'd') require [[e]]
-- require 'commented'
   --- require 'commented'
local f = paths.dofile './f.lua' include('g.lua')
required 'not this' myrequire 'nor this' require(name)
]==]) do
         names[#names + 1] = (asked.file and 'file ' or '') .. asked.name
      end
      table.sort(names)
      assert.same({ 'a', 'b.c', 'd', 'e', 'file ./f.lua', 'file g.lua' }, names)
   end)
end)

describe('what goes into a bundle', function()
   local contents = require 'trepl.bundle.contents'

   -- Names within the folder of a bundle -> where the file comes from; notes.
   local function collected(files, script, additions)
      local names, told = {}, nil
      shell.with_folder(function(folder)
         local path = package.path
         package.path = folder .. '/modules/?.lua;' .. folder .. '/modules/?/init.lua;' .. path
         for i, what in ipairs(additions or {}) do
            additions[i] = what:gsub('^@', folder)
         end
         local ok, list, notes = pcall(contents.collect, folder .. '/' .. script, additions or {})
         package.path = path
         assert(ok, list)
         for _, file in ipairs(list) do
            assert.is_nil(names[file.name], file.name)
            names[file.name] = file.text or file.from
         end
         told = table.concat(notes, '\n'):gsub(folder:gsub('%p', '%%%0'), 'F')
      end, files)
      return names, told
   end

   it('comes from an installation, too', function()
      shell.with_folder(function(folder)
         local output, status = run(('cmake --install %s --prefix "%s/a prefix" > /dev/null '
            .. '&& cd %s && "a prefix/bin/th" --bundle app.lua && rm -r "a prefix" '
            .. '&& env -i LUATORCH_BUNDLES=%s/cache ./app'):format(quoted(th:match '^(.*)/bin/th$'),
            folder, folder, folder))
         assert.equal(0, status, output)
         assert.matches('\n3\n$', output)
      end, { ['app.lua'] = 'require "nn" print(nn.Sum(1):forward(torch.ones(3)):sum())' })
   end)

   it('keeps files where they are to each other', function()
      local names = collected({
         ['work/app/main.lua'] = "require './inner/a' require 'b' paths.dofile '../common/c.lua'",
         ['work/app/inner/a.lua'] = "require './d'",
         ['work/app/inner/d.json'] = '{}',
         ['work/app/b.lua'] = '', ['work/app/unused.lua'] = '',
         ['work/common/c.lua'] = "require 'main'", -- of its own folder: not there
         ['work/data/x/1.t7'] = '', ['work/data/2.t7'] = '',
      }, 'work/app/main.lua', { '@/work/data' })
      for _, name in ipairs { 'app/main.lua', 'app/inner/a.lua', 'app/inner/d.json', 'app/b.lua',
         'common/c.lua', 'data/x/1.t7', 'data/2.t7' } do
         assert.is_truthy(names['app/' .. name], name)
      end
      assert.is_nil(names['app/app/unused.lua'])
      assert.matches('script = "app/main%.lua"', names['bundle.lua'])
   end)

   it('has modules of the search path, and says what it did not find', function()
      local names, notes = collected({
         ['main.lua'] = "local m = require 'm' pcall(require, 'absent.module')",
         ['modules/m/init.lua'] = "require 'm.part' require 'ffi' require 'jit.util'",
         ['modules/m/part.lua'] = '', ['modules/dynamic.lua'] = "require 'm.part'",
      }, 'main.lua', { 'dynamic' })
      for _, name in ipairs { 'lua/m/init.lua', 'lua/m/part.lua', 'lua/dynamic.lua' } do
         assert.is_truthy(names[name], name)
      end
      assert.equal("F/main.lua asks for 'absent.module', which is not here", notes)
   end)

   it('has LuaTorch, and the libraries of packages that are named', function()
      local names, notes = collected({ ['main.lua'] = 'require "nn"' }, 'main.lua')
      assert.equal('', notes)
      for _, name in ipairs { 'start.lua', 'bin/luajit', 'lua/torch/init.lua',
         'lua/torch/gen/cdef.lua', 'lua/torch/train/init.lua', 'lua/onnx/init.lua',
         'lua/nn/init.lua', 'lua/pl/lapp.lua', 'lib/lfs.so', 'lib/cjson.so', 'lib/libTH.so',
         'lib/libdnnl.so.2', 'lib/libopenblas.so.0', 'lib/libgfortran.so.5' } do
         assert.is_truthy(names[name], name)
      end
      for name in pairs(names) do
         assert.not_matches('libc%.so', name)
         assert.not_matches('libTHonnx', name)
         assert.not_matches('hdf5_serial', name)
      end
      local with_onnx = collected({ ['main.lua'] = 'require "onnx"' }, 'main.lua', { 'hdf5' })
      assert.is_truthy(with_onnx['lib/libTHonnx.so'])
      local found = false
      for name in pairs(with_onnx) do
         found = found or name:find '^lib/libprotobuf' ~= nil
      end
      assert.is_true(found)
      -- A new library of ours has its place in contents.lua, or among these.
      local elsewhere = { ['libdistributed.so'] = 'wants MPI', ['libTHC.so'] = 'with cutorch alone',
         ['libTHC_sim.so'] = 'for tests', ['libth_failing_new.so'] = 'for tests' }
      for name in lfs.dir(package.searchpath('libTH', package.cpath):match '^(.*)/') do
         if name:find '%.so$' and not elsewhere[name] then
            assert.is_truthy(with_onnx['lib/' .. name], name)
         end
      end
      if pcall(require, 'hdf5') then
         assert.is_truthy(with_onnx['lib/libhdf5_serial.so.103'] or with_onnx['lib/libhdf5.so.103']
            or with_onnx['lib/libhdf5_serial.so.310'] or with_onnx['lib/libhdf5.so.310'])
      end
   end)
end)
