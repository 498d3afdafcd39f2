local support = require 'test.support.shell'

local th = os.getenv 'TH_EXECUTABLE'

local quoted, shell, with_folder = support.quoted, support.run, support.with_folder

local function file_with(text)
   local path = os.tmpname()
   local file = assert(io.open(path, 'w'))
   file:write(text)
   file:close()
   return path
end

local function with_script(text, f)
   local path = file_with(text)
   f(path)
   os.remove(path)
end

-- Feed lines to the prompt, which is then no terminal.
local function prompt(text)
   local output, status
   with_script(text, function(path)
      output, status = shell(th .. ' < ' .. path)
   end)
   return output, status
end

-- th's program with a folder in front of its search path.
local function with_path(folder)
   return ('eval "$(%s --env)"; LUA_PATH="%s/?.lua;$LUA_PATH" luajit %s '):format(th, folder,
      package.searchpath('trepl.main', package.path))
end

describe('th with a torch that does not load', function()
   it('says so and where to look, and runs what can run', function()
      with_folder(function(folder)
         local output, status = shell(with_path(folder)
            .. [[-e "print(1) print(help, pcall(require, 'torch'))"]])
         assert.equal(0, status, output)
         local told, rest = output:match '^(.-\n.-\n)(.*)$'
         assert.equal('th: cannot load torch: ' .. folder .. '/torch/ffi.lua:1: no such symbol\n'
            .. '(th --doctor says more)\n', told)
         assert.matches("^1\nnil\tfalse\t.*loading module 'torch.ffi'\n$", rest)
      end, { ['torch/ffi.lua'] = "error 'no such symbol'" })
   end)

   it('names the Debian package of a library that is missing', function()
      with_folder(function(folder)
         local alone = with_path(folder)
         local output = shell(alone .. '-e 1')
         assert.matches('No such file or directory\n(Debian: apt install libdnnl2; th --doctor '
            .. 'says more)\n', output, 1, true)
         local status
         output, status = shell(alone .. '--doctor')
         assert.equal(1, status)
         assert.matches('  - torch does not load: ' .. folder .. '/torch/ffi.lua:1: libdnnl.so.2: '
            .. 'cannot open shared object file: No such file or directory.\n'
            .. '    Debian: apt install libdnnl2\n', output, 1, true)
      end, { ['torch/ffi.lua'] = "error 'libdnnl.so.2: cannot open shared object file: "
         .. "No such file or directory'" })
   end)

   it('does not start without LuaFileSystem, and says what has it', function()
      with_folder(function(folder)
         local alone = with_path(folder)
         local said = ('th: LuaFileSystem is not there, without which th does not start: %s/'
            .. "lfs.lua:1: module 'lfs' not found (Debian: apt install lua-filesystem)\n"):format(
            folder)
         for _, words in ipairs { '-e 1', '--bundle x.lua', '' } do
            assert.same({ said, 1 }, { shell(alone .. words .. ' </dev/null') })
         end
         local output, status = shell(alone .. '--doctor')
         assert.equal(1, status)
         assert.matches("  %- torch does not load: [^\n]*module 'lfs' not found.\n"
            .. '    Debian: apt install lua%-filesystem\n', output)
         assert.equal(0, select(2, shell(alone .. '--version')))
      end, { ['lfs.lua'] = [[error "module 'lfs' not found:\n\tno file 'lfs.lua'"]] })
   end)
end)

