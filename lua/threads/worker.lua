--- What a thread of a pool does: jobs, until there are none any more.
-- @module threads.worker
local ffi = require 'ffi'
local torch = require 'torch'
local th = require 'torch.ffi'
local threads = require 'threads.ffi'

local C = threads.C
local M = {}

local IDLE = 100 -- milliseconds after which garbage is collected: it may hold large tensors

local function pack(...)
   return { n = select('#', ...), ... }
end

local function traced(message)
   if type(message) ~= 'string' then
      message = tostring(message)
   end
   local text = debug.traceback(message, 2)
   return (text:gsub('\n[^\n]*threads/worker%.lua:.*$', '')) -- what is below is the same every time
end

local function perform(serialize, bytes)
   local job = serialize.load(bytes)
   local results = pack(job.callback(unpack(job.arguments, 1, job.arguments.n)))
   C.threads_parcel_watch()
   return serialize.save(results, 'threads', 'results')
end

-- @return whether there may be more
local function step(pool, number, serialize, job)
   local bytes = th.Storage()
   local answer = C.threads_pool_take(pool, number, bytes, job, IDLE)
   if answer == 0 then
      collectgarbage()
      answer = C.threads_pool_take(pool, number, bytes, job, -1)
   end
   if answer < 0 then
      return false
   end
   local ok, result = xpcall(perform, traced, serialize, bytes)
   if ok then
      local parcel = serialize.parcelOf and serialize.parcelOf(result) or 0
      C.threads_pool_finish(pool, number, C.THREADS_DONE, result, parcel)
   else
      local text = torch.CharStorage():string(result)
      C.threads_pool_finish(pool, number, C.THREADS_FAILED, text, 0)
   end
   return true
end

--- Do a pool's jobs.
-- @string scheme module that reads and writes messages
-- @param pool its address
-- @param number this thread's
function M.run(scheme, pool, number)
   rawset(_G, '__threadid', number)
   pool = ffi.cast('threads_Pool *', pool)
   local serialize = require(scheme)
   local job = ffi.new 'threads_Job'
   repeat
      -- A job that is made to fail just as it ends fails here.
      local ok, more = pcall(step, pool, number, serialize, job)
   until ok and not more
end

return M
