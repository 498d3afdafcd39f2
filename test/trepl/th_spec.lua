local th = os.getenv 'TH_EXECUTABLE'

local function quoted(text)
   return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- Run a shell command; returns what it printed (stdout and stderr) and its exit status.
local function shell(command)
   local pipe = assert(io.popen('{ ' .. command .. '\n} 2>&1; echo "status $?"'))
   local output, status = pipe:read('*a'):match('^(.*)status (%d+)\n$')
   pipe:close()
   return output, tonumber(status)
end

local function file_with(text)
   local path = os.tmpname()
   local file = assert(io.open(path, 'w'))
   file:write(text)
   file:close()
   return path
end

-- A container may have no pseudo-terminals to give.
local has_terminals = select(2, shell 'script -qec true /dev/null </dev/null') == 0

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

local function with_folder(f)
   local path = os.tmpname()
   os.remove(path)
   assert(os.execute('mkdir ' .. path) == 0)
   f(path)
   os.execute('rm -r ' .. path)
end

describe('th with a script', function()
   it('passes the arguments in arg and ...', function()
      with_script('print(arg[0], arg[1], #arg, ...)', function(path)
         assert.same({ path .. '\ta b\t2\ta b\t-x\n', 0 },
                     { shell(th .. ' ' .. path .. " 'a b' -x") })
      end)
   end)

   it('has Penlight\'s modules as globals where it is installed, and else goes without', function()
      with_script('print(path and path.join("a", "b"))', function(script)
         local expected = pcall(require, 'pl.path') and 'a/b\n' or 'nil\n'
         assert.same({ expected, 0 }, { shell(th .. ' ' .. script) })
         local absent = 'package.preload.pl = function() error "module \'pl\' not found" end'
         assert.same({ 'nil\n', 0 },
            { shell(('LUA_INIT=%s %s %s'):format(quoted(absent), th, script)) })
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

   it('-e reports an error in the code, status 1', function()
      local output, status = shell(th .. " -e 'x('")
      assert.same(1, status)
      assert.truthy(output:find("th: (command line):1: unexpected symbol near '<eof>'", 1, true))
   end)

   it('rejects an unknown option by name, status 2', function()
      local output, status = shell(th .. ' --zork')
      assert.same({ "th: unknown option '--zork' (th --help lists the options)\n", 2 },
                  { output, status })
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

   it('goes on after errors, each with its traceback, and ends with status 1', function()
      local output, status = prompt 'error("boom")\nfoo bar\nerror {}\nerror()\n1\n'
      assert.same(1, status)
      assert.truthy(output:find('stdin:1: boom\nstack traceback:\n\t[C]: in function \'error\'\n' ..
         '\tstdin:1: in main chunk\n', 1, true))
      assert.truthy(output:find("stdin:1: '=' expected near 'bar'", 1, true))
      assert.truthy(output:find('1\n$'))
   end)

   local on_terminal = has_terminals and it or pending
   on_terminal('edits lines and keeps a history on a terminal', function()
      local up, left = '\27[A', '\27[D'
      with_folder(function(home)
         local keys = file_with('111' .. left .. left .. '+\n' .. up .. '0\n')
         local output = shell(('TERM=xterm HOME=%s script -qec %s /dev/null < %s')
            :format(home, th, keys))
         os.remove(keys)
         assert.truthy(output:find('[\r\n]12\r\n')) -- 1+11
         assert.truthy(output:find('[\r\n]111\r\n')) -- 1+110
         local history = assert(io.open(home .. '/.th_history'))
         assert.same('1+11\n1+110\n', history:read('*a'))
         history:close()
      end)
   end)
end)
