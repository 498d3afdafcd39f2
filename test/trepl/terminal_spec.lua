-- The prompt as somebody at a keyboard has it. Each start of th takes a while, so a test does much.
local terminal = require 'test.support.terminal'
local sys = require 'sys'

local th = os.getenv 'TH_EXECUTABLE'

local function folder()
   local path = os.tmpname()
   os.remove(path)
   assert(os.execute('mkdir ' .. path) == 0)
   return path
end

local read = require 'test.support.shell'.read

describe('the prompt on a terminal', function()
   local home, t

   before_each(function()
      home = folder()
   end)

   after_each(function()
      if t then
         t:close()
         t = nil
      end
      os.execute('rm -r ' .. home)
   end)

   -- Start th; what it shows ends in a prompt.
   local function start(options)
      options = options or {}
      options.environment = ('HOME=%s TREPL_HISTORY= TREPLSTARTUP= %s'):format(home,
         options.environment or '')
      t = terminal.open(th .. ' ' .. (options.arguments or ''), options)
      t:expect 'th> '
   end

   -- Type a statement; wait until it has run. Its time is what is shown last.
   local function run(text, shows)
      t:send(text .. '\r')
      for _, wanted in ipairs { shows } do
         t:expect(wanted)
      end
      t:expect 's]'
      t:expect 'th> '
   end

   terminal.it('edits lines, and keeps a history across starts', function()
      local up, left = '\27[A', '\27[D'
      start()
      run('111' .. left .. left .. '+', '\n12')
      assert.equal('1+11\n', read(home .. '/.th_history')) -- as it goes
      run('for i = 1, 2 do\rio.write(i * 7, ".")\rend', '7.14.')
      t:close() -- killed
      start()
      t:send(up):expect '..> end'
      t:send '\3'
      t:expect '^C'
      run(up .. up .. up .. up .. '0', '\n111') -- past the lines of the loop: 1+110
      t:send '\4'
      assert.equal(0, t:finish())
      assert.equal('1+11\nfor i = 1, 2 do\\\n   io.write(i * 7, ".")\\\nend\n1+110\n',
         read(home .. '/.th_history'))
   end)

   terminal.it('completes names, methods, files and options', function()
      start()
      run('x = torch.FloatTensor(2, 3)')
      run('x:transpo\t(1, 2):size(1)', '\n3')
      run('torch.setdefaultt\t("torch.DoubleTens\t")')
      t:send 'x:index\t\t'
      t:expect 'indexCopy'
      t:send '\3'
      assert(io.open(home .. '/a_file.lua', 'w')):close()
      run(('#paths.basename("%s/a_fi\t")'):format(home), '\n10')
      t:send 'optim.adam(f, x, { amsg\t'
      t:expect 'amsgrad = '
      t:send '\3\4'
      assert.equal(0, t:finish())
   end)

   terminal.it('breaks long messages between words', function()
      start { columns = 50 }
      t:send 'y = torch.ones(1) .. "end of it"\r'
      t:expect '  1 | y = '
      local text, longest = t.output:gsub('\r', ''):match '\n(stdin:1: .-)\n  1 |', 0
      for line in text:gmatch '[^\n]+' do
         longest = math.max(longest, #line)
      end
      assert.is_true(longest <= 50, text)
      local words = text:gsub('%s+', ' ')
      assert.truthy(words:find('x:item() is the number of a tensor of one element; tostring(x) is '
         .. 'the text of a tensor; torch.cat(x, y, dim) joins tensors', 1, true), text)
   end)

   terminal.it('leaves an unfinished statement at Ctrl-C', function()
      start()
      t:send 'for i = 1, 3 do\rprint(i)\r\3'
      t:expect '^C'
      run('6 * 7', '42')
      assert.is_nil(t.output:find 'error')
   end)

   terminal.it('takes a paste with tabs and empty lines for one statement', function()
      start()
      run('\27[200~do\n\tlocal a = 3\n\n\tio.write(a * 5, "!")\nend\27[201~', '15!')
   end)

   terminal.it('says again why a package cannot be loaded', function()
      start()
      run "package.preload.broken = function() error 'the reason' end"
      for _ = 1, 2 do
         run("require 'broken'", 'the reason')
      end
   end)

   terminal.it('takes a block that ends with a name, and one that lacks its end', function()
      start()
      run('\27[200~m = { a = 17 }\nm.a\27[201~', '17')
      run('\27[200~x = torch.ones(3)\nx:mul(2)\nx:sum()\27[201~', '\n6\n') -- all are statements
      t:send '\27[200~1\nfor i = 1, 2 do\27[201~\r'
      t:expect '..> '
      run('io.write("<", i, ">") end', '<1><2>')
   end)

   terminal.it('takes commands among pasted lines for what each is', function()
      start()
      run('\27[200~$ echo o""ne\nlocal q = 5\nq * 3\n  ? torch.relu\n$ echo tw""o\n2 ^ 9\27[201~',
         'one\n15\n')
      assert.matches('max%(x, 0%).*\ntwo\n512\n', (t.output:gsub('\r', '')))
      -- Not within a text, nor for more lines than are there.
      run('\27[200~#[[\n$ ls\nexit\n]]\27[201~', '10')
      t:send '\27[200~$ echo th""ree\nfor i = 1, 2 do\27[201~\r'
      t:expect '..> '
      run('if i > 1 then\rbreak\rend\rio.write("<", i, ">") end', 'three\n<1>')
      run('\27[200~error "wrong"\n$ echo ne""ver\27[201~', 'wrong')
      assert.is_nil(t.output:find('\nnever', 1, true))
      t:send '\27[200~io.write "bye"\nexit\nio.write "no" .. "no"\27[201~\r'
      t:expect 'really want to exit'
      t:send 'y\r'
      assert.equal(0, t:finish())
   end)

   terminal.it('takes a page\'s block, and shows what its expressions give', function()
      start()
      run('\27[200~local a = 20\na + 1 --> 21\n-- and\n("-"):rep(3)\n   :rep(2)\na * 2.5\27[201~',
         '21\n------\n50\n')
   end)

   terminal.it('takes a session that a page shows for what was typed in it', function()
      start()
      run('\27[200~th> x = torch.ones(2)\nth> x:mul(3)\n 3\n 3\n[torch.DoubleTensor of size 2]\n\n'
         .. 'th> for i = 1, 2 do\n..>    io.write(i + 8, ".")\n..> end\n9.10.\nth> x:sum() + 1\n'
         .. '7\n[0.0001s]\nth> 2 ^ 9\27[201~', '9.10.7\n512\n')
      run('th> #"abcd"', '4')
   end)

   terminal.it('interrupts a compiled loop, again and again, and loses nothing', function()
      start()
      run 'count, kept = 0, "kept"'
      for _ = 1, 3 do
         t:send 'print "begins" while true do count = count + 1 end\r'
         t:expect '\nbegins'
         sys.sleep(0.2)
         t:send '\3'
         t:expect '\ninterrupted'
         t:expect 's]'
         t:expect 'th> '
      end
      run('count > 1000, kept', 'true\tkept')
      t:send '\4'
      assert.equal(0, t:finish())
   end)

   terminal.it('interrupts coroutines, callbacks of C functions, and what waits', function()
      start()
      for _, code in ipairs {
         'coroutine.wrap(function() while true do end end)()',
         'table.sort({ 3, 1, 2, 5, 4 }, function(a, b) while true do end end)',
         'local s = "" while true do s = (s .. "x"):sub(-5):gsub("x", "y") end',
         'sys.sleep(1000)',
         'io.read()',
         'local f = torch.DoubleTensor(10) while true do f:apply(function(x) return 1 end) end',
      } do
         t:send(('print "begins" %s\r'):format(code))
         t:expect '\nbegins'
         sys.sleep(0.2)
         t:send '\3'
         t:expect 'interrupted'
         t:expect 's]'
         t:expect 'th> '
      end
      run('6 * 7', '42')
   end)

   terminal.it('follows a script that failed or was interrupted, with -i', function()
      local path = home .. '/script.lua'
      local file = assert(io.open(path, 'w'))
      file:write 'x = 5\nprint "begins"\nwhile true do x = x + 1 end'
      file:close()
      t = terminal.open(('%s -i %s'):format(th, path), { environment = 'HOME=' .. home })
      t:expect 'begins'
      sys.sleep(0.2)
      t:send '\3'
      t:expect 'interrupted'
      t:expect 'script.lua:3: in main chunk'
      t:expect 'th> '
      run('x > 5', 'true')
   end)

   terminal.it('may be a prompt within a prompt', function()
      start()
      t:send 'repl()\r'
      t:expect 'th> '
      run('6 * 7', '42')
      t:send '\4'
      t:expect 's]'
      t:expect 'th> '
      t:send 'print "begins" while true do end\r'
      t:expect '\nbegins'
      t:send '\3'
      t:expect 'interrupted'
      t:expect 's]'
      t:expect 'th> '
      t:send '\4'
      assert.equal(0, t:finish())
   end)

   terminal.it('interrupts what is computed in C, a long product', function()
      start()
      run 'a = torch.DoubleTensor(12000, 3000):fill(0.5)'
      run 'b = torch.DoubleTensor(3000, 12000):fill(2)'
      t:send 'print "begins" c = torch.mm(a, b) print "ends"\r' -- 8.6e11 operations
      t:expect '\nbegins'
      sys.sleep(0.2)
      local began = sys.clock()
      t:send '\3'
      t:expect 'interrupted'
      t:expect 's]'
      local took = sys.clock() - began
      assert.is_nil(t.output:find('\nends', 1, true))
      assert.is_true(took < 20, ('it took %g s'):format(took)) -- or it was not interrupted
      t:expect 'th> '
      run('torch.mm(a:narrow(1, 1, 1), b:narrow(2, 1, 1))[1][1]', '3000')
   end)

   terminal.it('interrupts at once what catches errors, at the second Ctrl-C', function()
      start()
      t:send 'print "begins" while true do pcall(function() while true do end end) end\r'
      t:expect '\nbegins'
      sys.sleep(0.2)
      t:send '\3'
      sys.sleep(0.2)
      t:send '\3'
      t:expect 'interrupted'
      t:expect 'th> '
      run('6 * 7', '42')
   end)

   terminal.it('shows an error with its line, and the time of a statement', function()
      start()
      t:send 'nn.Sequential():add(nn.Lineer(3, 4))\r'
      t:expect "nn has no 'Lineer'; near: Linear"
      t:expect '1 | nn.Sequential():add(nn.Lineer(3, 4))'
      t:expect 's]'
      t:expect 'th> '
      run('torch.zeroes', "torch has no 'zeroes'; near: zeros")
      run('y = torch.ones(2)')
      run('y.dtype', "y.dtype is the core's own; ask y:type()")
   end)

   terminal.it('asks before it exits, but not at Ctrl-D', function()
      start()
      t:send 'exit\r'
      t:expect 'really want to exit'
      t:send 'n\r'
      t:expect 'th> '
      t:send 'exit\r'
      t:expect 'really want to exit'
      t:send 'y\r'
      assert.equal(0, t:finish())
   end)

   terminal.it('begins on a line of its own after output without an end', function()
      start()
      run('io.write "no end";', 'no end')
      assert.truthy(t.output:find '\nno end%[0')
   end)

   terminal.it('works on a terminal of no width', function()
      start { columns = 0, rows = 0 }
      run('6 * 7', '42')
      t:send '\4'
      assert.equal(0, t:finish())
   end)

   terminal.it('works without an editor, and says once that the history cannot be kept', function()
      t = terminal.open(('env TERM=dumb TREPL_HISTORY=%s/none/x %s'):format(home, th))
      t:expect 'th> '
      t:send '6 * 7\n'
      t:expect 'the history is not kept'
      t:expect '42'
      t:send '7 * 7\n'
      t:expect '49'
      t:send 'for i = 1, 2 do\n\n\n'
      t:expect "'end' expected"
      t:send '\4'
      assert.equal(0, t:finish())
      assert.equal(1, select(2, t.output:gsub('the history is not kept', '')))
   end)
end)
