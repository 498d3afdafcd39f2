local shell = require 'test.support.shell'
local torch = require 'torch'

local th = os.getenv 'TH_EXECUTABLE'

-- What main.lua prints, run by th from another folder.
local function prints(wanted, files)
   shell.with_folder(function(folder)
      local output = shell.run(('cd / && %s %s/main.lua'):format(th, folder))
      assert.equal(wanted, (output:gsub(folder, 'FOLDER')))
   end, files)
end

describe('require of a script', function()
   it('finds files relative to the one that asks', function()
      prints('a b c d\n', {
         ['main.lua'] = "print(require './a' .. ' ' .. require './sub/b')",
         ['a.lua'] = "return 'a'",
         ['sub/b.lua'] = "return 'b ' .. require '../other/c'",
         ['other/c.lua'] = "return 'c ' .. require './d.lua'",
         ['other/d.lua'] = "return 'd'",
      })
   end)

   it('finds them from a tail call, after which the caller is no longer on the stack', function()
      prints('deep\n', {
         ['main.lua'] = "print((require './sub/a'))",
         ['sub/a.lua'] = "return require './b'",
         ['sub/b.lua'] = "return require '../c'",
         ['c.lua'] = "return 'deep'",
      })
   end)

   it('loads each file once, however it is named', function()
      prints('loading\ntrue\ttrue\n', {
         ['main.lua'] = "local a = require './sub/a'\n"
            .. "print(a == require './sub/a.lua', a == require './sub/../sub/a')",
         ['sub/a.lua'] = "print 'loading' return {}",
      })
   end)

   it('tells files of one name in two folders apart', function()
      prints('1\t2\n', {
         ['main.lua'] = "print(require './x/m', require './y/m')",
         ['x/m.lua'] = "return require './n'", ['y/m.lua'] = "return require './n'",
         ['x/n.lua'] = 'return 1', ['y/n.lua'] = 'return 2',
      })
   end)

   it('takes a folder by its init.lua, and name.lua before it', function()
      prints('init\tfile\n', {
         ['main.lua'] = "print(require './a', require './b')",
         ['a/init.lua'] = "return 'init'", ['b/init.lua'] = "return 'no'",
         ['b.lua'] = "return 'file'",
      })
   end)

   it('reads data by its kind', function()
      local t7 = os.tmpname()
      torch.save(t7, { weights = torch.Tensor { 1, 2 } })
      local file = assert(io.open(t7, 'rb'))
      local bytes = file:read '*a'
      file:close()
      os.remove(t7)
      prints('2\t2\t3\t30\n', {
         ['main.lua'] = "print(require('./model.t7').weights[2], require('./model').weights[2], "
            .. "#require './list.json', require './table.csv'[2][2])",
         ['model.t7'] = bytes, ['list.json'] = '[1, 2, 3]', ['table.csv'] = 'a,b\n10,30\n',
      })
   end)

   it('finds other names beside the file that asks, when nothing else has them', function()
      prints('beside\tinner\n', {
         ['main.lua'] = "print(require 'besidefile', require 'folder.inner')",
         ['besidefile.lua'] = "return 'beside'", ['folder/inner.lua'] = "return 'inner'",
      })
   end)

   it('says where it looked for what is not there', function()
      shell.with_folder(function(folder)
         local output, status = shell.run(('%s %s/main.lua'):format(th, folder))
         assert.equal(1, status)
         assert.truthy(output:find(("main.lua:2: module './nope' not found:\n"
            .. "\tno file '%s/nope.lua'"):format(folder), 1, true))
         assert.truthy(output:find("2 | require './nope'", 1, true))
      end, { ['main.lua'] = "\nrequire './nope'" })
   end)

   it('shows the error of a file that does not compile, and may be asked again', function()
      prints('false\tFOLDER/bad.lua:1: unexpected symbol near \'=\'\nfalse\n', {
         ['main.lua'] = "print(pcall(require, './bad'))\nprint((pcall(require, './bad')))",
         ['bad.lua'] = '= 1',
      })
   end)

   it('is Lua\'s own for packages', function()
      prints('true\ttrue\n', {
         ['main.lua'] = "print(require 'torch' == torch, (pcall(require, 'nosuch')) == false)",
      })
   end)
end)
