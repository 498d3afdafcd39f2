--- Ctrl-C while the prompt evaluates: an error in what runs, wherever it runs.
--
-- LuaJIT's own handler (luajit.c) asks for a hook, which only the interpreter looks at: a loop that
-- is compiled goes on for ever, and a second Ctrl-C ends the process. So TH_interrupt stands before
-- it. While LuaJIT's profiler is on, compiled code looks at every line whether the profiler wants
-- the interpreter back; TH_interrupt makes it want that, and what the core computes is given up.
-- The profiler takes no samples: its timer is set to days.
--
-- The first Ctrl-C is an error as any other, which pcall catches. From the second on, until the
-- prompt is back, every instruction fails.
-- @module trepl.interrupts
local ffi = require 'ffi'
local profile = require 'jit.profile'
local th = require 'torch.ffi'

ffi.cdef [[
void (*trepl_signal(int number, void (*handler)(int)))(int) __asm__("signal");
typedef struct { void (*handler)(int); unsigned long others[18]; } trepl_sigaction;
int trepl_sigaction_of(int, const trepl_sigaction *, trepl_sigaction *) __asm__("sigaction");
int trepl_siginterrupt(int, int) __asm__("siginterrupt");
]]
local C = ffi.C

local SIGINT, SIGPROF = 2, 27
local DEFAULT = ffi.cast('void (*)(int)', 0) -- SIG_DFL
local IGNORE = ffi.cast('void (*)(int)', 1) -- SIG_IGN
local DAYS = 1000 * 1000 * 1000 -- milliseconds

local M = {}

--- The message of the error.
M.MESSAGE = 'interrupted'

local evaluating = false
local boundaries = {} -- functions of ours, in which nothing fails any more
local arming -- the profiler's thread

local function frame(level)
   local info = debug.getinfo(level + 1, 'f')
   return info and info.func
end

-- The hook. Hooks are of all threads, the profiler's callback among them.
local function stop()
   if arming and coroutine.running() == arming then
      return
   elseif not evaluating or boundaries[frame(2)] then
      debug.sethook()
      return
   elseif th.C.TH_interrupts() < 2 then
      debug.sethook()
   end
   th.C.TH_takeInterrupt()
   error(M.MESSAGE, 0)
end

-- What the profiler calls after TH_interrupt. It may not fail; the events that LuaJIT's handler has
-- asked for come when it is over, to our hook in the place of LuaJIT's.
local function arm()
   if th.C.TH_interrupts() > 0 then
      arming = coroutine.running()
      debug.sethook(stop, 'cr', 1)
   end
end

local function profiler_runs()
   local now = ffi.new 'trepl_sigaction'
   C.trepl_sigaction_of(SIGPROF, nil, now)
   return now.handler ~= DEFAULT and now.handler ~= IGNORE
end

local depth = 0 -- of prompts within prompts
local original -- the handler of SIGINT that was there before

--- Interrupts reach what runs from now on.
function M.allow()
   if not profiler_runs() then -- not yet, or no more: a program may have used it itself
      profile.start('li' .. DAYS, arm)
   end
   th.C.TH_forgetInterrupts()
   evaluating = true
   C.trepl_signal(SIGINT, th.C.TH_interrupt)
end

--- Interrupts are of no consequence from now on.
function M.hold()
   evaluating = false
   C.trepl_signal(SIGINT, IGNORE)
   local hook = debug.gethook()
   if hook == stop or hook == 'external hook' then -- LuaJIT's own is one of C
      debug.sethook()
   end
   th.C.TH_forgetInterrupts()
end

--- Name a function in which an evaluation has ended.
function M.boundary(f)
   boundaries[f] = true
end

--- A prompt begins.
function M.enter()
   depth = depth + 1
   if depth == 1 then
      C.trepl_signal(SIGPROF, IGNORE) -- what the profiler leaves behind when it is stopped
      original = C.trepl_signal(SIGINT, DEFAULT)
      th.C.TH_onInterrupt(original)
      C.trepl_siginterrupt(SIGINT, 1) -- also what waits: for input, for a process
   end
end

--- A prompt ends: what was before it goes on.
function M.leave()
   M.hold()
   depth = depth - 1
   if depth > 0 then
      M.allow()
   else
      profile.stop()
      C.trepl_siginterrupt(SIGINT, 0)
      C.trepl_signal(SIGINT, original)
   end
end

M.boundary(M.hold)
M.boundary(M.leave)

return M
