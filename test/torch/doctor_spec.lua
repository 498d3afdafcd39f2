-- th --doctor: each room against a machine that is not as it should be.
local torch = require 'torch'
local support = require 'test.support.shell'
local report = require 'torch.doctor.report'
local host = require 'torch.monitor.host'

local th = os.getenv 'TH_EXECUTABLE'

local function examine(room)
   local r = report.new()
   require('torch.doctor.' .. room).examine(r)
   return r
end

local function values(r)
   local all = {}
   for _, section in ipairs(r.sections) do
      for _, line in ipairs(section) do
         all[line[1]] = line[2]
      end
   end
   return all
end

local function has_problem(r, pattern)
   for _, problem in ipairs(r.problems) do
      if problem.what:find(pattern) then
         return problem.remedy
      end
   end
end

describe('the doctor', function()
   it('says what this build was made with and what it found', function()
      local output = support.run(th .. ' --doctor')
      for _, title in ipairs { 'Interpreter', 'Build', 'Libraries of the core, as found',
         'Processor', 'CUDA', 'Packages', 'Libraries and programs of packages' } do
         assert.truthy(('\n' .. output):find('\n' .. title .. '\n', 1, true), title)
      end
      assert.matches('\n  compiler         %u%w+ [%d.]+', output)
      assert.matches('\n  oneDNN           [%d.]+, /', output)
      assert.matches('\n  OpenBLAS         [%d.]+, /%S+, kernels for %w+', output)
      assert.matches('\n  there            torch nn optim', output)
      assert.is_nil(output:find('examination of the', 1, true), output)
   end)

   it('fails where there is a problem, and only there', function()
      local output, status = support.run(th .. ' --doctor')
      assert.equal(output:find 'No problem was found' and 0 or 1, status)
      output, status = support.run(('LUA_INIT="jit.off()" %s --doctor'):format(th))
      assert.equal(1, status)
      assert.matches('%- the compiler is off[^\n]*%.\n    Do without', output)
   end)

   it('gives its report to scripts', function()
      local output = support.run(th .. [[ -e 'local r = torch.doctor()
         print("THEN", #r.sections > 5, type(r.problems), type(r.notes))']])
      assert.matches('\nTHEN\ttrue\ttable\ttable\n$', output)
   end)

   it('goes on when a room fails, and says so', function()
      local doctor = require 'torch.doctor'
      local before = doctor.rooms
      doctor.rooms = { 'processor', 'nowhere' }
      local r = doctor.examine()
      doctor.rooms = before
      assert.equal('Report it, with this text', has_problem(r, 'examination of the nowhere failed'))
      assert.equal('Processor', r.sections[1].title)
   end)

   it('finds a second torch on the path', function()
      support.with_folder(function(folder)
         local before = package.path
         package.path = before .. ';' .. folder .. '/?/init.lua'
         local r = examine 'interpreter'
         package.path = before
         assert.equal('Take the others out of LUA_PATH', has_problem(r, '2 packages named torch'))
      end, { ['torch/init.lua'] = '' })
      assert.is_nil(has_problem(examine 'interpreter', 'packages named torch'))
   end)

   it('finds threads that have no processors', function()
      local n = torch.getnumthreads()
      support.with_folder(function(folder)
         host.root = folder
         torch.setnumthreads(3)
         local r = examine 'processor'
         host.root = ''
         torch.setnumthreads(n)
         assert.matches('^OMP_NUM_THREADS=1 ', has_problem(r, '3 threads share the time of 1%.5'))
         assert.equal('Fine One', values(r).model)
         assert.equal('End other programs; smaller batches', has_problem(r, '^100 MiB of memory'))
      end, {
         ['sys/fs/cgroup/cpu.max'] = '150000 100000\n',
         ['proc/cpuinfo'] = 'processor : 0\nmodel name\t: Fine One\nflags\t\t: fpu sse4_2\n',
         ['proc/meminfo'] = 'MemTotal: 2000000 kB\nMemAvailable: 102400 kB\n',
      })
   end)

   it('finds kernels for less than the processor has', function()
      support.with_folder(function(folder)
         local output = support.run(('TH_INSTRUCTION_SET=v2 %s -e %s'):format(th, support.quoted(([[
            require('torch.monitor.host').root = %q
            torch.doctor()]]):format(folder))))
         if jit.arch == 'x64' then
            assert.matches('the processor has avx2, kernels for %S+ run%.\n    Take '
               .. 'TH_INSTRUCTION_SET out', output)
         end
      end, { ['proc/cpuinfo'] = 'processor : 0\nflags\t\t: fpu sse4_2 avx avx2 fma\n' })
   end)

   it('knows every rock, and says how one is had that is not there', function()
      local packages = require 'torch.doctor.packages'
      local known = {}
      for _, name in ipairs(packages.ours) do
         known[name] = true
      end
      for _, rock in ipairs(dofile 'rocks/tools/packages.lua') do
         local name = (rock.folder or rock[1]):gsub('/', '.')
         assert.is_true(rock.empty or known[name], name)
      end
      local before = packages.ours
      packages.ours = { 'torch', 'torch.nowhere', 'nothing' }
      local r = examine 'packages'
      packages.ours = before
      assert.same({ what = 'packages are not there: torch.nowhere nothing', remedy = 'Their rocks, '
         .. 'in a checkout: luajit rocks/tools/make.lua --tree TREE nowhere nothing; or the Debian '
         .. 'package luatorch, which has all' }, r.notes[1])
   end)

   it('says what a package was compiled without', function()
      local packages = require 'torch.doctor.packages'
      local function without_mpi()
         for _, note in ipairs(examine 'packages'.notes) do
            if note.what == 'distributed was compiled without MPI' then
               return note.remedy
            end
         end
      end
      local before = packages.parts[3][2]
      assert.equal('libdistributed', before)
      assert.equal(not package.searchpath(before, package.cpath), without_mpi() ~= nil)
      packages.parts[3][2] = 'libdistributed_nowhere'
      local remedy = without_mpi()
      packages.parts[3][2] = before
      assert.equal('Debian: apt install libopenmpi-dev, then build it again', remedy)
   end)

   it('looks for the libraries that the packages open', function()
      -- What a process has mapped after it has used them.
      local output, status = support.run(th .. [[ -e '
         require "image"
         image.decompressJPG(image.compressJPG(torch.rand(3, 8, 8)))
         image.decompressPNG(image.compressPNG(torch.rand(3, 8, 8)))
         pcall(require, "hdf5")
         for line in io.lines "/proc/self/maps" do print(line:match "/.*%.so.*") end']])
      assert.equal(0, status, output)
      local found = values(examine 'libraries')
      for name, stem in pairs { libturbojpeg = 'libturbojpeg', libpng = 'libpng16',
         HDF5 = 'libhdf5' } do
         local path = output:match('\n(/[^\n]*/' .. stem .. '[%w_]*%.so[^\n]*)')
         if path then
            assert.matches(path, found[name], 1, true)
         else
            assert.matches('^none', found[name])
         end
      end
      assert.matches('libturbojpeg', output)
   end)

   it("names Debian's packages as debian.sh does", function()
      local function listed(...)
         local names = {}
         for _, list in ipairs { ... } do
            local echo = "bash -c 'source lib/cmake/debian.sh; echo ${%s_packages[*]}'"
            for name in support.run(echo:format(list)):gmatch '%S+' do
               names[name] = true
            end
         end
         return names
      end
      local names = listed('run', 'test', 'pack')
      -- What no list needs: the Debian package suggests the one, Debian's luarocks needs the other.
      names.graphviz, names.git = true, true
      assert.matches('SUGGESTS "[^"]*graphviz', support.read 'lib/cmake/packaging.cmake')
      for _, entry in ipairs(require 'torch.doctor.libraries') do
         assert.is_true(names[entry.debian], entry.debian)
      end
      local debian = require 'torch.doctor.debian'
      for _, list in ipairs { debian.modules, debian.libraries } do
         for _, name in pairs(list) do
            assert.is_true(names[name], name)
         end
      end
      local compiled = listed('compile', 'test')
      for _, part in ipairs(require 'torch.doctor.packages'.parts) do
         for name in part[4]:gmatch '%S+' do
            assert.is_true(compiled[name], name)
         end
      end
   end)

   local on_debian = support.run 'command -v dpkg-query' ~= '' and it or pending
   on_debian("names Debian's packages that have the libraries it found", function()
      local library = require 'torch.doctor.library'
      for _, entry in ipairs(require 'torch.doctor.libraries') do
         local _, name = library.open(entry.files or {})
         local path = name and library.path(name:match '^[^.]*%.so')
         -- Debian's library, or somebody's own? /lib is /usr/lib, and dpkg knows one of them.
         local owners = path and support.run(('dpkg-query --search %s %s 2>/dev/null; true'):format(
            path, path:gsub('^/usr', '')))
         local owner = owners and owners:match '^([^:]+)'
         assert.equal(owner and entry.debian, owner)
      end
   end)

   it('asks packages for more, and libraries that are added', function()
      local packages, libraries = require 'torch.doctor.packages', require 'torch.doctor.libraries'
      table.insert(packages.ours, 'mypackage')
      table.insert(libraries, { name = 'mylib', purpose = 'nothing', debian = 'libmy1',
         files = { 'libmynowhere.so.1' } })
      support.with_folder(function(folder)
         local before = package.path
         package.path = before .. (';%s/?.lua;%s/?/init.lua'):format(folder, folder)
         local r = examine 'packages'
         package.path = before
         assert.equal('Buy one', has_problem(r, 'mypackage has no fish'))
      end, {
         ['mypackage/init.lua'] = '', ['mypackage/doctor.lua'] = [[
return function(report) report:problem('mypackage has no fish', 'Buy one') end]],
      })
      local r = examine 'libraries'
      assert.equal('none (nothing)', values(r).mylib)
      assert.equal('Debian: apt install libmy1', r.notes[#r.notes].remedy)
      table.remove(packages.ours)
      table.remove(libraries)
   end)
end)
