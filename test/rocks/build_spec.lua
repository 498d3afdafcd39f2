-- build.sh, which rockspecs run, without LuaRocks: programs in a folder at the front of the PATH
-- play CMake and dpkg.
local lfs = require 'lfs'
local shell = require 'test.support.shell'

local run, read, programs, with_folder = shell.run, shell.read, shell.programs, shell.with_folder

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

   it('says what is optional and not there, of its own part alone', function()
      compile('torch', {
         cmake = 'test "$1" != -S || printf "%s\\n" "-- torch: without wings; fly" '
            .. '"-- image: without PNG" "-- found torch: without"',
      }, function(_, output, status)
         assert.same({ 'torch: without wings; fly\n', 0 }, { output, status })
      end)
   end)

   it("has CMake name Debian's packages of what is optional, and the command", function()
      local listed = run [[bash -c 'source lib/cmake/debian.sh;
         echo "" "${compile_packages[@]}" "${test_packages[@]}" ""']]
      local sentence = '"(%l+): without [^"]+, as root: "%s*'
         .. '"apt%-get install %-%-no%-install%-recommends ([^;]+); then compile again"'
      for folder, rock in pairs { image = 'image', onnx = 'onnx', distributed = 'distributed',
         bundle = 'torch' } do
         local who, names = read('lib/' .. folder .. '/CMakeLists.txt'):match(sentence)
         assert.equal(rock, who)
         for name in names:gmatch '%S+' do
            assert.matches(' ' .. name .. ' ', listed, 1, true)
         end
      end
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
