--- The prompt of `th`: reads what is typed, evaluates it, prints the values.
--
-- An expression's values are printed, unless a semicolon ends it, and kept (trepl.results). What is
-- not yet complete goes on in the next line. An error is shown with the line it came from
-- (trepl.failure) and changes nothing else; Ctrl-C is one (trepl.interrupts).
--
-- `require 'trepl'` returns a table that, when called, runs the prompt, as Torch7's function does;
-- it replaces `print` and defines Torch7's globals (trepl.scripts.globals).
-- @module trepl
local call = require 'trepl.call'
local block = require 'trepl.block'
local commands = require 'trepl.commands'
local compile = require('trepl.compile').compile

local M = {}

-- What was typed, compiled: a chunk, and how it is to be run; or nil, message, and whether more
-- lines could make it complete.
local function read(text)
   if block.is_shown(text) then
      local chunk, message, incomplete = block.compile(text)
      return chunk, chunk and { block = true } or message, incomplete
   end
   local chunk, silent, incomplete, is_expression = compile(text)
   if text:find '\n' and not is_expression then
      local of_block, message, goes_on = block.compile(text, chunk ~= nil)
      if of_block then
         return of_block, { block = true }, false
      elseif not chunk then
         return nil, message, incomplete or goes_on
      end
   end
   return chunk, chunk and { silent = silent } or silent, incomplete
end

local function is_whole(lua)
   local _, _, incomplete = read(lua)
   return not incomplete
end

