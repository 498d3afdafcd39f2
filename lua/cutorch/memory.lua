--- The caching allocator: statistics, limits, history and snapshots.
--
-- Freed memory stays with the process, to be used again; emptyCache gives back what is free. Pools
-- are per device; in the place of a device, `cutorch.PINNED` means page-locked host memory and
-- `cutorch.HOST` the memory of the CPU's tensors.
-- @module cutorch.memory
local ffi = require 'ffi'
local th = require 'torch.ffi'
local errors = require 'torch.errors'
local cuda = require 'cutorch.ffi'
local device = require 'cutorch.device'
local snapshot = require 'cutorch.snapshot'

local C, check, checkNumber = cuda.C, th.check, cuda.checkNumber

local M = {}

-- Devices count from 1.

--- Page-locked host memory, in the place of a device: cutorch.memoryStatistics(cutorch.PINNED).
M.PINNED = C.THC_PINNED + 1
--- The memory of the CPU's tensors, in the place of a device.
M.HOST = C.THC_HOST + 1

local int = ffi.new 'int[1]'
local bytes = ffi.new 'int64_t[1]'

local COUNTERS = {
   'requested', 'allocated', 'reserved', 'inactive', 'blocks', 'segments', 'inactive_blocks',
}

local function counter(c)
   return { current = tonumber(c.current), peak = tonumber(c.peak), total = tonumber(c.total) }
end

local function classes(pool)
   check(C.THC_memoryClasses(pool, nil, 0, int))
   local room = int[0]
   local list = ffi.new('THC_ClassStatistics[?]', math.max(room, 1))
   check(C.THC_memoryClasses(pool, list, room, int))
   local result = {}
   for i = 1, math.min(room, int[0]) do
      result[i] = { bytes = tonumber(list[i - 1].bytes), blocks = counter(list[i - 1].blocks) }
   end
   return result
end

--- What a pool holds and held, in bytes unless said otherwise.
-- @param[opt] id device; the current one by default
-- @return table: `requested` (asked for by live blocks), `allocated` (rounding included),
-- `reserved` (taken from the device), `inactive` (free, but between live blocks), and the counts
-- `blocks`, `segments`, `inactive_blocks`, each { current, peak, total }; `retries`, `failures`,
-- `limit` (0: none), and `classes`, a list of { bytes, blocks } by size
function M.memoryStatistics(id)
   local pool = device.index('memoryStatistics', id)
   local s = ffi.new 'THC_MemoryStatistics'
   check(C.THC_memoryStatistics(pool, s))
   local result = {
      retries = tonumber(s.retries), failures = tonumber(s.failures), limit = tonumber(s.limit),
      classes = classes(pool),
   }
   for _, name in ipairs(COUNTERS) do
      result[name] = counter(s[name])
   end
   return result
end

--- Let the peaks of the statistics start anew.
function M.resetPeaks(id)
   check(C.THC_resetPeaks(device.index('resetPeaks', id)))
end

--- Give free memory back to the device.
-- @return bytes
function M.emptyCache(id)
   check(C.THC_emptyCache(device.index('emptyCache', id), bytes))
   return tonumber(bytes[0])
end

--- Let this process take at most so many bytes of a device; 0: no limit.
function M.setMemoryLimit(limit, id)
   limit = checkNumber('setMemoryLimit', 'the limit', limit)
   check(C.THC_setMemoryLimit(device.index('setMemoryLimit', id), limit))
end

--- Take a device's memory in ranges of addresses that are filled page by page, or in segments, from
-- now on. Ranges, the default, waste least; segments are for devices that cannot map pages, and for
-- comparison. `THC_MEMORY=segments` in the environment says so from the start.
-- @param on boolean
-- @param[opt] id device
-- @raise "setMemoryRanges: device 1 or its driver cannot map memory page by page; ..."
function M.setMemoryRanges(on, id)
   if type(on) ~= 'boolean' then
      th.raise(('setMemoryRanges: expected a boolean, got a %s'):format(type(on)))
   end
   check(C.THC_setMemoryRanges(device.index('setMemoryRanges', id), on))
