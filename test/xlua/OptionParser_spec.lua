local xlua = require 'xlua'

local function example()
   local op = xlua.OptionParser('%prog [options] files')
   op:option { '-n', '--count', dest = 'count', default = 10, help = 'how many' }
   op:option { '-name', dest = 'name', default = 'x', help = 'a name' }
   op:option { '-v', '--verbose', action = 'store_true', dest = 'verbose', default = false }
   op:option { '--no-cuda', action = 'store_false', dest = 'cuda', default = true }
   op:option { '--plain', help = 'x' }
   return op
end

local function parse(op, ...)
   local before = rawget(_G, 'arg')
   rawset(_G, 'arg', { [0] = 'script.lua', ... })
   local options, rest = op:parse()
   rawset(_G, 'arg', before)
   return options, rest
end

local function captured(f)
   local write, text = io.write, ''
   io.write = function(s) text = text .. s end -- luacheck: ignore 122
   f()
   io.write = write -- luacheck: ignore 122
   return text
end

describe('xlua.OptionParser', function()
   it('gives defaults without a command line', function()
      local options, rest = parse(example())
      assert.same({ count = 10, name = 'x', verbose = false, cuda = true }, options)
      assert.same({}, rest)
   end)

   it('reads values after a blank or an equals sign, flags, and the rest', function()
      local options, rest = parse(example(), '-n', '5', 'a', '--plain=4', '-v', '--no-cuda',
         '-name', '7', '--', '-v', '-1')
      assert.same({ count = 5, name = '7', verbose = true, cuda = false, plain = 4 }, options)
      assert.same({ 'a', '-v', '-1' }, rest)
   end)

   it('takes a negative number as a value and as an argument', function()
      local options, rest = parse(example(), '-n', '-3', '-4')
      assert.equal(-3, options.count)
      assert.same({ '-4' }, rest)
   end)

   it('fills a table given', function()
      local op = example()
      local before = rawget(_G, 'arg')
      rawset(_G, 'arg', { '-v' })
      local mine = { count = 1, other = 2 }
      local options = op:parse(mine)
      rawset(_G, 'arg', before)
      assert.equal(mine, options)
      assert.same({ count = 1, other = 2, name = 'x', verbose = true, cuda = true }, options)
   end)

   it('ends the program on errors with status 1, on help with 0', function()
      local cases = {
         { '--unknown', 1, 'unknown option --unknown' },
         { '-r 1 -n', 1, 'option -n needs a value' },
         { '--verbose=3 -r 1', 1, 'option --verbose takes no value' },
         { '', 1, 'missing option -r' },
         { '-h', 0, 'Usage: ' },
      }
      local script = os.tmpname()
      local file = io.open(script, 'w')
      file:write([[
         require 'xlua'
         local op = xlua.OptionParser('%prog')
         op:option { '-n', dest = 'n' }
         op:option { '-r', dest = 'r', req = true }
         op:option { '--verbose', action = 'store_true' }
         op:parse()
         print 'went on']])
      file:close()
      for _, case in ipairs(cases) do
         local pipe = io.popen(('luajit %s %s 2>&1; echo "status $?"'):format(script, case[1]))
         local text = pipe:read('*a')
         pipe:close()
         assert.matches('status ' .. case[2] .. '\n$', text)
         assert.matches(case[3], text, 1, true)
         assert.is_nil(text:find('went on', 1, true))
      end
      os.remove(script)
   end)

   it('prints its help', function()
      local op = example()
      local before = rawget(_G, 'arg')
      rawset(_G, 'arg', { [0] = 'run.lua' })
      local text = captured(function() op:help() end)
      rawset(_G, 'arg', before)
      assert.equal([[
Usage: run.lua [options] files

Options:
  -h, --help     show this help message and exit
  -n, --count    how many [default = 10]
  -name          a name [default = x]
  -v, --verbose   [default = false]
  --no-cuda       [default = true]
  --plain        x
]], text)
      assert.equal('-n, --count', op:flags(op.option_of['-n']))
      assert.matches('^%-h, %-%-help\n%-n', op:flags())
   end)

   it('shows what was parsed', function()
      local op = example()
      parse(op, '-n', '3', '-name', 'a/b')
      assert.equal('count=3,name=a/b', op:tostring())
      assert.equal('count=3,name=a_b', op:tostring(true))
      assert.equal('v=false,n=3', op:tostring(true, { '-v', '-n' }))
      assert.equal('count = 3, cuda = true, name = a/b, verbose = false\n',
         captured(function() op:summarize(true) end))
      assert.equal('  count = 3\n  cuda = true\n  name = a/b\n  verbose = false\n',
         captured(function() op:summarize() end))
   end)

   it('refuses bad declarations at the user\'s line', function()
      local op = example()
      local _, message = pcall(op.option, op, { dest = 'x' })
      assert.matches('OptionParser_spec%.lua:%d+: .*expected a table with flags', message)
      _, message = pcall(op.option, op, { '-x', action = 'append' })
      assert.matches('unknown action append of -x', message, 1, true)
   end)

   it('takes the usage in a table', function()
      assert.equal('text', xlua.OptionParser({ usage = 'text', version = '' }).usage)
   end)
end)