describe('th with a script', function()
   it('passes the arguments in arg and ...', function()
      with_script('print(arg[0], arg[1], #arg, ...)', function(path)
         assert.same({ path .. '\ta b\t2\ta b\t-x\n', 0 },
                     { shell(th .. ' ' .. path .. " 'a b' -x") })
      end)
   end)

   it('has torch, paths, sys and xlua, and a print that shows tables', function()
      local code = 'print(1, torch.ones(1):sum(), type(sys.clock()), type(paths), type(xlua))\n'
         .. "print({ 5, name = 'x', deep = { a = { b = { c = { 1 } } } }, none = {} })\n"
         .. 'setprintlevel(0)\nprint({ { 1 } }, 2)\n'
         .. 'print(setmetatable({}, { __tostring = function() return "mine" end }))'
      with_script(code, function(path)
         assert.same({ [[
1	1	number	table	table
{
  1 : 5
  deep :
    {
      a :
        {
          b :
            {
              c : {...}
            }
        }
    }
  name : x
  none : {}
}
{
  1 : {...}
}
2
mine
]], 0 }, { shell(th .. ' ' .. path) })
      end)
   end)

   it('prints tensors in tables as type and sizes, and each result by itself', function()
      local code = 'print({ torch.DoubleTensor(2, 4, 5), torch.FloatTensor(), '
         .. 'torch.LongStorage(3) })\n'
         .. 'print(7, torch.DoubleTensor { 1, 2 }, 8, 9, torch.LongStorage { 3 })'
      with_script(code, function(path)
         assert.same({ [[
{
  1 : DoubleTensor - size: 2x4x5
  2 : FloatTensor - empty
  3 : LongStorage - size: 3
}
7
 1
 2
[torch.DoubleTensor of size 2]

8	9
 3
[torch.LongStorage of size 1]

]], 0 }, { shell(th .. ' ' .. path) })
      end)
   end)

   it('prints a traceback that begins at the error and ends at the script, status 1', function()
      with_script('local function f() error("boom") end\nf()', function(path)
         local output, status = shell(th .. ' ' .. path)
         assert.same(1, status)
         assert.truthy(output:find(path .. ':1: boom', 1, true))
         assert.truthy(output:find(path .. ':2: in main chunk\n$'))
      end)
   end)

   it('shows the line of a script that does not compile', function()
      with_script('x = 1\n  y = = 2', function(path)
         assert.same({ ("th: %s:2: unexpected symbol near '='\n  2 | y = = 2\n"):format(path), 1 },
            { shell(th .. ' ' .. path) })
      end)
   end)

   it('shows the line of an error and what is near to a name', function()
      with_script('local x = torch.ones(3)\nx:tranpose()', function(path)
         local output, status = shell(th .. ' ' .. path)
         assert.same({ ("th: %s:2: attempt to call method 'tranpose' (a nil value)\n"
            .. "  torch.DoubleTensor has no 'tranpose'; near: transpose\n  2 | x:tranpose()\n"
            .. 'stack traceback:\n\t%s:2: in main chunk\n'):format(path, path), 1 },
            { output, status })
      end)
   end)

   it('names a script that is not there', function()
      local output, status = shell(th .. ' /nowhere/x.lua')
      assert.same(1, status)
      assert.truthy(output:find('/nowhere/x.lua: No such file', 1, true))
   end)

   it('hands on the status of os.exit', function()
      with_script('os.exit(7)', function(path)
         assert.same(7, select(2, shell(th .. ' ' .. path)))
      end)
   end)

   it('reads the script from standard input for -', function()
      assert.same('-\tq\n', (shell("echo 'print(arg[0], ...)' | " .. th .. ' - q')))
   end)
end)

