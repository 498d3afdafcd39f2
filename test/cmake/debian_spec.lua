-- lib/cmake/debian.sh under the shell options of the scripts that source it. What apt would do is
-- played by programs in a folder at the front of the PATH.

local PROGRAMS = {
   ['dpkg-query'] = [[
case " $INSTALLED " in *" ${@: -1} "*) printf ' installed '; exit 0 ;; esac
echo "dpkg-query: no packages found matching ${@: -1}" >&2
exit 1]],
   ['apt-get'] = [[
echo "apt-get $*" >>"$CALLS"
case "$*" in
   update*) exit "${UPDATE:-0}" ;;
   *--simulate*)
      for name in $UNKNOWN; do echo "E: Unable to locate package $name" >&2; done
      for name in $VIRTUAL; do echo "E: Package '$name' has no installation candidate" >&2; done
      exit "${SIMULATE:-0}"
      ;;
   *) exit "${INSTALL:-0}" ;;
esac]],
   df = [[printf 'Avail\n%8d\n' "${FREE:-5000}"]],
   id = [[echo "${USER_ID:-0}"]],
}

local folder

local function quoted(text)
   return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function write(path, text)
   local file = assert(io.open(path, 'w'))
   file:write(text)
   file:close()
end

local function read(path)
   local file = io.open(path)
   local text = file and file:read '*a' or ''
   if file then
      file:close()
   end
   return text
end

-- Runs bash; returns what it printed, its exit status and the calls of apt-get.
local function bash(environment, code)
   os.remove(folder .. '/calls')
   local pipe = assert(io.popen(('env %s /bin/bash -c %s 2>&1; echo "status $?"'):format(
      environment, quoted(code))))
   local output, status = pipe:read('*a'):match '^(.*)status (%d+)\n$'
   pipe:close()
   return output, tonumber(status), read(folder .. '/calls')
end

-- The line of a script that sets its shell's options.
local function options_of(script)
   return assert(read(script):match '\n(set %-[^\n]*)', script)
end

local function sourced(environment, code, options)
   return bash(('CALLS=%s/calls PATH=%s:/usr/bin:/bin %s'):format(folder, folder, environment),
      (options or 'set -euo pipefail') .. '; source lib/cmake/debian.sh; ' .. code)
end

setup(function()
   folder = os.tmpname()
   os.remove(folder)
   assert(os.execute('mkdir ' .. folder) == 0)
   for name, code in pairs(PROGRAMS) do
      write(folder .. '/' .. name, '#!/bin/bash\n' .. code .. '\n')
   end
   assert(os.execute('chmod +x ' .. folder .. '/*') == 0)
end)

teardown(function()
   os.execute('rm -r ' .. folder)
end)

for _, script in ipairs { 'examples/quickstart.sh', 'test/run.sh' } do
   describe('with the shell options of ' .. script, function()
      local options = options_of(script)

      local on_debian = os.execute 'command -v dpkg-query >/dev/null' == 0 and it or pending
      on_debian('missing_packages names those that dpkg does not know, and no others', function()
         for _, code in ipairs {
            'missing_packages no-such-package dpkg',
            'missing_packages dpkg no-such-package',
            'mapfile -t names < <(missing_packages no-such-package); echo "${names[@]}"',
         } do
            local output, status = bash('', options .. '; source lib/cmake/debian.sh; ' .. code)
            assert.same({ 'no-such-package\n', 0 }, { output, status })
         end
         assert.same({ '', 0, '' },
            { bash('', options .. '; source lib/cmake/debian.sh; missing_packages dpkg') })
      end)

      it('install_packages installs what is missing, and the script goes on', function()
         local output, status, calls = sourced('INSTALLED=two',
            'install_packages one two three; echo on', options)
         assert.same({ 'Installing one three\non\n', 0 }, { output, status })
         assert.equal(2, select(2, calls:gsub('\n', '')))
         assert.matches('\napt%-get install [^\n]*%-%-no%-remove one three\n$', calls)
      end)

      it('install_packages leaves apt alone when nothing is missing', function()
         assert.same({ 'on\n', 0, '' },
            { sourced("INSTALLED='one two'", 'install_packages one two; echo on', options) })
      end)
   end)
end

