-- The Debian package of what is built: what it says of itself; installed by dpkg into a root of its
-- own, used from an empty environment, removed.
local release = require 'test.support.release'
local shell = require 'test.support.shell'

local try, run = release.it(it, pending), shell.run
local package, root

-- For all that dpkg writes into the root it must be root.
local function as_root(name, f)
   if run 'id -u' == '0\n' then
      try(name, f)
   else
      pending(name .. ': dpkg --root wants to be root')
   end
end

setup(function()
   local out = release.folder()
   if out then
      package = run(('ls %s/*.deb'):format(shell.quoted(out))):match '[^\n]+'
   end
   root = os.tmpname()
   os.remove(root)
   assert(os.execute(('mkdir -p %s/var/lib/dpkg/info %s/var/lib/dpkg/updates && touch '
      .. '%s/var/lib/dpkg/status'):format(root, root, root)) == 0)
end)

teardown(function()
   os.execute('rm -r ' .. root)
end)

local function dpkg(words)
   local output, status = release.alone(root,
      ('dpkg --root=%s --force-depends --force-script-chrootless %s'):format(root, words))
   assert.equal(0, status, output)
   return output
end

-- What is in the root, dpkg's own files apart.
local function files()
   return run(('cd %s && find . -mindepth 1 ! -path "./var*"'):format(root))
end

describe('the Debian package', function()
   try('depends on what debian.sh lists, and on what it is linked with', function()
      local depends = run('dpkg -f ' .. package .. ' Depends')
      local listed = run [[bash -c 'source lib/cmake/debian.sh; echo "${run_packages[*]}"']]
      for name in listed:gmatch '%S+' do
         local stem = name:gsub('%p', '%%%0')
         if name:find '^luajit' then
            assert.matches('luajit2 | luajit', depends, 1, true)
         else
            assert.matches('%f[%w]' .. stem .. '%f[ ,\n]', depends)
         end
      end
      -- With versions: of the libraries, not of a list.
      for _, name in ipairs { 'libc6', 'libdnnl2', 'libgomp1', 'libhwy1', 'libstdc%+%+6' } do
         assert.matches('%f[%w]' .. name .. ' %(>= [^)]+%)', depends)
      end
   end)

   try("has the sources' version, and a name that apt takes", function()
      local version = shell.read 'CMakeLists.txt':match 'LuaTorch VERSION (%d+%.%d+%.%d+)'
      assert.equal(('luatorch\n%s-1\n'):format(version),
         (run(('for f in Package Version; do dpkg -f %s $f; done'):format(package))))
      assert.matches('/luatorch_' .. version:gsub('%p', '%%%0') .. '%-1_%w+%.deb$', package)
   end)

   as_root('works far from sources and build, and leaves nothing behind', function()
      dpkg('--install ' .. package)
      local listed = dpkg '--listfiles luatorch'
      for path in files():gmatch '%./([^\n]+)' do
         assert.matches('/' .. path .. '\n', listed, 1, true)
      end
      for _, path in ipairs { '/usr/bin/th', '/usr/share/man/man1/th.1.gz',
         '/usr/share/doc/luatorch/copyright', '/usr/share/doc/luatorch/changelog.Debian.gz' } do
         assert.matches(path .. '\n', listed, 1, true)
      end
      local binaries = run(('ls %s/usr/lib/*/lua/5.1/*'):format(root))
      for _, name in ipairs { 'libTH.so', 'libdistributed.so', 'th_launcher' } do
         local path = binaries:match('[^\n]*/' .. name:gsub('%.', '%%.') .. '%f[\n]')
         assert.not_matches('.symtab', run('readelf --sections --wide ' .. path), 1, true)
      end
      local output, status = release.alone(root, root .. [[/usr/bin/th -e '
         require "image" require "threads" require "tds"
         print(nn.Identity():forward(torch.ones(2)):sum())
         for line in io.lines "/proc/self/maps" do
            if line:find("/lib[Tt][hd]%a*%.so") then print(line:match "/.*/") end
         end' | sort -u]])
      assert.equal(0, status, output)
      local version = shell.read 'CMakeLists.txt':match 'LuaTorch VERSION (%d+%.%d+%.%d+)'
      assert.matches('^LuaTorch ' .. version .. ', LuaJIT', (release.alone(root,
         root .. '/usr/bin/th --version')))
      local architecture = run('dpkg-architecture -qDEB_HOST_MULTIARCH'):match '%S+'
      assert.equal(('%s/usr/lib/%s/lua/5.1/\n2\n'):format(root, architecture), output)
      -- CMake finds what was moved to where Debian has libraries.
      shell.with_folder(function(project)
         local said, failed = run(('cd %s && unset LD_PRELOAD && cmake -S . -B build '
            .. '-DCMAKE_PREFIX_PATH=%s/usr && cmake --build build && build/guest'):format(project,
            root))
         assert.equal(0, failed, said)
      end, { ['CMakeLists.txt'] = 'cmake_minimum_required(VERSION 3.25)\nproject(guest LANGUAGES C)'
         .. '\nfind_package(LuaTorch REQUIRED)\nadd_executable(guest guest.c)\n'
         .. 'target_link_libraries(guest LuaTorch::TH)\n',
         ['guest.c'] = '#include "TH.h"\nint main(void) { return TH_getNumCores() < 1; }\n' })
      dpkg '--remove luatorch'
      assert.equal('', files())
   end)
end)

describe('the manual page of th', function()
   it('has all options that th --help has, and no others', function()
      local help = run(shell.quoted(os.getenv 'TH_EXECUTABLE') .. ' --help')
      local page = shell.read('packaging/th.1'):gsub('\\%-', '-')
      local section = page:match '\n%.SH OPTIONS\n(.-)\n%.SH '
      local listed = {}
      for line in section:gmatch '%.TP\n([^\n]+)' do
         listed[line:match '%-%-?%a+'] = true
      end
      local known = {}
      for line in help:gmatch '\n  (%-%-?%a+)' do
         known[line] = true
      end
      assert.same(known, listed)
   end)
end)