end

--- Whether a device's memory is taken in ranges; see setMemoryRanges.
function M.getMemoryRanges(id)
   local on = ffi.new 'bool[1]'
   check(C.THC_memoryRanges(device.index('getMemoryRanges', id), on))
   return on[0]
end

-- The history needs to know the script's line at each allocation, which only a hook can tell; and
-- compiled code calls no hooks.
local keeping = {} -- pool -> number of events
local MOST_EVENTS = 2 ^ 24 -- some 1 GiB of them

local last
local function followLine()
   local line = errors.where()
   if line ~= '' and line ~= last then
      last = line
      C.THC_setAllocationLine((line:gsub(': $', '')))
   end
end

local function follow(on)
   if on then
      jit.off()
      jit.flush()
      debug.sethook(followLine, 'l')
   else
      debug.sethook()
      jit.on()
      last = nil
      C.THC_setAllocationLine(nil)
   end
end

--- Remember the latest `entries` events of a pool and the script's line of each live block, for
-- snapshots and for out-of-memory errors. Scripts run slower meanwhile: LuaJIT's compiler is off.
-- 0 stops.
function M.keepHistory(entries, id)
   local pool = device.index('keepHistory', id)
   check(C.THC_keepHistory(pool, checkNumber('keepHistory', 'the number of events', entries)))
   local before = next(keeping) ~= nil
   keeping[pool] = entries > 0 and entries or nil
   local now = next(keeping) ~= nil
   if now ~= before then
      follow(now)
   end
end

local function memoryOf(pool)
   return pool == C.THC_HOST and 'Memory of the CPU'
      or pool == C.THC_PINNED and 'Page-locked host memory'
      or ('Memory of device %d'):format(pool + 1)
end

--- Everything a pool holds, as JSON.
-- @param[opt] id device
-- @param[opt] filename string: where to write it; 'x.html' gets a page that shows it
-- @return the JSON
function M.memorySnapshot(id, filename)
   local pool = device.index('memorySnapshot', id)
   local text = ffi.new 'const char *[1]'
   check(C.THC_memorySnapshot(pool, text))
   local json = ffi.string(text[0])
   if filename then
      local file, reason = io.open(filename, 'w')
      if not file then
         th.raise(('memorySnapshot: cannot write: %s'):format(reason))
      end
      file:write(filename:match '%.html?$' and snapshot.page(json, memoryOf(pool)) or json)
      file:close()
   end
   return json
end

--- Record what f allocates and frees in a pool, for bench/replay.
-- @param filename string: where the trace is written
-- @param f function: called with a function that marks the end of a step
-- @param[opt] id device
-- @param[opt] header table of strings: comments at the head of the file
-- @usage cutorch.recordAllocations('lenet.trace', function(mark)
--    for _ = 1, 10 do train() mark() end
-- end)
function M.recordAllocations(filename, f, id, header)
   local pool = device.index('recordAllocations', id)
   local file, reason = io.open(filename, 'w')
   if not file then
      th.raise(('recordAllocations: cannot write: %s'):format(reason))
   end
   check(C.THC_keepHistory(pool, MOST_EVENTS))
   local ok, message = pcall(f, function()
      check(C.THC_markHistory(pool))
   end)
   local text = ffi.new 'const char *[1]'
   local status = C.THC_memoryTrace(pool, text)
   check(C.THC_keepHistory(pool, keeping[pool] or 0))
   for _, line in ipairs(header or {}) do
      file:write('# ', line, '\n')
   end
   file:write(status == 0 and ffi.string(text[0]) or '')
   file:close()
   if not ok then
      error(message, 0)
   end
   check(status)
end

--- Whether a tensor or storage lies in CUDA's managed memory. None does: the allocator takes device
-- memory, and the host's tensors have the host's or page-locked memory.
function M.isManaged(x)
   if not th.isTensor(x) and not th.isStorage(x) then
      th.badArguments('isManaged', 'Tensor | Storage', 1, x)
   end
   return false
end

--- Always: tensors come from the caching allocator.
function M.isCachingAllocatorEnabled()
   return true
end

return M