describe('installing', function()
   it('fetches the package lists only when apt cannot do without', function()
      local _, status, calls = sourced('SIMULATE=100', 'install_packages one')
      assert.equal(0, status)
      assert.matches('%-%-simulate[^\n]*\napt%-get update[^\n]*\napt%-get install', calls)
   end)

   it('goes on with the lists that are here when one source cannot be reached', function()
      local output, status = sourced('SIMULATE=100 UPDATE=100', 'install_packages one')
      assert.equal(0, status)
      assert.matches('update failed', output)
   end)

   it('takes luajit2, but keeps luajit where a part of it is', function()
      local code = 'missing_packages "${run_packages[@]}" | grep luajit'
      assert.equal('luajit2\n', (sourced('', code)))
      assert.equal('luajit\n', (sourced('INSTALLED=libluajit-5.1-common', code)))
   end)

   it('takes the lists that it is given', function()
      local run = ('CALLS=%s/calls PATH=%s:/usr/bin:/bin'):format(folder, folder)
      local output, status = bash(run, 'bash lib/cmake/debian.sh run')
      assert.equal(0, status)
      assert.matches('^Installing luajit2 lua%-filesystem', output)
      assert.not_matches('cmake', output)
      output = bash(run, 'bash lib/cmake/debian.sh')
      assert.matches('cmake .*luajit2 .*lua%-busted .*dataset%-fashion%-mnist', output)
      output, status = bash(run, 'bash lib/cmake/debian.sh run no-such-list')
      assert.equal(2, status)
      assert.matches('^usage: bash lib/cmake/debian.sh', output)
   end)
end)

describe('checking', function()
   local check = 'bash lib/cmake/debian.sh --check '

   it('names what is missing in one sentence, with the command, and installs nothing', function()
      local installed = "INSTALLED='luajit2 lua-penlight lua-cjson libopenblas0-openmp "
         .. "libturbojpeg0 zlib1g libdnnl2 libhwy1 libgomp1 libstdc++6 libpng16-16 libonnx1 "
         .. "libprotobuf32'"
      local output, status, calls = sourced(installed, check .. 'torch run')
      assert.same({ 'torch wants Debian packages that are not installed here; as root: apt-get '
         .. 'install --no-install-recommends lua-filesystem\n', 1, '' }, { output, status, calls })
      assert.same({ '', 0, '' },
         { sourced(installed:gsub("'$", " lua-filesystem'"), check .. 'torch run') })
   end)

   it('wants to know who asks, and for what', function()
      for _, words in ipairs { '', 'torch', 'torch no-such-list' } do
         local output, status = sourced('', check .. words)
         assert.equal(2, status)
         assert.matches('^usage: ', output)
      end
   end)

   it('says nothing where there is no dpkg', function()
      local output, status = bash('PATH=' .. folder .. '/nothing',
         'source lib/cmake/debian.sh; check_packages torch no-such-package')
      assert.same({ '', 0 }, { output, status })
   end)
end)

describe('a failed installation', function()
   local function fails(environment, pattern)
      local output, status = sourced(environment, 'install_packages one two; echo on')
      assert.equal(1, status)
      assert.not_matches('on\n$', output)
      assert.matches(pattern, output)
      return output
   end

   it('says the command for root where there is no sudo', function()
      -- Nothing but our programs on the PATH.
      local output, status = bash(('USER_ID=1000 INSTALLED= PATH=%s'):format(folder),
         'set -euo pipefail; source lib/cmake/debian.sh; install_packages one two')
      assert.equal(1, status)
      assert.matches('no sudo here. As root:\n'
         .. '  apt%-get update && apt%-get install %-%-no%-install%-recommends one two\n', output)
   end)

   it('blames the network or the sources when apt knows nothing', function()
      local output = fails("SIMULATE=100 INSTALL=100 UNKNOWN='one two'", 'Not installed: one two\n')
      assert.matches('apt knows none of them.*network', output)
   end)

   it('names the packages that this system does not have', function()
      for _, unknown in ipairs { 'UNKNOWN=two', 'VIRTUAL=two' } do
         local output = fails('SIMULATE=100 INSTALL=100 ' .. unknown, 'Not installed: one two\n')
         assert.matches('do not have two: ', output)
         assert.not_matches('network', output)
      end
   end)

   it('tells of a full disk', function()
      local output = fails('INSTALL=100 FREE=12', 'Not installed: one two\n')
      assert.matches('disk may be full: 12 MiB are left in /', output)
      assert.not_matches('do not have', output)
   end)
end)
