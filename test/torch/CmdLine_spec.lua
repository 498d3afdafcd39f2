local torch = require 'torch'
local CmdLine = require 'torch.CmdLine'

local function example()
   local cmd = CmdLine()
   cmd:text('Train a network')
   cmd:text()
   cmd:argument('data', 'file of samples')
   cmd:option('-lr', 0.1, 'learning rate')
   cmd:option('-name', 'run', 'name of the run')
   cmd:option('-plot', false, 'draw curves')
   cmd:option('--cuda', true, 'use the GPU')
   return cmd
end

-- Run a script that ends its process; what it prints, and its exit status.
local function runScript(body, ...)
   local script = os.tmpname()
   local file = assert(io.open(script, 'w'))
   file:write([[
      local CmdLine = require 'torch.CmdLine'
      local cmd = CmdLine()
      cmd:argument('data', 'file of samples')
      cmd:option('-lr', 0.1, 'learning rate')
   ]], body)
   file:close()
   local command = table.concat({ 'luajit', script, ... }, ' ')
   local pipe = assert(io.popen(command .. ' 2>&1; echo "status $?"'))
   local text = pipe:read('*a')
   pipe:close()
   os.remove(script)
   local output, status = text:match('^(.*)status (%d+)\n$')
   return output, tonumber(status), script
end

describe('CmdLine:parse', function()
   it('gives defaults for what is not on the command line', function()
      assert.same({ data = 'x', lr = 0.1, name = 'run', plot = false, cuda = true },
         example():parse { 'x' })
      assert.same({ lr = 0.1, name = 'run', plot = false, cuda = true }, example():default())
   end)

   it('converts values, toggles flags and takes arguments anywhere', function()
      assert.same({ data = 'file', lr = 1e-3, name = '7', plot = true, cuda = false },
         example():parse { '-lr', '1e-3', 'file', '-plot', '-name', '7', '--cuda' })
   end)

   it('takes the next text as the value whatever it looks like', function()
      local params = example():parse { '-name', '-lr', 'file', '-lr', '-2' }
      assert.equal('-lr', params.name)
      assert.equal(-2, params.lr)
   end)

   it('counts an unknown option as a positional argument', function()
      assert.equal('-unknown', example():parse({ '-unknown' }).data)
   end)

   it('uses the global arg by default', function()
      local before = rawget(_G, 'arg')
      rawset(_G, 'arg', { 'from-global' })
      local params = example():parse()
      rawset(_G, 'arg', before)
      assert.equal('from-global', params.data)
   end)

   it('follows the type given rather than the default\'s', function()
      local cmd = CmdLine()
      cmd:option('-seed', nil, 'none by default', 'number')
      cmd:option('-tag', 5, 'shown as text', 'string')
      assert.same({ tag = 5 }, cmd:parse {})
      assert.same({ seed = 3, tag = '8' }, cmd:parse { '-seed', '3', '-tag', '8' })
   end)

   it('converts positional arguments that have a type', function()
      local cmd = CmdLine()
      cmd:argument('count', 'how many', 'number')
      assert.same({ count = 12 }, cmd:parse { '12' })
   end)

   it('lets a subclass read in its own way', function()
      local cmd = example()
      function cmd.__readOption__(_, params)
         params.lr = 'mine'
         return 1
      end
      assert.equal('mine', cmd:parse({ '-lr', 'file' }).lr)
   end)
end)

describe('CmdLine ends the program', function()
   it('with its help and status 0 on -h, -help and --help', function()
      for _, flag in ipairs { '-h', '-help', '--help' } do
         local output, status, script = runScript('cmd:parse(arg) print("went on")', flag)
         assert.equal(0, status)
         assert.equal(('Usage: %s [options] <data>\n\n  <data> file of samples\n'):format(script)
            .. '  -lr    learning rate [0.1]\n', output)
      end
   end)

   it('with a message, its help and status 1 on an error', function()
      local cases = {
         ['not enough arguments: 0 given, 1 expected'] = {},
         ['invalid argument: b'] = { 'a', 'b' },
         ['invalid argument: -lt; near: -lr'] = { 'a', '-lt', '3' },
         ['missing value for option -lr'] = { 'a', '-lr' },
         ['invalid value for -lr: expected a number, got fast'] = { 'a', '-lr', 'fast' },
      }
      for message, arguments in pairs(cases) do
         local output, status = runScript('cmd:parse(arg) print("went on")', unpack(arguments))
         assert.equal(1, status)
         assert.matches(message, output, 1, true)
         assert.matches('learning rate', output, 1, true)
         assert.is_nil(output:find('went on', 1, true))
      end
   end)

   it('unless -h is an option of the script', function()
      local cmd = CmdLine()
      cmd:option('-h', 3, 'height')
      assert.same({ h = 4 }, cmd:parse { '-h', '4' })
   end)
end)

