-- What release.sh takes for a release: a commit. build_deb.sh, where it stops, stands for the rest.
local shell = require 'test.support.shell'

local run, programs, with_folder = shell.run, shell.programs, shell.with_folder

local with_git = run 'command -v git' ~= '' and it or function(name)
   pending(name .. ': git is not installed')
end

describe('release.sh', function()
   with_git('is of a commit: it refuses changes that are not committed', function()
      with_folder(function(folder)
         local checkout = folder .. '/checkout'
         programs(folder, { ['dpkg-query'] = 'echo " installed "' })
         assert(os.execute(('mkdir -p %s/packaging %s/lib && cp -r rocks CMakeLists.txt %s && '
            .. 'cp -r lib/cmake %s/lib'):format(checkout, checkout, checkout, checkout)) == 0)
         programs(checkout .. '/packaging', {
            ['build_deb.sh'] = 'echo "compiling into $1${TH_BUILD:+ of $TH_BUILD}"; exit 9',
         })
         local alone = ('cd %s && env -i HOME=%s PATH=%s:/usr/bin:/bin '):format(checkout, folder,
            folder)
         local function release(environment)
            return { run(alone .. environment .. ' bash rocks/tools/release.sh ../out') }
         end
         assert.equal(0, os.execute(alone .. 'git init --quiet && git add . && '
            .. 'git -c user.name=a -c user.email=a@a.invalid commit --quiet --message all'))
         local goes_on = { ('compiling into %s/out\n'):format(folder), 9 }
         assert.same(goes_on, release '')
         local elsewhere = "TH_BUILD=b sh -c 'cd .. && bash checkout/rocks/tools/release.sh out'"
         assert.same({ ('compiling into %s/out of %s/b\n'):format(folder, folder), 9 },
            { run(alone .. elsewhere) }) -- both folders are the caller's

         os.execute('echo >>' .. checkout .. '/CMakeLists.txt')
         local told = 'release.sh: there are changes that are not committed (git status), '
            .. 'a release is of a commit\n'
         assert.same({ told, 1 }, release '')
         assert.equal(0, os.execute(alone .. 'git add .'))
         assert.same({ told, 1 }, release '')
         assert.same({ told .. goes_on[1], 9 }, release 'TH_UNCOMMITTED=ON')
      end)
   end)
end)
