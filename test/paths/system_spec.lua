local lfs = require 'lfs'
local paths = require 'paths'
local raises = require 'test.support.raises'

local function output(command)
   local pipe = assert(io.popen(command))
   local text = pipe:read('*a'):gsub('\n$', '')
   pipe:close()
   return text
end

describe('paths on the system', function()
   it('uname agrees with the shell\'s', function()
      local system, node, machine = paths.uname()
      assert.equal(output('uname -s'), system)
      assert.equal(output('uname -n'), node)
      assert.equal(output('uname -m'), machine)
      assert.equal(system == 'Darwin', paths.is_mac())
      assert.is_false(paths.is_win())
   end)

   it('home is $HOME', function()
      assert.equal(os.getenv('HOME'), paths.home)
   end)

   it('execdir holds the running executable', function()
      local directory = output(
         [[luajit -e 'io.write(require("paths").execdir())']])
      local real = output('readlink -f "$(command -v luajit)"')
      assert.equal(paths.dirname(real), directory)
   end)

   it('findprogram gives the first program found on PATH', function()
      assert.equal(output('command -v sh'), paths.findprogram('no-such-program-here', 'sh'))
      assert.is_nil(paths.findprogram('no-such-program-here'))
      assert.is_nil(paths.findprogram())
   end)

   it('findprogram wants an executable file', function()
      local name = os.tmpname()
      assert.is_nil(paths.findprogram(name))
      os.execute('chmod +x ' .. name)
      assert.equal(name, paths.findprogram(name))
      os.remove(name)
      assert.is_nil(paths.findprogram('/'))
   end)

   it('require loads a module whose library is made global first', function()
      assert.equal(lfs, paths.require('lfs'))
      raises("module 'no.such.module' not found", paths.require, 'no.such.module')
   end)

   it('getregistryvalue is an error away from Windows', function()
      local _, message = pcall(paths.getregistryvalue, 'HKEY_LOCAL_MACHINE', 'x', 'y')
      assert.matches('on Windows only', message, 1, true)
   end)
end)
