--- The core library, its types, and how a failed call becomes an error at the user's line.
--
-- The only file that loads the shared library. Everything else calls `th.C.TH_<operation>`; a
-- call that may allocate is written
--
--     if C.TH_add_scaled(r, x, value, y) ~= 0 then
--        recover()
--        check(C.TH_add_scaled(r, x, value, y))
--     end
--
-- so that, when memory has run out, unreachable tensors are collected and the call made once more.
-- @module torch.ffi
local ffi = require 'ffi'
local errors = require 'torch.errors'
local arguments = require 'torch.arguments'

ffi.cdef(require 'torch.gen.cdef')
-- The build tree keeps generated files apart from the sources: they are library code too.
errors.library('@' .. package.searchpath('torch.gen.cdef', package.path))

local M = {
   raise = errors.raise, badArguments = arguments.badArguments,
   withNumbers = arguments.withNumbers, numeric = arguments.numeric,
}

local function load()
   local path, tried = package.searchpath('libTH', package.cpath)
   if not path then
      error('torch: libTH.so is not on package.cpath; start scripts with `th`, or run '
         .. '`eval "$(th --env)"` first.' .. tried, 0)
   end
   return ffi.load(path)
end

-- Threads that wait for work spin first. libgomp's default of some milliseconds halves the speed of
-- both programs when two share the cores; it reads the variable when it is loaded.
if not os.getenv 'OMP_WAIT_POLICY' then
   ffi.cdef 'int setenv(const char *name, const char *value, int overwrite);'
   ffi.C.setenv('GOMP_SPINCOUNT', '10000', 0)
end

local C = load()
M.C = C

local Tensor = ffi.typeof 'TH_Tensor'
local StorageRef = ffi.typeof 'TH_StorageRef'
M.Tensor, M.Storage = Tensor, StorageRef

--- Whether x is a tensor handle.
function M.isTensor(x)
   return type(x) == 'cdata' and ffi.istype(Tensor, x)
end

--- Whether x is a storage handle.
function M.isStorage(x)
   return type(x) == 'cdata' and ffi.istype(StorageRef, x)
end

--- Raise the core's message at the user's line when a call failed.
function M.check(status)
   if status ~= 0 then
      errors.raise(ffi.string(C.TH_lastError()))
   end
end

-- --- memory -------------------------------------------------------------------------------------
-- Lua's collector sees a handle of some 300 bytes, not the megabytes behind it. The core counts
-- those; past a threshold, a constructor collects before it allocates. Never from inside a call:
-- a collection runs finalizers, and those must not find the core half-way through something.

-- Handles are 300 bytes each; steps of 10 kB instead of 2 kB make one cost 170 ns instead of 220.
collectgarbage('setstepmul', 1000)

local hostBytes = C.TH_liveBytes(C.TH_CPU)
local deviceBytes = ffi.new 'const int64_t[1]' -- none until cutorch is loaded
local MIB = 2 ^ 20
-- What may pile up before a collection, per byte of Lua's own heap, in proportion to which a
-- collection takes time (0.2 ms for 1 MiB); and the most. A heap of 1 MiB means that garbage of 16
-- MiB is used again while the caches still hold it.
local SLACK, MOST_SLACK = 16, 64 * MIB
local GROWTH = 1.4 -- Torch7's factor: the threshold follows what is really in use
local threshold = SLACK * MIB
local tracking = true

local function live()
   return tonumber(hostBytes[0] + deviceBytes[0])
end

local function collect()
   collectgarbage()
   local left = live()
   local slack = math.min(SLACK * collectgarbage 'count' * 1024, MOST_SLACK)
   threshold = math.max(left + slack, left * GROWTH)
end

--- Called by whatever is about to allocate.
function M.relieve()
   if tracking and live() > threshold then
      collect()
   end
end

--- Count a device type's memory as well.
function M.trackDevice(deviceType)
   deviceBytes = C.TH_liveBytes(deviceType)
end

--- Whether tensor memory counts towards a collection (torch.setheaptracking).
function M.setHeapTracking(on)
   tracking = on and true or false
end

--- After a failed call: raise, unless memory had run out; then make room for a second attempt.
function M.recover()
   if C.TH_lastStatus() ~= C.TH_OUT_OF_MEMORY then
      errors.raise(ffi.string(C.TH_lastError()))
   end
   collect()
   C.TH_emptyCache()
end

--- An empty tensor of t's type, on t's device.
function M.like(t)
   if tracking and live() > threshold then
      collect()
   end
   local r = Tensor()
   C.TH_Tensor_init(r, t.dtype, t.device_type, t.device)
   return r
end

--- An empty tensor of another type on t's device.
function M.likeType(t, dtype)
   if tracking and live() > threshold then
      collect()
   end
   local r = Tensor()
   C.TH_Tensor_init(r, dtype, t.device_type, t.device)
   return r
end

return M