describe('CmdLine declarations', function()
   it('are checked at the user\'s line', function()
      local cmd = CmdLine()
      local _, message = pcall(cmd.option, cmd, 3, 1, 'no name')
      assert.matches('CmdLine_spec%.lua:%d+: CmdLine:option: the name should be a string, got 3',
         message)
      _, message = pcall(cmd.option, cmd, '-x', {}, 'a table', 'list')
      assert.matches('type of -x should be number, string or boolean, got list', message, 1, true)
      _, message = pcall(cmd.option, cmd, '-x', nil, 'no default')
      assert.matches('type of -x should be number, string or boolean, got nil', message, 1, true)
      assert.same({}, cmd:default())
   end)

   it('may have defaults of other types, for classes that read them', function()
      local List, parent = torch.class('test.CmdLineOfLists', 'torch.CmdLine', {})
      function List:__readOption__(params, arg, i)
         if self.options[arg[i]].type ~= 'table' then
            return parent.__readOption__(self, params, arg, i)
         end
         params.sizes = { tonumber(arg[i + 1]), tonumber(arg[i + 2]) }
         return 3
      end
      local cmd = List()
      cmd:option('-sizes', { 1 }, 'a list')
      cmd:option('-lr', 0.1, 'learning rate')
      assert.same({ sizes = { 1 }, lr = 0.1 }, cmd:parse {})
      assert.same({ sizes = { 3, 4 }, lr = 2 }, cmd:parse { '-sizes', '3', '4', '-lr', '2' })
      local output, status = runScript('cmd:option("-t", {}) cmd:parse { "-t", "3" }')
      assert.equal(1, status)
      assert.matches('-t takes no value: its type is table', output, 1, true)
   end)

   it('may have a name without a dash, which is given without one', function()
      local cmd = CmdLine()
      cmd:option('lr', 1, 'learning rate')
      assert.same({ lr = 1 }, cmd:parse {})
      assert.same({ lr = 3 }, cmd:parse { 'lr', '3' })
   end)

   it('replace an option declared before', function()
      local cmd = CmdLine()
      cmd:option('-lr', 1, 'old')
      cmd:option('-lr', 2, 'new')
      assert.same({ lr = 2 }, cmd:parse {})
      local write, text = io.write, ''
      io.write = function(s) text = text .. s end -- luacheck: ignore 122
      cmd:help { [0] = 'me' }
      io.write = write -- luacheck: ignore 122
      assert.equal('Usage: me [options]\n\n  -lr new [2]\n', text)
   end)
end)

describe('CmdLine:string', function()
   local cmd = example()
   local defaults = cmd:parse { 'x' }
   local screen, printed = print, nil

   before_each(function()
      printed = {}
      _G.print = function(...)
         printed[#printed + 1] = table.concat({ ... }, '\t')
      end
   end)

   after_each(function()
      _G.print = screen
   end)

   it('joins with separators that are fields, as in Torch7', function()
      local own = CmdLine()
      own:option('-a', 1, '')
      own:option('-b', 2, '')
      own.argseparator, own.keyseparator = '_', ':'
      assert.equal('run_a:3_b:4', own:string('run', { a = 3, b = 4 }, {}))
   end)

   it('is the prefix and the arguments when options have their defaults', function()
      assert.equal('exp,data=x', cmd:string('exp', defaults))
      assert.equal('exp', cmd:string('exp', defaults, { data = true }))
   end)

   it('adds the options that differ, sorted, with t and f for booleans', function()
      local params = cmd:parse { 'x', '-plot', '-name', 'a', '--cuda', '-lr', '1' }
      assert.equal('exp,data=x,cuda=f,lr=1,name=a,plot=t', cmd:string('exp', params))
      assert.equal('exp,cuda=f,plot=t',
         cmd:string('exp', params, { data = true, lr = true, name = true }))
      assert.same({ '-- ignore option data', '-- ignore option lr', '-- ignore option name' },
         printed)
   end)

   it('mentions an option that is not to be ignored even with its default', function()
      local own = CmdLine()
      own:option('-a', 1, '')
      own:option('-b', 2, '')
      assert.equal('p,b=2', own:string('p', own:parse {}, { b = false }))
      assert.same({}, printed)
   end)

   it('joins with the separators of the constructor', function()
      local own = CmdLine('_', ':')
      own:option('-a', 1, '')
      assert.equal('p_a:2', own:string('p', { a = 2 }))
   end)
end)

describe('CmdLine:log', function()
   local before, printed, file

   before_each(function()
      before, printed, file = print, {}, os.tmpname()
      rawset(_G, 'print', function(...)
         table.insert(printed, (tostring(...)))
      end)
   end)

   after_each(function()
      rawset(_G, 'print', before)
      os.remove(file)
   end)

   local function logged()
      local lines = {}
      for line in io.lines(file) do
         table.insert(lines, line)
      end
      return lines
   end

   it('tees print to the file, below the parameters', function()
      local cmd = CmdLine()
      cmd:log(file, { b = 2, a = true })
      print('hello', 3, nil)
      local lines = logged()
      assert.matches('^%[program started on .*%]$', lines[1])
      assert.same({ '[command line arguments]', 'a true', 'b 2', '[----------------------]',
         'hello 3 nil' }, { unpack(lines, 2) })
      assert.equal('[command line arguments]', printed[2])
      assert.equal(#lines, #printed)
   end)

   it('silent keeps the screen clear, addTime stamps the lines of the file', function()
      local cmd = CmdLine()
      cmd:silent()
      cmd:addTime('project', '%Y')
      cmd:log(file)
      print('x')
      assert.same({}, printed)
      assert.equal(os.date('%Y') .. '[project]: x', logged()[4])
   end)

   it('writes to an open file', function()
      local handle = assert(io.open(file, 'w'))
      CmdLine():log(handle, { n = 1 })
      handle:close()
      assert.equal('n 1', logged()[3])
   end)

   it('says which file cannot be opened, and leaves print alone', function()
      local present = print
      local _, message = pcall(function()
         CmdLine():log('/no/such/directory/log')
      end)
      assert.matches('CmdLine_spec%.lua:%d+: CmdLine:log: cannot open the log: /no/such/directory',
         message)
      assert.equal(present, print)
   end)
end)