describe('th with options', function()
   it('-e runs code with torch loaded', function()
      assert.same('3\n', (shell(th .. " -e 'print(torch.ones(3):sum())'")))
   end)

   it('-e has nn and optim, which are loaded when they are named or read', function()
      local code = 'print(package.loaded.nn == nil) print(nn.Linear ~= nil, optim.sgd ~= nil)'
      assert.equal('true\ntrue\ttrue\n', (shell(th .. ' -e ' .. quoted(code))))
      with_folder(function(folder)
         local save = "torch.save('net.t7', nn.Sequential():add(nn.Linear(2, 3)))"
         local load = "print(torch.load('net.t7').modules[1].weight:size(1))"
         assert.equal('3\n', (shell(('cd %s && %s -e %s && %s -e %s'):format(folder, th,
            quoted(save), th, quoted(load)))))
         local derive = "torch.class('Mine', 'nn.Module') print(torch.type(Mine()))"
         assert.equal('Mine\n', (shell(th .. ' -e ' .. quoted(derive))))
      end)
   end)

   it('-e reports an error in the code, status 1', function()
      local output, status = shell(th .. " -e 'x('")
      assert.same(1, status)
      assert.truthy(output:find("th: (command line):1: unexpected symbol near '<eof>'", 1, true))
   end)

   it('-l loads a package, with the name in a word of its own or not', function()
      assert.equal('table\n', (shell(th .. " -l graph -e 'print(type(graph))'")))
      assert.equal('table\n', (shell(th .. " -lgraph -e 'print(type(graph))'")))
   end)

   it('-l of a module that is not there says so, without a line of our own', function()
      local output = shell(th .. ' -l optin -e 1 2>&1')
      assert.matches("^th: module 'optin' not found: it is none of the ", output)
      assert.matches('near: optim', output)
   end)

   it('-l makes a global of a package that makes none, of which -g has nothing to say', function()
      assert.equal('function\n', (shell(th .. " -g -l npy -e 'print(type(npy.load))' 2>&1")))
      assert.equal('table\n', (shell(th .. " -l torch.dataset -e 'print(type(torch))'")))
   end)

   it('-g says where globals are made and read that are nil, -gg ends there', function()
      with_script('local a = 1\nglobal = a\nprint(gloabl, global)', function(path)
         assert.same({ ('%s:2: a new global variable: global\n'
            .. '%s:3: a global variable that is nil: gloabl\nnil\t1\n'):format(path, path), 0 },
            { shell(th .. ' -g ' .. path) })
         local output, status = shell(th .. ' -gg ' .. path)
         assert.equal(1, status)
         assert.equal(('th: %s:2: a new global variable: global\n'):format(path),
            output:match '^[^\n]*\n')
      end)
   end)

   it('-a and -x say that they are not there', function()
      for _, option in ipairs { '-a', '-x' } do
         local output, status = shell(th .. ' ' .. option)
         assert.equal(2, status)
         assert.truthy(output:find 'is not there')
      end
   end)

   it('rejects an unknown option by name, status 2', function()
      local output, status = shell(th .. ' --zork')
      assert.same({ "th: unknown option '--zork' (th --help lists the options; those of a script "
         .. 'go behind its name)\n', 2 }, { output, status })
      for option, hint in pairs { ['--worker'] = 'near: --workers', ['--vers'] = 'near: --version',
         ['-c 1'] = 'here it is -e code', ['-m x'] = 'here it is -l name',
         ['--nproc_per_node=2'] = 'here it is --workers N' } do
         assert.truthy(shell(('%s %s'):format(th, option)):find("'; " .. hint, 1, true), option)
      end
   end)

   it('rejects an option without its value, status 2', function()
      assert.same(2, select(2, shell(th .. ' -e')))
   end)

   it('--help and --version answer with status 0', function()
      local help, help_status = shell(th .. ' --help')
      assert.truthy(help:find('usage: th', 1, true))
      local version, version_status = shell(th .. ' --version')
      assert.truthy(version:find('LuaTorch', 1, true))
      assert.same({ 0, 0 }, { help_status, version_status })
   end)

   it("--version and --doctor begin with CMakeLists.txt's version", function()
      local file = assert(io.open 'CMakeLists.txt')
      local version = file:read '*a':match 'project%(LuaTorch VERSION (%d+%.%d+%.%d+) '
      file:close()
      local line = shell(th .. ' --version')
      assert.equal(('LuaTorch %s, %s'):format(version, jit.version),
         line:sub(1, #('LuaTorch , ' .. version .. jit.version)))
      assert.equal(('LuaTorch %s\n\n'):format(version), (shell(th .. ' --doctor'):match '^.-\n\n'))
   end)
end)

describe('th --env', function()
   local show = [[; printf '%s\n' "$LUA_PATH" "$LUA_CPATH" "$PATH"]]

   it('keeps what the user had and adds the defaults', function()
      local output = shell("export LUA_PATH='/mine/?.lua' LUA_CPATH='/mine/?.so;;'\n" ..
         'eval "$(' .. th .. ' --env)"' .. show)
      assert.truthy(output:find(';/mine/?.lua;;\n', 1, true))
      assert.truthy(output:find(';/mine/?.so;;\n', 1, true))
   end)

   it('changes nothing when evaluated twice', function()
      local eval = 'eval "$(' .. th .. ' --env)"'
      assert.same((shell(eval .. show)), (shell(eval .. '\n' .. eval .. show)))
   end)

   -- The sanitizers' run-time libraries must be preloaded, as th does.
   local without_preload = os.getenv 'LD_PRELOAD' and pending or it
   without_preload('is enough for a plain luajit', function()
      local output = shell('unset LUA_PATH LUA_CPATH\neval "$(' .. th .. ' --env)"\n' ..
         "luajit -l torch -e 'print(torch.ones(3):sum())'\ncommand -v th")
      assert.same('3\n' .. th .. '\n', output)
   end)
end)

describe('the launcher', function()
   it('finds its files through a symbolic link, from anywhere', function()
      with_folder(function(folder)
         assert.same('1\n', (shell(('ln -s %s %s/link && cd / && %s/link -e "print(1)"')
            :format(quoted(th), folder, folder))))
      end)
   end)

   it('works from an installed tree that was moved to a path with a space and a quote', function()
      local build = th:gsub('/bin/th$', '')
      with_folder(function(folder)
         local moved = folder .. "/it's moved"
         local prefix = folder .. '/prefix'
         local install = 'env -u LD_PRELOAD cmake --install %s --prefix %s >/dev/null && mv %s %s'
         local output, status = shell(install:format(quoted(build), prefix, prefix, quoted(moved)))
         assert.same({ '', 0 }, { output, status })
         local code = "print(torch.ones(2):sum(), package.searchpath('libTH', package.cpath))"
         assert.same('2\t' .. moved .. '/lib/lua/5.1/libTH.so\n',
                     (shell(('env -u LUA_PATH -u LUA_CPATH %s -e %s')
                        :format(quoted(moved .. '/bin/th'), quoted(code)))))
      end)
   end)
end)

describe('the prompt', function()
   it('prints the values of expressions, nil included, and nothing for statements', function()
      assert.same({ '2\n1\tnil\nprinted\n7\n', 0 },
                  { prompt '1 + 1\n= 1, nil\nx = 3\nprint "printed"\nreturn 7\n' })
   end)

   it('keeps the last value in _ and _LAST', function()
      assert.same('3\n3\n3\n', (prompt '1 + 2\n_\n_LAST\n'))
   end)

   it('continues input that is not complete', function()
      assert.same('1\n2\n', (prompt 'for i = 1, 2 do\nprint(i)\nend\n'))
      assert.same('ab\n', (prompt '"a" ..\n\n"b"\n'))
   end)

   it('goes on after errors, each with its line, and ends with status 1', function()
      local output, status = prompt 'error("boom")\nfoo bar\nerror {}\nerror()\n1\n'
      assert.same(1, status)
      assert.truthy(output:find('stdin:1: boom\n  1 | error("boom")\n', 1, true))
      assert.truthy(output:find("stdin:1: '=' expected near 'bar'", 1, true))
      assert.truthy(output:find('1\n$'))
   end)

   it('prints nothing of a statement that ends in a semicolon', function()
      assert.equal('3\n', (prompt '1 + 1;\n_ + 1\n'))
   end)

   it('sums up a large tensor, and prints all of a small one', function()
      local output = prompt 'torch.zeros(200, 300)\nprint(torch.zeros(200, 300))\ntorch.ones(2)\n'
      assert.is_true(#output < 3000)
      assert.truthy(output:find('[torch.DoubleTensor of size 200x300]', 1, true))
      assert.truthy(output:find('\n 1\n 1\n[torch.DoubleTensor of size 2]\n', 1, true))
   end)

   it('sums up a long table, and shows those within to a depth', function()
      local output = prompt 't = {} for i = 1, 1000 do t[i] = i end\nt\n{ { { { { 1 } } } } }\n'
      assert.truthy(output:find('  60 : 60\n  ... and 940 more entries\n}', 1, true))
      assert.truthy(output:find('{...}', 1, true))
   end)

   it('answers ? with what the sources say', function()
      assert.truthy((prompt '? nn.Linear\n'):find('nn.Linear(inputSize, outputSize', 1, true))
      assert.truthy((prompt 'x = torch.ones(2)\n?x:narrow\n'):find('t:narrow(dim, first', 1, true))
      assert.truthy((prompt '?\n'):find('Ctrl-R', 1, true))
      assert.truthy((prompt '? nothingofthename\n'):find('no help on nothingofthename', 1, true))
      for asked, answer in pairs { ['torch.zeroes'] = "no 'zeroes'; near: zeros",
         ['nn.Conv2d'] = 'here it is nn.SpatialConvolution(',
         DataLoader = "here it is require('torch.dataset').Loader", numpy = 'here: NumPy' } do
         local text = prompt('? ' .. asked .. '\n')
         assert.truthy(text:find('no help on ' .. asked, 1, true), text)
         assert.truthy(text:find(answer, 1, true), text)
      end
   end)

   it('prints no package that a statement only requires', function()
      assert.equal('2\n', (prompt "require 'nn'\nrequire('torch')\n1 + 1\n"))
      -- a value that is asked for is
      assert.truthy((prompt "(require 'nn')\n"):find('more entries', 1, true))
   end)

   it('runs commands of the shell after $', function()
      assert.equal('b\nc\n', (prompt '$ printf "b\\nc\\n"\n'))
   end)

   it('ends at exit and at break', function()
      assert.same({ '1\n', 0 }, { prompt '1\nexit\n2\n' })
      assert.same({ '1\n', 0 }, { prompt '1\nbreak\n2\n' })
      assert.equal('7\n', (prompt 'exit = 7\nexit\n'))
   end)

   it('runs the file of TREPLSTARTUP first', function()
      with_script('startup = 5', function(startup)
         with_script('startup\n', function(input)
            assert.equal('5\n', (shell(('TREPLSTARTUP=%s %s < %s'):format(startup, th, input))))
         end)
      end)
   end)

   it('can be run by a script', function()
      with_script('local repl = require "trepl"\nx = 4\nrepl()\nprint "after"', function(script)
         with_script('x + 1\n', function(input)
            assert.equal('5\nafter\n', (shell(('%s %s < %s'):format(th, script, input))))
         end)
      end)
   end)

   it('follows a script with -i', function()
      with_script('x = 4', function(script)
         with_script('x + 1\n', function(input)
            assert.equal('5\n', (shell(('%s -i %s < %s'):format(th, script, input))))
         end)
      end)
   end)
end)
