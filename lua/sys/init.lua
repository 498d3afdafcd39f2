--- The clock, the shell and the terminal.
-- Requiring it defines the global `sys`.
-- @module sys
local errors = require 'torch.errors'
errors.library()

local numeric = require('torch.arguments').numeric

local clock = require 'torch.clock'
local paths = require 'paths'

local M = {}

for name, f in pairs(require 'sys.shell') do
   M[name] = f
end

--- ANSI escape strings by name: red (plain), Red (bold), _red (background), none.
M.COLORS = require 'sys.colors'

M.dirname, M.concat = paths.dirname, paths.concat

--- Where the running Lua is installed: the directory above its executable's.
M.prefix = paths.dirname(paths.execdir() or '/usr/bin')

--- 'linux', 'macos' or 'windows'.
M.OS = M.uname()

--- Seconds since the Epoch, with microseconds in the fraction.
-- @example sys.clock() > 0 --> true
M.clock = clock.now

local function duration(operation, value)
   local number = numeric(value) or value
   if type(number) ~= 'number' or not (number >= 0 and number < math.huge) then
      errors.raise(('%s: expected a number of at least 0, got %s'):format(
         operation, tostring(value)))
   end
   return number
end

--- Do nothing for some seconds (a fraction counts).
function M.sleep(seconds)
   clock.sleep(duration('sys.sleep', seconds))
end

--- Do nothing for some microseconds.
function M.usleep(microseconds)
   clock.sleep(duration('sys.usleep', microseconds) * 1e-6)
end

local started = clock.wall()

--- Start the stop-watch that toc reads.
-- @example
-- sys.tic()
-- sys.toc() >= 0 --> true
function M.tic()
   started = clock.wall()
end

--- Seconds since the last tic.
-- @param verbose boolean, optional: print them too
function M.toc(verbose)
   local elapsed = clock.wall() - started
   if verbose then
      print(elapsed)
   end
   return elapsed
end

--- Whether a number is nan, the one that differs from itself.
-- @example sys.isNaN(0 / 0) --> true
function M.isNaN(x)
   return x ~= x
end

--- Split a string at every match of a Lua pattern; empty pieces at its ends are left out.
-- @example sys.split('a, b, c', ', ') --> { 'a', 'b', 'c' }
function M.split(str, pattern)
   if type(str) ~= 'string' or type(pattern) ~= 'string' then
      errors.raise(('sys.split: expected a string and a pattern, got %s and %s'):format(
         type(str), type(pattern)))
   end
   local pieces, from = {}, 1
   while from <= #str do
      local first, last = str:find(pattern, from)
      if not first or last < first then -- no match, or one of nothing: it separates nothing
         break
      end
      if first > 1 then
         pieces[#pieces + 1] = str:sub(from, first - 1)
      end
      from = last + 1
   end
   if from <= #str then
      pieces[#pieces + 1] = str:sub(from)
   end
   return pieces
end

--- Directory and name of the file that calls.
-- @return two strings; nil for code that lies in no file
function M.fpath()
   local file = paths.thisfile(nil, 3)
   if not file then
      return nil
   end
   return paths.dirname(file), paths.basename(file)
end

rawset(_G, 'sys', M)

return M
