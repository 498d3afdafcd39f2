-- luacheck: globals table.splice table.prune
local class = require 'torch.class'
local xlua = require 'xlua'

local function printed(f)
   local before, lines = print, {}
   rawset(_G, 'print', function(text) table.insert(lines, text) end)
   local ok, message = pcall(f)
   rawset(_G, 'print', before)
   assert(ok, message)
   return table.concat(lines, '\n')
end

local function runScript(body)
   local script = os.tmpname()
   local file = io.open(script, 'w')
   file:write(body)
   file:close()
   local pipe = io.popen('luajit ' .. script .. ' 2>&1')
   local text = pipe:read('*a')
   pipe:close()
   os.remove(script)
   return text
end

describe('require xlua', function()
   it('defines its globals', function()
      assert.equal(xlua, rawget(_G, 'xlua'))
      assert.equal(xlua.print, rawget(_G, 'xprint'))
      assert.equal(xlua.error, rawget(_G, 'xerror'))
      assert.equal(xlua.require, rawget(_G, 'xrequire'))
   end)
end)

describe('xlua.table2string and print', function()
   it('show tables with sorted keys, on one line or several', function()
      local t = { 'x', b = { 2, c = true }, a = 1 }
      assert.equal('{[1] = x, [a] = 1, [b] = {[1] = 2, [c] = true}}', xlua.table2string(t))
      assert.equal('{[1] = x,\n [a] = 1,\n [b] = {[1] = 2,\n        [c] = true}}',
         xlua.table2string(t, true))
      assert.equal('{[a] = 5,\n [b] = test}', printed(function()
         xlua.print { a = 5, b = 'test' }
      end))
      assert.equal('1\tnil\t{}', printed(function() xlua.print(1, nil, {}) end))
   end)

   it('leave objects to themselves and end on cycles', function()
      local C = class.class('spec.XluaPrinted', {})
      function C.__tostring__() return 'an object' end
      local t = { object = C.new() }
      assert.equal('{[object] = an object}', xlua.table2string(t))
      t.object = t
      assert.matches('^{%[object%] = table: 0x%x+}$', xlua.table2string(t))
   end)

   it('print into a log file as well, made with its directory', function()
      local root = os.tmpname() .. '.dir'
      local text = runScript(([[
         require 'xlua'
         xlua.log(%q)
         print('one', 2)
         io.write('three', 4, '\n')]]):format(root .. '/a/b.log'))
      assert.equal('one\t2\nthree4\n', text)
      runScript(("require 'xlua' xlua.log(%q, true) print('more')"):format(root .. '/a/b.log'))
      local file = assert(io.open(root .. '/a/b.log'))
      assert.equal('one\t2\nthree4\nmore\n', file:read('*a'))
      file:close()
      os.execute('rm -r ' .. root)
   end)
end)

describe('xlua on globals', function()
   it('who lists libraries and variables, clear and clearall delete variables', function()
      local text = runScript [[
         require 'xlua'
         a, b, c, d = 5, 'test', {}, 7
         xlua.who()
         xlua.clear('a')
         xlua.clear(c)
         print(a, b, c, d)
         xlua.clearall()
         print(a, b, d, xlua ~= nil, print ~= nil, xprint ~= nil)]]
      assert.matches('Global Libs:', text, 1, true)
      assert.matches('= sys[,}]', text)
      assert.matches('[a] = 5,\n [b] = test,\n [c] = {},\n [d] = 7}', text, 1, true)
      assert.matches('nil\ttest\tnil\t7\nnil\tnil\tnil\ttrue\ttrue\ttrue\n$', text)
   end)

   it('installed tells what require would find', function()
      assert.is_true(xlua.installed('lfs'))
      assert.is_true(xlua.installed('torch.class'))
      assert.is_true(xlua.installed('string'))
      assert.is_false(xlua.installed('no.such.module'))
   end)

   it('require warns instead of raising', function()
      local ok, module = xlua.require('lfs')
      assert.is_true(ok)
      assert.equal(require 'lfs', module)
      local text = runScript [[
         require 'xlua'
         print(xlua.require('no_such_module', true) == false, select('#', xlua.require('lfs')))]]
      assert.equal('warning: <no_such_module> could not be loaded '
         .. '(try: luarocks install no_such_module)\ntrue\t2\n', text)
   end)

   it('envparams takes values of the environment in the types of the defaults', function()
      local function with(environment)
         local pipe = io.popen(environment .. [[ luajit -e '
            require "xlua"
            local ok, p = pcall(xlua.envparams, {xlr = 0.1, xname = "a", xplot = false, xt = {}})
            print(ok and xlua.table2string(p) or p)' 2>&1]])
         local text = pipe:read('*l')
         pipe:close()
         return text
      end
      assert.equal('{[xlr] = 0.1, [xname] = a, [xplot] = false, [xt] = {}}', with('true;'))
      assert.equal('{[xlr] = 0.5, [xname] = 7, [xplot] = true, [xt] = {}}',
         with('xlr=0.5 xname=7 xplot=true xt=3'))
      assert.matches('the variable xlr should be a number, got "fast"', with('xlr=fast'), 1, true)
   end)
end)

describe('xlua errors', function()
   it('are raised at the user\'s line with domain and usage', function()
      local line
      local _, message = pcall(function()
         line = debug.getinfo(1, 'l').currentline + 1
         xlua.error('too small', 'resize', 'resize(n)')
      end)
      assert.matches('xlua_spec%.lua:' .. line .. ': <resize> too small\nresize%(n%)$', message)
   end)

   it('trycatch returns what f returns, or what catch makes of the error', function()
      assert.same({ 1, nil, 3, n = 3 }, (function(...)
         return { n = select('#', ...), ... }
      end)(xlua.trycatch(function() return 1, nil, 3 end)))
      assert.equal('caught x', xlua.trycatch(function() error('x', 0) end, function(raised)
         return 'caught ' .. raised
      end))
   end)
end)

describe('lists and strings', function()
   it('table.splice gives the others and those taken, and changes nothing', function()
      local list = { 'a', 'b', 'c', 'd' }
      local rest, taken = table.splice(list, 2, 2)
      assert.same({ { 'a', 'd' }, { 'b', 'c' } }, { rest, taken })
      assert.same({ { 'b', 'c', 'd' }, { 'a' } }, { table.splice(list) })
      assert.same({ 'a', 'b', 'c', 'd' }, list)
   end)

   it('table.prune drops or merges duplicates', function()
      assert.same({ 3, 1, 2 }, table.prune { 3, 1, 3, 2, 1 })
      local function parity(x) return x % 2 end
      assert.same({ 3, 2 }, table.prune({ 3, 1, 2, 4 }, parity))
      assert.same({ 4, 6 }, table.prune({ 3, 1, 2, 4 }, parity, function(a, b) return a + b end))
   end)

   it('string.split cuts at a pattern', function()
      assert.same({ 'a', 'b' }, ('a:b'):split(':'))
   end)

   it('string.tosymbol looks a dotted name up', function()
      assert.equal(math.pi, ('math.pi'):tosymbol())
      assert.equal(print, ('print'):tosymbol())
      assert.is_nil(('math.nothing.at.all'):tosymbol())
   end)
end)
