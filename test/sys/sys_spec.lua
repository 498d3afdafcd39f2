local paths = require 'paths'
local sys = require 'sys'
local fake_clock = require 'test.support.fake_clock'

describe('sys clock', function()
   it('is the time since the Epoch, in fractions of a second', function()
      -- os.time cuts fractions off, and is read from a clock that may lag some milliseconds behind.
      local before = os.time()
      local now = sys.clock()
      assert.is_true(now >= before and now < os.time() + 2)
      local a, b = sys.clock(), sys.clock()
      assert.is_false(a == math.floor(a) and b == math.floor(b))
   end)

   it('sleep and usleep take their time, which toc measures', function()
      local time = fake_clock.start()
      sys.tic()
      sys.sleep(0.5)
      local slept = sys.toc()
      sys.usleep(250000)
      local both = sys.toc()
      sys.tic()
      time:pass { real = 4 }
      local again = sys.toc()
      fake_clock.stop()
      assert.equal(0.5, slept)
      assert.equal(0.75, both)
      assert.equal(4, again)
   end)

   it('toc prints when asked', function()
      local before, printed = print, nil
      rawset(_G, 'print', function(x) printed = x end)
      local elapsed = sys.toc(true)
      rawset(_G, 'print', before)
      assert.equal(elapsed, printed)
   end)

   it('sleep refuses what is no duration, at the user\'s line', function()
      for _, value in ipairs { -1, 0 / 0, math.huge, 'x', {} } do
         local ok, message = pcall(sys.sleep, value)
         assert.is_false(ok)
         assert.matches('sys_spec%.lua:%d+: sys%.sleep: expected a number of at least 0', message)
      end
   end)
end)

describe('sys shell', function()
   it('execute gives output and errors without white space at the ends', function()
      assert.equal('one\ntwo', sys.execute('echo; echo one; echo two >&2; echo'))
      assert.equal('', sys.execute('true'))
      assert.equal('ok', sys.execute('echo ok # a comment'))
   end)

   it('fexecute reads as it is told', function()
      assert.equal('a\nb\n', sys.fexecute('echo a; echo b'))
      assert.equal('a', sys.fexecute('echo a; echo b', '*line'))
      assert.equal(12, sys.fexecute('echo 12', '*number'))
      assert.is_nil(sys.fexecute('true', '*line'))
   end)

   it('execute refuses what is no command', function()
      local _, message = pcall(sys.execute, nil)
      assert.matches('sys.execute: expected a command, got nil', message, 1, true)
   end)

   it('lists directories, also with odd names', function()
      local root = paths.tmpname() .. ".d'ir"
      assert.is_true(paths.mkdir(root))
      io.open(root .. '/one', 'w'):close()
      io.open(root .. '/.hidden', 'w'):close()
      assert.equal('one', sys.ls(root))
      assert.equal('.\n..\n.hidden\none', sys.la(root))
      assert.matches('^total.-rw.- one$', sys.ll(root))
      assert.matches('%.hidden.*one$', sys.lla(root))
      paths.rmall(root, 'yes')
   end)

   it('uname and OS name the system in lower case', function()
      local expected = { Linux = 'linux', Darwin = 'macos' }
      assert.equal(expected[paths.uname()], sys.uname())
      assert.equal(sys.uname(), sys.OS)
   end)
end)

describe('sys', function()
   it('is a global after require', function()
      assert.equal(sys, rawget(_G, 'sys'))
   end)

   it('split cuts at a pattern and drops empty ends', function()
      assert.same({ 'a', 'b', 'c' }, sys.split('a,b,c', ','))
      assert.same({ 'a', '', 'c' }, sys.split(',a,,c,', ','))
      assert.same({ 'a', 'b' }, sys.split('a  b', '%s+'))
      assert.same({ 'abc' }, sys.split('abc', ','))
      assert.same({ 'abc' }, sys.split('abc', ''))
      assert.same({}, sys.split('', ','))
      local _, message = pcall(sys.split, nil, ',')
      assert.matches('expected a string and a pattern, got nil and string', message, 1, true)
   end)

   it('isNaN', function()
      assert.is_true(sys.isNaN(0 / 0))
      assert.is_false(sys.isNaN(1 / 0))
   end)

   it('fpath is where the calling file lies', function()
      local directory, name = sys.fpath()
      assert.equal('sys_spec.lua', name)
      assert.equal(paths.concat('test/sys'), directory)
      local chunk = assert(loadstring('local a = require("sys").fpath(); return a'))
      assert.is_nil(chunk())
   end)

   it('sleeps for durations that came as text', function()
      sys.sleep('0.001')
      sys.usleep('10')
      assert.matches('sys.sleep: expected a number of at least 0, got soon',
         select(2, pcall(sys.sleep, 'soon')), 1, true)
   end)

   it('shares dirname and concat with paths, and knows its prefix', function()
      assert.equal(paths.dirname, sys.dirname)
      assert.equal(paths.concat, sys.concat)
      assert.equal(paths.execdir(), sys.concat(sys.prefix, paths.basename(paths.execdir())))
   end)
end)

describe('sys.COLORS', function()
   it('are the ANSI codes, plain, bold and background', function()
      local c = sys.COLORS
      assert.equal('\27[0m', c.none)
      assert.equal('\27[0;31m', c.red)
      assert.equal('\27[1;31m', c.Red)
      assert.equal('\27[41m', c._red)
      assert.equal('\27[0;37m', c.white)
      assert.equal(c, require 'sys.colors')
   end)
end)
