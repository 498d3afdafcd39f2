--- Clocks of the operating system, in seconds.
-- @module torch.clock
local ffi = require 'ffi'

local M = {}

-- Own names for libc's functions: a program may have declared these itself, with other types.
ffi.cdef [[
typedef struct { long seconds; long nanoseconds; } torch_timespec;
typedef struct { long seconds; long microseconds; } torch_timeval;
typedef struct { torch_timeval user, system; long others[14]; } torch_rusage;
int torch_clock_gettime(int, torch_timespec *) __asm__("clock_gettime");
int torch_getrusage(int, torch_rusage *) __asm__("getrusage");
int torch_nanosleep(const torch_timespec *, torch_timespec *) __asm__("nanosleep");
]]
local C = ffi.C

local REALTIME = 0 -- CLOCK_REALTIME of <time.h>
local MONOTONIC = ffi.os == 'OSX' and 6 or 1 -- CLOCK_MONOTONIC
local EINTR = 4 -- of <errno.h>
local SELF = 0 -- RUSAGE_SELF of <sys/resource.h>

local timespec = ffi.new('torch_timespec')
local rusage = ffi.new('torch_rusage')

local function read(clock)
   C.torch_clock_gettime(clock, timespec)
   return tonumber(timespec.seconds) + tonumber(timespec.nanoseconds) * 1e-9
end

--- Time since the Epoch; it jumps when the machine's clock is set.
function M.now()
   return read(REALTIME)
end

--- Time since some moment in the past; it never goes back.
function M.wall()
   return read(MONOTONIC)
end

-- A timeval's microseconds are 32 bits wide on macOS, padded to a long.
local function inSeconds(timeval)
   return tonumber(timeval.seconds) + tonumber(ffi.cast('int32_t', timeval.microseconds)) * 1e-6
end

--- Processor time of this process, the sum over its threads.
-- @return time in user code, and in the system on its behalf
function M.cpu()
   C.torch_getrusage(SELF, rusage)
   return inSeconds(rusage.user), inSeconds(rusage.system)
end

--- Do nothing for some time, however often a signal interrupts.
function M.sleep(seconds)
   local left = ffi.new('torch_timespec')
   left.seconds = math.floor(seconds)
   left.nanoseconds = (seconds - math.floor(seconds)) * 1e9
   while C.torch_nanosleep(left, left) ~= 0 and ffi.errno() == EINTR do -- luacheck: ignore 542
   end
end

return M
