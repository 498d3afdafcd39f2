--- The program gnuplot: where it is, which terminals it has, running it.
-- @module gnuplot.program
local ffi = require 'ffi'
local errors = require 'torch.errors'
local output = require 'torch.io.output'
local stdio = require 'torch.io.stdio'

local M = {}

local exe -- as setgnuplotexe gave it
local terminals -- name -> true, of the program

--- Raise an error at the user's line.
function M.fail(message, ...)
   errors.raise('gnuplot: ' .. message:format(...))
end

local function quoted(text)
   return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function command()
   return quoted(exe or 'gnuplot')
end

-- What a command prints on both outputs, and its exit status.
local function outputOf(line)
   local pipe = assert(io.popen(('{ %s\n} 2>&1; echo "status $?"'):format(line)))
   local text, status = pipe:read('*a'):match '^(.*)status (%d+)\n$'
   pipe:close()
   return text or '', tonumber(status) or 127
end

-- Ask the program for its terminals, which shows that there is one.
local function ask()
   if terminals then
      return
   end
   local text, status = outputOf(command() .. " -e 'set term' </dev/null")
   if status == 127 or status == 126 then
      M.fail(exe and "there is no program '%s'; gnuplot.setgnuplotexe(path) names another"
         or 'the program gnuplot is not installed (Debian: apt-get install gnuplot-nox); '
            .. 'gnuplot.setgnuplotexe(path) names one that is not on the PATH', exe)
   elseif not text:match 'dumb' then
      M.fail("'%s' does not answer as gnuplot does: %s", exe or 'gnuplot',
         text:sub(1, 200):gsub('%s+', ' '))
   end
   terminals = {}
   for name in text:gmatch '\n%s*([%w_]+)  ' do
      terminals[name] = true
   end
end

--- Use another program from now on.
-- @string path or name of the program
function M.set(path)
   local before, known = exe, terminals
   exe, terminals = path, nil
   local ok, message = pcall(ask)
   if not ok then
      exe, terminals = before, known
      error(message, 0)
   end
end

--- The first of these terminals that the program has; the last one, if it has none.
function M.first(...)
   ask()
   local name
   for i = 1, select('#', ...) do
      name = select(i, ...)
      if terminals[name:match '^%S+'] then
         break
      end
   end
   return name
end

--- Whether a terminal shows windows.
function M.isWindow(term)
   local name = term:match '^%s*(%S+)'
   return name == 'qt' or name == 'wxt' or name == 'x11' or name == 'aqua' or name == 'windows'
end

--- The terminal for figures that go to no file: what GNUTERM says, a window where there is a
-- display, and text elsewhere.
function M.default()
   ask()
   local wanted = os.getenv 'GNUTERM'
   if wanted and terminals[wanted:match '^%S*'] then
      return wanted
   elseif (os.getenv 'DISPLAY' or '') ~= '' or (os.getenv 'WAYLAND_DISPLAY' or '') ~= '' then
      return M.first('qt', 'wxt', 'x11', 'aqua', 'dumb size 79,24')
   end
   return 'dumb size 79,24'
end

--- Write a file as a whole: what was there before stays unless everything could be written.
-- @string what for messages: 'the script'
-- @string path
-- @string content
function M.write(what, path, content)
   output.write('gnuplot: ' .. what, path, function(stream)
      stream:write(ffi.cast('const uint8_t *', content), #content)
   end)
end

--- Run a script to its end.
-- @string script gnuplot's commands
-- @return what it printed on its output; nil where nothing is drawn, for lack of a number in the
-- data, which is said on stderr: a loss that diverged does not end the script. What else it cannot
-- do is an error with gnuplot's words
function M.run(script)
   ask()
   local input, complaints = os.tmpname(), os.tmpname()
   local written, problem = pcall(M.write, 'the commands for the program', input, script)
   if not written then
      os.remove(input)
      os.remove(complaints)
      error(problem, 0)
   end
   local text, status = outputOf(('%s %s 2>%s'):format(command(), quoted(input),
      quoted(complaints)))
   local file = io.open(complaints)
   local said = file and file:read '*a' or ''
   if file then
      file:close()
   end
   os.remove(input)
   os.remove(complaints)
   local undefined = status ~= 0 and said:match '[Aa]ll points %l+ value undefined'
   if undefined then
      io.stderr:write(('gnuplot: nothing is drawn: %s (nan, infinite, beyond the ends of an axis, '
         .. 'or not above 0 on one in powers of ten)\n'):format(undefined:lower()))
      return nil
   elseif status ~= 0 then
      local shown = said:gsub('"[^"\n]*",? line', 'line'):gsub('%s+', ' '):gsub('^ ', '')
         :gsub(' $', '')
      M.fail('the program refuses: %s', #shown > 0 and shown:sub(1, 400)
         or 'it ended with status ' .. status)
   end
   return text
end

--- Start the program for a window, which stays when the process ends.
-- @return function(text): gives it commands; function(): ends it
function M.start()
   ask()
   local stream, reason = stdio.popen(command() .. ' -persist', 'w')
   if not stream then
      M.fail('the program cannot be started: %s', reason)
   end
   return function(text)
      stream:write(ffi.cast('const uint8_t *', text), #text)
      if not stream:synchronize() then
         M.fail('the program has ended: %s; plot once more to start it anew', stream.failure)
      end
   end, function()
      stream:close()
   end
end

return M
