-- build_deb.sh and nvidia.sh, with programs that say what they are told and do as if they did it.
local lfs = require 'lfs'
local shell = require 'test.support.shell'

local run, read, programs, with_folder = shell.run, shell.read, shell.programs, shell.with_folder

local PROGRAMS = {
   cmake = 'printf "cmake %s\n" "$*" >>"$HOME/calls"; test "$1" != "$CMAKE_FAILS"',
   nvcc = 'exit 1',
   ['dpkg-query'] = 'case "$*" in *"$MISSING") exit 1 ;; *) echo " installed " ;; esac',
   cpack = [[
printf "cpack %s\n" "$*" >>"$HOME/calls"
while test $# -gt 0; do
   test "$1" != -B || scratch=$2
   shift
done
echo "$scratch" >"$HOME/scratch"
touch "$scratch/luatorch_8.0.0-1_amd64.deb" "$scratch/install.log"]],
}

-- Runs build_deb.sh in a checkout of its own; returns what it printed, its status, the calls of
-- other programs, one a line, and what is in the folder of the packages.
local function build(environment, words)
   local output, status, calls, made
   with_folder(function(folder)
      local checkout = folder .. '/checkout'
      programs(folder, PROGRAMS)
      assert(os.execute(('mkdir -p %s/lib && cp -r packaging %s && cp -r lib/cmake %s/lib'):format(
         checkout, checkout, checkout)) == 0)
      output, status = run(('cd %s && env -i MISSING=none PATH=%s:/usr/bin:/bin HOME=%s '
         .. 'TMPDIR=%s %s bash checkout/packaging/build_deb.sh %s'):format(folder, folder, folder,
         folder, environment, words))
      local function plain(text)
         return (text:gsub(folder:gsub('%p', '%%%0'), 'F'))
      end
      output = plain(output)
      local scratch = lfs.attributes(folder .. '/scratch')
         and read(folder .. '/scratch'):match '[^\n]+'
      calls = lfs.attributes(folder .. '/calls') and read(folder .. '/calls') or ''
      if scratch then
         calls = calls:gsub(scratch:gsub('%p', '%%%0'), 'SCRATCH')
         assert.is_nil(lfs.attributes(scratch), 'left behind')
      end
      calls = plain(calls):gsub('%-%-parallel %d+', '--parallel N')
      made = run(('ls %s/out 2>/dev/null; true'):format(folder))
   end)
   return output, status, calls, made
end

local COMPILED = 'cmake -S . -B build/package -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF %s\n'
   .. 'cmake --build build/package --parallel N --target runtime\n'
local PACKED = 'cpack -G DEB --config %s/CPackConfig.cmake -B SCRATCH%s\n'
local PACKAGE = 'luatorch_8.0.0-1_amd64.deb\n'

describe('build_deb.sh', function()
   it('compiles, packs, and leaves the package alone in the folder', function()
      assert.same({ '', 0, COMPILED:format '-DTH_CUDA=OFF -DTH_SIM=OFF'
         .. PACKED:format('build/package', ''), PACKAGE }, { build('', 'out') })
   end)

   it('compiles for devices on request', function()
      local devices = '-DTH_CUDA=ON -DTH_SIM=OFF -DCMAKE_CUDA_COMPILER=F/nvcc '
         .. '-DCMAKE_CUDA_ARCHITECTURES='
      for environment, kinds in pairs {
         ['TH_CUDA=ON'] = '80-real;90-real;100', ['TH_CUDA=ON CUDAARCHS=90'] = '90',
      } do
         local _, status, calls = build(environment, 'out')
         assert.same({ 0, COMPILED:format(devices .. kinds) .. PACKED:format('build/package', '') },
            { status, calls })
      end
   end)

   it('packs what is built already', function()
      assert.same({ '', 0, PACKED:format('/b', ' -D A=1 -V'), PACKAGE },
         { build("TH_BUILD=/b CPACK_OPTIONS='-D A=1 -V' MISSING=cmake", 'out') })
   end)

   it('takes both folders from where it is called', function()
      for path, folder in pairs { b = 'F/b', ['./checkout/../c'] = 'F/c' } do
         local _, status, calls, made = build('TH_BUILD=' .. path, 'out')
         assert.same({ 0, PACKAGE }, { status, made })
         assert.equal(PACKED:format(folder, ''), calls)
      end
   end)

   it('says how it is called, without a folder', function()
      local output, status, calls = build('', '')
      assert.same({ 2, '' }, { status, calls })
      assert.matches('^The Debian package of this checkout[^\n]*build_deb.sh FOLDER\n', output)
   end)

   it('names a package that is missing, and compiles nothing', function()
      assert.same({ 'build_deb.sh wants Debian packages that are not installed here; as root: '
         .. 'apt-get install --no-install-recommends libhwy-dev\n', 1, '', '' },
         { build('MISSING=libhwy-dev', 'out') })
   end)

   it('stops where CMake fails', function()
      local _, status, calls, made = build('CMAKE_FAILS=--build', 'out')
      assert.same({ 1, '' }, { status, made })
      assert.not_matches('cpack', calls)
   end)
end)

describe('nvidia.sh', function()
   it("installs the archive's key, reads its lists, and leaves no file behind", function()
      with_folder(function(folder)
         local told = 'printf "%s %s\\n" "${0##*/}" "$*" >>"$HOME/calls"'
         programs(folder, {
            ['dpkg-query'] = 'echo " installed "', ['apt-get'] = told,
            dpkg = told .. '; test -s "$2"',
            wget = told .. '; for word; do case $word in --output-document=*) '
               .. 'echo key >"${word#*=}" ;; esac; done',
         })
         assert(os.execute('mkdir ' .. folder .. '/tmp') == 0)
         assert.same({ '', 0 }, { run(('env -i PATH=%s:/usr/bin:/bin HOME=%s TMPDIR=%s/tmp '
            .. 'bash packaging/nvidia.sh'):format(folder, folder, folder)) })
         local key, address, installed, rest = read(folder .. '/calls'):match('^wget %-%-quiet '
            .. '%-%-output%-document=(%S+) (%S+)\ndpkg %-%-install (%S+)\n(.*)$')
         assert.equal(key, installed)
         assert.matches('^https://developer%.download%.nvidia%.com/[%w/_]+/debian12/[%w/._-]+'
            .. '%.deb$', address)
         assert.equal('apt-get update --quiet\n', rest)
         assert.equal('', (run('ls ' .. folder .. '/tmp')))
      end)
   end)
end)
