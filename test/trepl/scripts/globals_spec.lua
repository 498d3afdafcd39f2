local globals = require 'trepl.scripts.globals'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local th = os.getenv 'TH_EXECUTABLE'

-- What a script prints, stderr included.
local function output(text)
   local printed
   shell.with_folder(function(folder)
      printed = shell.run(('%s %s/main.lua'):format(th, folder)):gsub(folder .. '/', '')
   end, { ['main.lua'] = text })
   return printed
end

describe('import', function()
   after_each(function()
      for _, name in ipairs { 'ga', 'gb' } do
         rawset(_G, name, nil)
      end
   end)

   it('makes a table\'s fields globals', function()
      globals.import { ga = 1, gb = 2, [3] = 4 }
      assert.same({ 1, 2 }, { _G.ga, _G.gb })
      globals.import { ga = 1 } -- the same again
   end)

   it('refuses to replace any, unless it is told to', function()
      rawset(_G, 'gb', 'mine')
      raises('import: gb is a global already', globals.import, { ga = 1, gb = 2 })
      assert.is_nil(rawget(_G, 'ga'))
      globals.import({ ga = 1, gb = 2 }, true)
      assert.equal(2, _G.gb)
   end)

   it('requires a package by its name', function()
      assert.equal('function\n', output "import 'sys' print(type(clock))")
      raises('import: 3 is a number', globals.import, 3)
   end)
end)

describe('who', function()
   it('prints the variables of the user\'s', function()
      assert.equal('{\n  mine : 1\n}\n', output "mine = 1\nwho()")
      assert.equal('{\n  list : table of 2\n  net : nn.Sequential of 1\n  x : DoubleTensor - size: '
         .. '2x3\n}\n', output [[
net = require('nn').Sequential():add(require('nn').Linear(2, 3))
x, list = torch.ones(2, 3), { net, net }
who()]])
      assert.equal('{}\n', output('local s = stringx.split\nwho()')) -- nothing of Penlight's
      assert.truthy(output('mine = 1\nwho(true)'):find('  torch :', 1, true))
   end)
end)

describe('monitor_G', function()
   it('reports what is made and read before it is made, once, with the line', function()
      assert.equal('main.lua:3: a new global variable: x\n'
         .. 'main.lua:5: a global variable that is nil: y\n1\tnil\tnil\n', output [[
monitor_G()
for _ = 1, 2 do
   x = 1
end
print(x, y, y)]])
   end)

   it('calls a function', function()
      assert.equal('x newindex main.lua:2\n', output
         "monitor_G(function(...) io.write(table.concat({ ... }, ' '), '\\n') end)\nx = 1")
   end)

   it('leaves alone what libraries do, and Penlight\'s globals', function()
      assert.equal('true\n', output "monitor_G()\nrequire 'nn'\nprint(stringx ~= nil)")
   end)
end)

describe('printing', function()
   it('has Torch7\'s names', function()
      assert.equal('{\n  1 : 2\n}\ntrue\n', output
         "print_new { 2 }\nprint_old(print_old ~= print and print == print_new)")
      assert.equal('DoubleTensor - size: 2x3\n', output 'print(sizestr(torch.Tensor(2, 3)))')
      assert.equal('  k : 1\n', output "printvar('k', 1)")
      assert.equal('\27[0;31mx\27[0m\n', output "print(require('trepl.colorize').red 'x')")
      assert.equal('true\n', output "print(require('trepl.colors').red == sys.COLORS.red)")
      assert.equal('1\n', output 'noColors() print(colorize(1))')
   end)
end)

describe('Penlight', function()
   local found = package.searchpath('pl.stringx', package.path)
   local with_penlight = found and it or pending

   with_penlight('is there by the names of its modules', function()
      assert.equal('a\t2\ttrue\n', output
         "print(stringx.strip ' a ', #tablex.keys { 1, 2 }, lapp ~= nil)")
   end)

   with_penlight('formats with %', function()
      assert.equal('1 of 2\t7\t1\n', output "print('%d of %d' % { 1, 2 }, '%s' % 7, '10' % 3)")
   end)

   it('is not needed', function()
      local script = "print(lapp, stringx, '%d of %d' % { 1, 2 }, '%s' % 7)\nprint(nn)"
      shell.with_folder(function(folder)
         local printed = shell.run(([[
            cd %s && %s -e 'local find = package.searchpath
               package.searchpath = function(name, ...)
                  if name:find "^pl%%." then return nil, "hidden" end
                  return find(name, ...)
               end
               dofile "main.lua" lapp.x()']]):format(folder, th))
         assert.truthy(printed:find('nil\tnil\t1 of 2\t7\n', 1, true), printed)
         assert.truthy(printed:find("lapp is Penlight's, which is not installed "
            .. '(Debian: apt install lua-penlight)', 1, true), printed)
      end, { ['main.lua'] = script })
   end)
end)

describe('Torch7\'s modules', function()
   it('readline keeps a history and reads lines', function()
      shell.with_folder(function(folder)
         local printed = shell.run(([[cd %s && printf 'typed\n' | %s main.lua]]):format(folder, th))
         assert.equal('? typed\ntrue\ttrue\n', printed)
         local file = assert(io.open(folder .. '/h'))
         assert.equal('one\ntwo\n', file:read '*a')
         file:close()
      end, { ['main.lua'] = [[
local readline = require 'readline'
readline.setup()
print(readline.readline '? ')
readline.add_history 'one'
readline.add_history 'two'
print(readline.write_history 'h', readline.read_history 'h')]] })
   end)

   it('treplutils tells a terminal', function()
      assert.equal('false\n', (shell.run(
         ("echo | %s -e 'print(require(\"treplutils\").isatty())'"):format(th))))
   end)
end)
