--- What `th` does with its command line. The launcher bin/th has already set the search paths.

local traversal = require 'torch.traversal' -- before anything that loops
local call = require 'trepl.call'


local USAGE = [=[
usage: th [options] [script [arguments]]

  -e code     run the code
  -l name     require the package, as a global of its name (torch, paths, sys and xlua are always
              there; -e and the prompt have nn and optim too)
  -i          open the prompt after the script or the code
  -g          say where the script makes global variables, and reads such that are nil
  -gg         the same, as errors
  --workers N run the script in N processes, for the package distributed; before the script also:
              --restarts N  start again as often, after a failure, from the last checkpoint
              --timeout S   seconds that one process waits for another (30)
              --prefix      each line of output begins with its process (from 0)
  --bundle script.lua [file|folder|module...] [-o program]
              make one executable file of the script, what it requires, and LuaTorch; --add X is
              the same as X
  --env       print the shell exports with which a plain luajit finds the packages:
              eval "$(th --env)"
  --doctor    print what this build and this machine are like, and what is wrong with them
  --monitor[=N]  show what processors, memory and devices do, every second, N times
  --version   print the version
  --help      print this text

Without script and -e, th opens a prompt; `?` there says more. Its history is kept in
$TREPL_HISTORY or ~/.th_history; the file $TREPLSTARTUP is run first.]=]

local function fail(status, message)
   require('trepl.failure.screen').write(('th: %s\n'):format(message))
   os.exit(status)
end

local goes_on = false -- whether a prompt follows, even after errors

-- An error that ends th, unless a prompt follows.
local function report(message)
   if message then
      require('trepl.failure.screen').write(('th: %s\n'):format(message))
   end
   if not goes_on then
      os.exit(1, true)
   end
end

local function run(chunk, ...)
   local interrupts = goes_on and require 'trepl.interrupts'
   if interrupts then
      interrupts.enter()
      interrupts.boundary(call.traced)
      interrupts.allow()
   end
   local ok, err = call.traced(chunk, ...)
   if interrupts then
      interrupts.leave()
   end
   if not ok then
      report(err)
   end
   return ok
end

-- Of -l: what a package gives is a global of its name, as most packages make one by themselves.
local function require_as_global(name)
   local value = run(require, name) and package.loaded[name]
   if name:find '^[%a_][%w_]*$' and type(value) ~= 'boolean' and rawget(_G, name) == nil then
      rawset(_G, name, value)
   end
end

local function run_code(code)
   local chunk, message = loadstring(code, '=(command line)')
   if chunk then
      require('trepl.failure.source').remember(chunk, code)
      require('trepl.scripts.conditions').warn(code, '(command line)')
      run(chunk)
   else
      report(require('trepl.failure').of_syntax(message, code))
   end
end

-- As lua and luajit set it: the script at 0, its arguments from 1, what came before below 0.
local function set_arg(words, script_at)
   local shifted = { [-script_at] = os.getenv 'TH_EXECUTABLE' or 'th' }
   for i, word in ipairs(words) do
      shifted[i - script_at] = word
   end
   _G.arg = shifted
end

-- A script, and its text; the file is read once, for it may be a pipe.
local function load_script(path)
   local file = path ~= '-' and io.open(path, 'rb')
   local text = file and file:read '*a'
   if file then
      file:close()
   end
   if not text or text:sub(1, 1) == '\27' then -- standard input, a folder, compiled code
      return loadfile(path ~= '-' and path or nil)
   end
   local chunk, message = loadstring(text:gsub('^#[^\n]*', ''), '@' .. path)
   return chunk, message, text
end

local function run_script(words, script_at)
   local path = words[script_at]
   set_arg(words, script_at)
   require('trepl.scripts.require').within(path:match '^(.*)/[^/]*$' or '.')
   local chunk, message, text = load_script(path)
   if chunk then
      if text then
         require('trepl.scripts.conditions').warn(text, path)
      end
      run(chunk, unpack(words, script_at + 1))
   else
      report(require('trepl.failure').of_syntax(message, nil, path))
   end
end

-- Options of several processes, whose values are numbers.
local OF_WORKERS = { ['--workers'] = 'workers', ['--restarts'] = 'restarts',
   ['--timeout'] = 'timeout' }

local function number_of(option, text)
   local least = option == '--restarts' and 0 or 1
   if not (text or ''):find '^%d+$' or tonumber(text) < least then
      fail(2, ("option '%s' wants a whole number from %d on, as in %s 4"):format(option, least,
         option))
   end
   return tonumber(text)
end