-- What runs by itself of several lines, as they are pasted: each command, and the Lua between them;
-- of a session what was typed at each prompt.
local function pieces(text)
   local typed = block.typed(text)
   if typed or not text:find '\n' then
      return typed or { text }
   end
   local list, is_lua = {}, false -- the last one
   for line in (text .. '\n'):gmatch '(.-)\n' do
      local is_command = commands.is_command(line) and not (is_lua and not is_whole(list[#list]))
      if is_command or not is_lua then
         list[#list + 1] = line
      else
         list[#list] = list[#list] .. '\n' .. line
      end
      is_lua = not is_command
   end
   return list
end

local function is_complete(text)
   local list = pieces(text)
   local last = list[#list]
   return commands.is_command(last) or not last:find '%S' or is_whole(last)
end

-- A name that is nil and near to others, probably mistyped; a field that is the core's.
local function hint(text, results)
   if results.n ~= 2 then
      return
   end
   if text:find '^%s*help%s*$' then
      return '? shows what the prompt has, ? name what the sources say of it'
   end
   local failure = require 'trepl.failure'
   local is_nil = results[2] == nil
   local owner, name = text:match '^%s*([%a_][%w_.]*)%.([%a_][%w_]*)%s*$'
   if owner then
      local value = require('trepl.expression').value(owner)
      if is_nil then
         return value ~= nil and failure.about_name(name, '.', owner, value) or nil
      end
      return failure.about_inside(name, owner, value)
   end
   name = is_nil and text:match '^%s*([%a_][%w_]*)%s*$'
   return name and name ~= 'nil' and failure.about_name(name, nil, nil, nil, { typed = true })
      or nil
end

-- A package's table is long, and nobody asked to see it.
local function only_requires(text)
   return text:find '^%s*require%s*%(?%s*(["\'])[^"\']*%1%s*%)?%s*$'
end

local function show(text, results, silent, interactive)
   local keep = require('trepl.results').keep
   if results.n > 1 then
      keep(results[2])
      if not (silent or only_requires(text)) then
         print(unpack(results, 2, results.n))
         local about = interactive and hint(text, results)
         if about then
            require('trepl.failure.screen').write(('  %s\n'):format(about))
         end
      end
   end
end

local function prepare(chunk, text)
   require('trepl.failure.source').remember(chunk, text)
   require('trepl.failure.locals').note(text)
   require('trepl.scripts.conditions').warn(text, 'stdin')
end

-- Run a command or a piece of Lua; what it prints may fail, too.
local function run(session, text)
   local command, ends = commands.find(text, session.input.interactive)
   if ends then
      session.over = true
      return true
   elseif command then
      return call.traced(command)
   end
   local chunk, how = read(text)
   if not chunk then
      return false, require('trepl.failure').of_syntax(how, text) -- the message
   end
   prepare(chunk, text)
   local interactive = session.input.interactive
   if how.block then -- values are shown as they come
      return call.traced(chunk, function(line, silent, ...)
         show(line, { n = 1 + select('#', ...), nil, ... }, silent, interactive)
      end)
   end
   local ok, results = call.traced(chunk)
   if ok then
      ok, results = call.traced(show, text, results, how.silent, interactive)
   end
   return ok, results
end

-- Run what was typed, up to its first error.
local function evaluate(session, text)
   for _, piece in ipairs(pieces(text)) do
      local ok, err = run(session, piece)
      if not ok or session.over then
         return ok, err
      end
   end
   return true
end

-- At the right edge, wherever the output has left the cursor.
local function show_time(seconds)
   local text = ('[%.4fs]'):format(seconds)
   io.write(('\27[999C\27[%dD\27[2m%s\27[0m\n'):format(#text - 1, text))
end

-- What the user wants done before the first statement.
local function run_startup()
   local path = os.getenv 'TREPLSTARTUP'
   if path and path ~= '' then
      local ok, err = call.traced(dofile, path)
      if not ok and err then
         require('trepl.failure.screen').write(err .. '\n')
      end
   end
end

local started_up = false

--- Run the loop on standard input until it ends.
-- @return whether every input ran without error, which is taken for granted where somebody types
function M.repl()
   local interrupts = require 'trepl.interrupts'
   local history = require 'trepl.history'
   local clock = require 'torch.clock'
   local printing = require 'trepl.print'
   local packages = require 'torch.packages'
   local loading = packages.unfinished() -- by whoever runs the prompt
   local session = { all_ok = true, over = false }
   local memory = history.open() -- for what is piped in; forgotten
   session.input = require('trepl.lines').open {
      is_complete = is_complete, idle = require('trepl.autoload').finish,
      history = function()
         memory = history.open(history.path())
         return memory.list
      end,
      complete = function(text)
         return require('trepl.complete').complete(text)
      end,
   }
   printing.at_prompt(session.input.colours)
   require('trepl.results').install()
   interrupts.enter()
   interrupts.boundary(call.traced)
   if not started_up then
      started_up = true
      if session.input.colours then
         print(("LuaTorch, %s. Type ? for help."):format(jit.version))
      end
      interrupts.allow()
      run_startup()
      interrupts.hold()
   end
   while not session.over do
      interrupts.hold()
      local text, why = session.input.read()
      if not text and why ~= 'dropped' then
         break
      elseif text and text:find '%S' then
         memory:add(text)
         interrupts.allow()
         local started = clock.wall()
         local ran, done = call.traced(evaluate, session, text) -- compiling can be interrupted, too
         interrupts.hold()
         local ok, err = ran and done[1], done
         if ran then
            err = done[2]
         end
         if not ok then
            packages.forgetFailed(loading)
            io.stdout:flush()
            err = err or 'nil'
            -- The terminal has shown ^C on the line that the message would begin on.
            local behind_key = session.input.colours
               and err:sub(1, #interrupts.MESSAGE) == interrupts.MESSAGE
            require('trepl.failure.screen').write((behind_key and '\n' or '') .. err .. '\n')
            session.all_ok = false
         end
         if session.input.colours and not session.over then
            show_time(clock.wall() - started)
         end
      end
   end
   interrupts.leave()
   return session.all_ok or session.input.interactive
end

local globals, printing = require 'trepl.scripts.globals', require 'trepl.print'
globals.install(M)
-- By these names, too, `?` and the reference find them.
M.import, M.who, M.monitor_G = globals.import, globals.who, globals.monitor_G
for _, name in ipairs { 'setprintlevel', 'noColors', 'printvar', 'sizestr', 'colorize' } do
   M[name] = printing[name]
end

return setmetatable(M, {
   __call = function()
      return M.repl()
   end,
})
