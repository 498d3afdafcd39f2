--- A progress bar on one line of the terminal.
-- @module xlua.progress
local ffi = require 'ffi'
local clock = require 'torch.clock'
local errors = require 'torch.errors'
local numeric = require('torch.arguments').numeric

local M = {}

local UNITS = {
   { 'D', 24 * 3600 * 1000 }, { 'h', 3600 * 1000 }, { 'm', 60 * 1000 }, { 's', 1000 }, { 'ms', 1 },
}

--- A duration in its two largest units: '1m20s', '3s250ms', '0ms'.
-- @example xlua.formatTime(61) --> '1m1s'
function M.formatTime(seconds)
   local left = math.floor(seconds * 1000 + 0.5)
   local shown = {}
   for _, unit in ipairs(UNITS) do
      local n = math.floor(left / unit[2])
      if n > 0 and #shown < 2 then
         shown[#shown + 1] = ('%d%s'):format(n, unit[1])
      end
      left = left - n * unit[2]
   end
   return #shown == 0 and '0ms' or table.concat(shown)
end

ffi.cdef [[
int xlua_ioctl(int, unsigned long, ...) __asm__("ioctl");
]]
local WINDOW_SIZE = ffi.os == 'OSX' and 0x40087468 or 0x5413 -- TIOCGWINSZ of <sys/ioctl.h>

-- Columns of the terminal on the standard output; 80 when it is none.
local function terminalWidth()
   local size = ffi.new('unsigned short[4]') -- rows, columns, and the same in pixels
   if ffi.C.xlua_ioctl(1, WINDOW_SIZE, size) == 0 and size[1] > 0 then
      return size[1]
   end
   return tonumber(os.getenv('COLUMNS')) or 80
end

local STATS = 34 -- columns kept for the times at the right
local REDRAW = 0.05 -- seconds between drawings

local run -- the bar being drawn: goal, current, begun, first, drawn, shown

local function bar(current, goal, width)
   local label = (' %s/%s '):format(tostring(current), tostring(goal))
   local inside = math.max(#label + 4, width - STATS)
   local filled = math.floor(inside * math.max(0, math.min(1, current / goal)))
   local line = ('='):rep(math.max(0, filled - 1)) .. (filled > 0 and '>' or '')
   line = line .. ('.'):rep(inside - #line)
   local at = math.floor((inside - #label) / 2)
   return ' [' .. line:sub(1, at) .. label .. line:sub(at + #label + 1) .. '] '
end

local function stats(now)
   local elapsed, steps = now - run.begun, run.current - run.first
   local step = steps > 0 and elapsed / steps or 0
   if run.current >= run.goal then
      return ('Tot: %s | Step: %s'):format(M.formatTime(elapsed), M.formatTime(step))
   end
   return ('ETA: %s | Step: %s'):format(
      M.formatTime((run.goal - run.current) * step), M.formatTime(step))
end

--- Show how far a loop has come, with the time a step takes and the time left.
-- Each call draws over the line of the one before; reaching the goal ends the line. A smaller
-- `current` or another `goal` begins a new bar.
-- @param current number of steps done
-- @param goal number of steps to do
function M.progress(current, goal)
   current, goal = numeric(current) or current, numeric(goal) or goal
   if type(current) ~= 'number' or type(goal) ~= 'number' then
      errors.raise(('xlua.progress: expected two numbers, got %s and %s'):format(
         type(current), type(goal)))
   end
   local now = clock.wall()
   if not run or run.goal ~= goal or current < run.current then
      -- The first step of a loop has taken its time before the bar hears of it.
      run = { goal = goal, begun = now, first = current, shown = 0 }
   end
   run.current = current
   local done = current >= goal
   if run.drawn and not done and now - run.drawn < REDRAW then
      return
   end
   run.drawn = now
   local line = bar(current, goal, terminalWidth()) .. stats(now)
   local rest = (' '):rep(run.shown - #line)
   io.write('\r' .. line .. rest .. (done and '\n' or ''))
   io.stdout:flush()
   run.shown = #line
   if done then
      run = nil
   end
end

return M