local function parse(words)
   local options = { actions = {}, passed = {} }
   local i = 1
   local function pass(...) -- to processes that --workers starts, too
      for _, word in ipairs { ... } do
         table.insert(options.passed, word)
      end
   end
   while words[i] and words[i]:sub(1, 1) == '-' and words[i] ~= '-' do
      local word = words[i]
      if word == '-e' or word == '-l' then
         i = i + 1
         if not words[i] then
            fail(2, ("option '%s' needs a value (th --help lists the options)"):format(word))
         end
         table.insert(options.actions, { kind = word, value = words[i] })
         pass(word, words[i])
      elseif word:find '^%-l[^%-]' then -- -lnn
         table.insert(options.actions, { kind = '-l', value = word:sub(3) })
         pass(word)
      elseif word == '-i' or word == '--interactive' then
         options.prompt = true
      elseif word == '-g' or word == '-gg' then
         options.watch = word
         pass(word)
      elseif word == '-a' or word == '--async' or word == '-x' or word == '--gfx' then
         fail(2, ("option '%s' of Torch7's th is not there: its package is not part of LuaTorch")
            :format(word))
      elseif OF_WORKERS[word:match '^[^=]+'] then
         local name, text = word:match '^([^=]+)=?(.*)$'
         if text == '' then
            i = i + 1
            text = words[i]
         end
         options[OF_WORKERS[name]] = number_of(name, text)
      elseif word == '--prefix' then
         options.prefix = true
      elseif word == '-h' or word == '--help' then
         options.help = true
      elseif word == '-v' or word == '--version' then
         options.version = true
      elseif word == '--doctor' then
         options.doctor = true
      elseif word == '--monitor' or word:find '^%-%-monitor=' then
         options.monitor = word:match '=(.*)$' or 'forever'
         if options.monitor ~= 'forever' and not options.monitor:find '^[1-9]%d*$' then
            fail(2, ("option '%s': how often is a whole number, as in --monitor=1"):format(word))
         end
      elseif word == '--bundle' then
         if i > 1 then
            fail(2, '--bundle must be the first option')
         end
         options.bundle = { unpack(words, 2) }
         return options
      elseif word == '--env' then
         fail(2, '--env must be the only option')
      else
         fail(2, ("unknown option '%s'%s"):format(word, require('trepl.flags').hint(word, USAGE)))
      end
      i = i + 1
   end
   options.script_at = words[i] and i
   return options
end

local function has_code(options)
   for _, action in ipairs(options.actions) do
      if action.kind == '-e' then
         return true
      end
   end
   return false
end

local function prompt()
   local lines_ok = require('trepl').repl()
   if not lines_ok then
      os.exit(1, true)
   end
end

local function watch_globals(strictly)
   require('trepl.scripts.globals').monitor_G(strictly and function(name, event, where)
      error(('%s: %s: %s'):format(where, event == 'newindex' and 'a new global variable'
         or 'a global variable that is nil', name), 0)
   end or nil)
end

-- CMake has written it; it is asked for alone, for a torch that does not load has one, too.
local function version()
   local ok, built = pcall(require, 'torch.gen.build')
   return ok and built.version or '(not built)'
end

-- --workers: th starts itself, as often, without these options.
local function start_workers(options, words)
   if options.prompt then
      fail(2, '-i: a prompt is for one process, and none of --workers')
   elseif not options.script_at and not has_code(options) then
      fail(2, '--workers wants a script: th --workers 4 script.lua')
   end
   options.restarts, options.script = options.restarts or 0, words[options.script_at]
   local given = options.passed
   for i = options.script_at or #words + 1, #words do
      given[#given + 1] = words[i]
   end
   require('distributed.launch').run(options, given)
end

local function main(words)
   local options = parse(words)
   if options.help then
      print(USAGE)
      return
   elseif options.version then
      local branch = jit.prngstate and ', OpenResty' or ''
      print(('LuaTorch %s, %s%s'):format(version(), jit.version, branch))
      if traversal.faulty then
         print "Its loops over tables are faulty; th mends them, at a cost (Debian: use luajit2)."
      end
      return
   end

   local ok, why = pcall(require, 'lfs')
   if not ok then
      package.loaded.lfs = nil -- LuaJIT leaves a mark there
      if not options.doctor then -- which says so among the rest
         fail(1, ('LuaFileSystem is not there, without which th does not start: %s (Debian: apt '
            .. 'install %s)'):format(why:match '[^\n]*':gsub(':$', ''),
            require('torch.doctor.debian').modules.lfs))
      end
   end

   if options.bundle then
      os.exit(require('trepl.bundle').run(options.bundle), true)
   elseif options.workers then
      start_workers(options, words)
   elseif options.restarts or options.timeout or options.prefix then
      fail(2, '--restarts, --timeout and --prefix are for processes: --workers 4')
   end

   if options.doctor then
      local found = require('torch.doctor').examine() -- also of a torch that does not load
      io.stdout:write(('LuaTorch %s\n\n'):format(version()), tostring(found), '\n')
      if #found.problems > 0 then
         os.exit(1, true)
      end
      return
   elseif options.monitor then
      require 'torch'
      require('torch.monitor').run(tonumber(options.monitor), 1,
         require('torch.io.terminal').isatty(io.stdout))
      return
   end

   -- What Torch7's th gives to every script.
   call.preload('torch', 'paths', 'sys', 'xlua')
   local globals = require 'trepl.scripts.globals'
   globals.install()
   local opens_prompt = options.prompt or not (options.script_at or has_code(options))
   if opens_prompt or has_code(options) then
      require('trepl.autoload').install()
      _G.help = package.loaded.torch and package.loaded.torch.help
   end
   globals.snapshot()
   if options.watch then
      watch_globals(options.watch == '-gg')
   end

   goes_on = opens_prompt
   for _, action in ipairs(options.actions) do
      if action.kind == '-e' then
         run_code(action.value)
      else
         require_as_global(action.value)
      end
   end
   if options.script_at then
      run_script(words, options.script_at)
   end
   if opens_prompt then
      prompt()
   end
end

main(arg)
