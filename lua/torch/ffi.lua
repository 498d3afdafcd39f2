--- The core library, its types, and how a failed call becomes an error at the user's line.
--
-- The only file that loads the shared library. Operations are called through `torch.core`, which
-- makes a call once more when memory has run out; what is no operation and may allocate is written
--
--     if C.TH_Storage_resize(s, length) ~= 0 then
--        recover()
--        check(C.TH_Storage_resize(s, length))
--     end
--
-- so that, when memory has run out, unreachable tensors are collected and the call made once more.
-- @module torch.ffi
local ffi = require 'ffi'
local tobit = require('bit').tobit
local errors = require 'torch.errors'
local arguments = require 'torch.arguments'

local type = type -- torch puts its own in the global's place

ffi.cdef(require 'torch.gen.cdef')
package.loaded['torch.gen.cdef'] = nil -- 40 kB, read once
-- The build tree keeps generated files apart from the sources: they are library code too.
errors.library('@' .. package.searchpath('torch.gen.cdef', package.path))

local M = {
   raise = errors.raise, badArguments = arguments.badArguments,
   withNumbers = arguments.withNumbers, numeric = arguments.numeric, cut = arguments.cut,
   need = arguments.need,
}

local function load()
   local path, tried = package.searchpath('libTH', package.cpath)
   if not path then
      error('torch: libTH.so is not on package.cpath; start scripts with `th`, or run '
         .. '`eval "$(th --env)"` first.' .. tried, 0)
   end
   return ffi.load(path), path
end

-- Threads that wait for work spin first. libgomp's default of some milliseconds halves the speed of
-- both programs when two share the cores; it reads the variable when it is loaded.
if not os.getenv 'OMP_WAIT_POLICY' then
   ffi.cdef 'int setenv(const char *name, const char *value, int overwrite);'
   ffi.C.setenv('GOMP_SPINCOUNT', '10000', 0)
end

local C, path = load()
M.C = C

--- What the collector calls for a tensor handle.
M.finalizer = C.TH_findLua() and package.loadlib(path, 'TH_Tensor_finalize') or C.TH_Tensor_release

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

--- Where a storage's elements lie, for us: who writes there says `written`. What `data()` gives to
-- scripts may be written to at any time, so that nothing made of the elements is kept.
-- @param s storage handle
function M.elements(s)
   return s.store.data
end

--- Move the version of a storage whose memory was written past the core.
-- @param s storage handle
function M.written(s)
   local version = s.store.version
   version[0] = tobit(version[0] + 1)
end

--- Raise the core's message at the user's line when a call failed.
function M.check(status)
   if status ~= 0 then
      errors.raise(ffi.string(C.TH_lastError()))
   end
end

-- --- memory -------------------------------------------------------------------------------------
-- Lua's collector sees a handle of some 300 bytes, not the megabytes behind it. The core counts
-- those, for each thread its own (`TH_account`); past a threshold, a constructor collects before it
-- allocates. Never from inside a call: a collection runs finalizers, and those must not find the
-- core half-way through something.

-- Handles are 300 bytes each; steps of 10 kB instead of 2 kB make one cost 170 ns instead of 220.
-- A program that has chosen a multiplier keeps it.
local DEFAULT_STEPMUL = 200
local stepmul = collectgarbage('setstepmul', 1000)
if stepmul ~= DEFAULT_STEPMUL then
   collectgarbage('setstepmul', stepmul)
end

local account = C.TH_account()
local MIB = 2 ^ 20
-- What may pile up before a collection, per byte of Lua's own heap, in proportion to which a
-- collection takes time (0.2 ms for 1 MiB); and the most. A heap of 1 MiB means that garbage of 16
-- MiB is used again while the caches still hold it.
local SLACK, MOST_SLACK = 16, 64 * MIB
local GROWTH = 1.4 -- Torch7's factor: the threshold follows what is really in use
local tracking = true

local function live()
   return account.made + account.elsewhere
end

-- Also what a thread that has run out of memory waits for: it has set our threshold below 0.
local function collect()
   collectgarbage()
   account = C.TH_account() -- the program may run this state on another thread by now
   local left = live()
   local slack = math.min(SLACK * collectgarbage 'count' * 1024, MOST_SLACK)
   account.threshold = math.max(left + slack, left * GROWTH)
end

account.threshold = math.max(live(), 0) + SLACK * MIB

--- Called by whatever is about to allocate.
function M.relieve()
   if tracking and live() > account.threshold then
      collect()
   end
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
   C.TH_lastResort()
end

--- An empty tensor of t's type, on t's device.
function M.like(t)
   if tracking and live() > account.threshold then
      collect()
   end
   local r = Tensor()
   C.TH_Tensor_init(r, t.dtype, t.device_type, t.device)
   return r
end

--- An empty tensor of another type on t's device.
function M.likeType(t, dtype)
   if tracking and live() > account.threshold then
      collect()
   end
   local r = Tensor()
   C.TH_Tensor_init(r, dtype, t.device_type, t.device)
   return r
end

return M
