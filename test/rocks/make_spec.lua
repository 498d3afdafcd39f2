-- make.lua with a program luarocks that says what it is told.
local lfs = require 'lfs'
local shell = require 'test.support.shell'

local run, programs, with_folder = shell.run, shell.programs, shell.with_folder

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
