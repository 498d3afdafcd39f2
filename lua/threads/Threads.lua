--- Pools of threads that do jobs: threads.Threads.
--
-- Each thread is one of the operating system, with a Lua state of its own. A job is a function,
-- sent there with its upvalues and arguments; what it returns is sent back to a function that
-- the pool's maker runs, the end callback. Globals are each state's own.
-- @module threads.Threads
local ffi = require 'ffi'
local th = require 'torch.ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local threads = require 'threads.ffi'
local jobs = require 'threads.job'

local C, wait = threads.C, threads.wait
local raise, isStorage = errors.raise, th.isStorage
local type = type

local scheme = 'threads.serialize'
local PATIENCE = 200 -- slices of waiting for jobs that are made to fail

-- What each thread runs; the pool (an address) and the thread's number come as arguments.
local BOOT = [[
   package.path, package.cpath = %q, %q
   %s
   require('threads.worker').run(%q, ...)
]]

local SOURCE = debug.getinfo(1, 'S').source -- a library's, for messages

local Threads

-- --- talking to the library ----------------------------------------------------------------------

local function checkRunning(pool, operation)
   local handle = rawget(pool, 'handle')
   if not handle then
      raise(('threads: %s: the pool was terminated; make a new one'):format(operation))
   elseif C.threads_pool_is_child(handle) then
      raise(('threads: %s: a child of fork has no threads but its own; make a pool there'):format(
         operation))
   end
   return handle
end

-- Wait until ready(milliseconds), or make all jobs fail: somebody has pressed Ctrl-C.
local function waitFor(pool, ready)
   local ok, message = pcall(wait, ready)
   if not ok then
      pool:cancel()
      error(message, 0)
   end
end

local function died(pool, worker)
   return ('thread %d has ended: %s'):format(worker, ffi.string(C.threads_pool_reason(pool.handle,
      worker)))
end

local function cannotLoad(worker, message)
   return ('thread %d: its results cannot be loaded here: %s'):format(worker, tostring(message))
end

-- The next result that is there, by a short way that most can go.
-- @return as take does; nil where there is none that can
local function takeShort(pool, job)
   local read, result = pool.serialize.receive(pool.handle, job)
   if read == nil then
      return nil
   end
   return job.number, not read, read and result or cannotLoad(job.worker, result)
end

-- The next result that is there: its number, whether it is an error's text, and what it is.
local function take(pool)
   local job = pool.job
   if pool.serialize.receive then
      local number, failed, result = takeShort(pool, job)
      if number then
         return number, failed, result
      end
   end
   local bytes = th.Storage()
   if not C.threads_pool_result(pool.handle, bytes, job) then
      return nil
   end
   -- Loading may run code that takes another result.
   local outcome, number, worker, parcel = job.outcome, job.number, job.worker, job.parcel
   if outcome == C.THREADS_DONE then
      local ok, result = pcall(pool.serialize.load, bytes)
      if not ok then
         C.threads_parcel_drop(parcel)
      end
      return number, not ok, ok and result or cannotLoad(worker, result)
   elseif outcome == C.THREADS_FAILED then
      return number, true, ('thread %d: %s'):format(worker, bytes:string())
   elseif outcome == C.THREADS_STOPPED then
      return number, true, 'the job was stopped'
   end
   return number, true, died(pool, worker)
end

-- Drop the next result that is there.
-- @return whether there was one
local function discard(pool)
   local bytes, job = th.Storage(), pool.job
   if not C.threads_pool_result(pool.handle, bytes, job) then
      return false
   end
   C.threads_parcel_drop(job.parcel)
   return true
end

local function parcelIn(pool, bytes)
   local parcelOf = pool.serialize.parcelOf
   return parcelOf and parcelOf(bytes) or 0
end

-- Send an object; its parcel stays the caller's unless it was sent. Nothing is sent to a thread
-- that has ended.
-- @return whether there was room
local function put(pool, worker, bytes, number, parcel)
   local answer = C.threads_pool_put(pool.handle, worker, bytes, number, parcel)
   if answer == -2 then
      raise 'threads: addjob: not enough memory'
   elseif answer < 0 then
      raise('threads: addjob: ' .. died(pool, worker > 0 and worker or 1))
   end
   return answer > 0
end

local receive

-- Send an object, and wait for room; who owns a result that is there may have its end callback
-- meanwhile, which may do anything, end the pool too.
local function send(pool, worker, bytes, number, parcel)
   while not put(pool, worker, bytes, number, parcel) do
      if not receive(pool) then
         waitFor(pool, function(milliseconds)
            return C.threads_pool_wait(pool.handle, worker, milliseconds)
         end)
      end
      checkRunning(pool, 'addjob')
   end
end

-- --- making and ending ---------------------------------------------------------------------------

-- One function on every thread, and what it returned there.
local function onAll(pool, f, position)
   local results = {}
   local failure
   for worker = 1, pool.N do
      local bytes = pool.serialize.save({ callback = f, arguments = { n = 1, worker } },
         'threads.Threads', ('init function %d'):format(position))
      local parcel = parcelIn(pool, bytes)
      local ok, message = pcall(put, pool, worker, bytes, worker, parcel)
      if not ok then
         C.threads_parcel_drop(parcel)
         error(message, 0)
      end
   end
   for _ = 1, pool.N do
      waitFor(pool, function(milliseconds)
         return C.threads_pool_wait(pool.handle, -1, milliseconds)
      end)
      local worker, failed, result = take(pool)
      if failed then
         failure = failure or result
      else
         results[worker] = result
      end
   end
   return results, failure
end

local function stop(pool)
   local handle = pool.handle
   C.threads_pool_stop(handle)
   wait(function(milliseconds)
      return C.threads_pool_ended(handle, milliseconds)
   end)
   ffi.gc(handle, nil)
   pool.handle = nil
   C.threads_pool_free(handle)
end

--- Start n threads, and run init functions on each, in order, with the thread's number.
-- A function is sent when those before it have run: what defines classes that another's upvalues
-- need goes into an earlier one.
-- @param n number of threads
-- @param ... functions
-- @return the pool, and by thread the list of what the last function returned there
-- @raise "threads: thread 2: init.lua:3: attempt to ..." with the stack there
-- @usage threads.Threads(n [, initf ...]) -> pool
-- threads(n [, initf ...]) -> pool
local function construct(n, ...)
   threads.checkCount('threads.Threads', 'the number of threads', n, 1)
   local functions = {}
   for i = 1, select('#', ...) do
      functions[i] = jobs.check('threads.Threads', ('init function %d'):format(i), (select(i, ...)))
   end
   collectgarbage() -- pools that nobody has terminated: their states are large
   local pool = setmetatable({
      N = n, job = ffi.new 'threads_Job', serialize = require(scheme), count = 0, last = 0,
      callbacks = {}, failures = {}, isSpecific = false,
   }, Threads)
   local code = BOOT:format(package.path, package.cpath, jit.status() and '' or 'jit.off()', scheme)
   local out = ffi.new 'threads_Pool *[1]'
   th.check(C.threads_pool_new(out, n, code, #code, SOURCE))
   pool.handle = ffi.gc(out[0], C.threads_pool_free)
   local results
   for i = 1, #functions do
      local ok, failure
      ok, results, failure = pcall(onAll, pool, functions[i], i)
      if not ok or failure then
         stop(pool)
         if not ok then
            error(results, 0)
         end
         raise('threads: ' .. failure)
      end
   end
   return pool, results
end

Threads = class.newmetatable('threads.Threads', nil, construct, nil, nil, require 'threads.module')

--- Choose how jobs, arguments and results travel, for pools that are made from now on.
-- @string[opt] name module with functions save(object) -> torch.CharStorage and load(storage):
-- 'threads.serialize' (copies; the default) or 'threads.sharedserialize' (shares tensors, storages
-- and tds)
-- @return the name
-- @usage threads.Threads.serialization([name]) -> name
-- @example
-- local threads = require 'threads'
-- threads.Threads.serialization() --> 'threads.serialize'
function Threads.serialization(name)
   if name ~= nil then
      if type(name) ~= 'string' then
         raise(('Threads.serialization: expected the name of a module, got %s'):format(
            class.type(name)))
      end
      local module = require(name)
      if type(module) ~= 'table' or not module.save or not module.load then
         raise(('Threads.serialization: the module %s must return a table with the functions save '
            .. 'and load'):format(name))
      end
      scheme = name
   end
   return scheme
end

-- --- jobs ----------------------------------------------------------------------------------------

local function checkWorker(pool, operation, worker)
   if not pool.isSpecific then
      return 0
   end
   worker = th.numeric(worker) or worker
   if type(worker) ~= 'number' or worker < 1 or worker > pool.N or worker % 1 ~= 0 then
      raise(('threads: %s: in specific mode the first argument is the number of a thread, from 1 '
         .. 'to %d; got %s'):format(operation, pool.N, class.type(worker) == 'number' and worker
         or class.type(worker)))
   end
   return worker
end

-- Take one result: run its end callback, or keep its error for `synchronize`.
function receive(pool)
   local number, failed, result = take(pool)
   if not number then
      return false
   end
   local callback = pool.callbacks[number]
   pool.callbacks[number] = nil
   pool.count = pool.count - 1
   if failed then
      pool.failures[#pool.failures + 1] = result
   elseif callback then
      callback(unpack(result, 1, result.n))
   end
   return true
end

local function add(pool, worker, f, callback, ...)
   local job = jobs.new('threads: addjob', f, ...)
   if callback ~= nil then
      threads.checkFunction('threads: addjob', 'the end callback', callback)
   end
   local bytes = pool.serialize.save(job, 'threads: addjob', 'job')
   if not isStorage(bytes) then
      raise('threads: addjob: the serialisation must make a torch.CharStorage')
   end
   local number = pool.last + 1
   pool.last = number
   local parcel = parcelIn(pool, bytes)
   local ok, message = pcall(send, pool, worker, bytes, number, parcel)
   if not ok then
      C.threads_parcel_drop(parcel)
      error(message, 0)
   end
   pool.callbacks[number] = callback
   pool.count = pool.count + 1
end

--- Have a function run on a thread: on the first that is free or, in specific mode, on the one that
-- is named first. Waits while there are as many jobs that have not begun as threads; end callbacks
-- of jobs that are done may run meanwhile.
-- @param f function: what it refers to by upvalues is copied or shared (Threads.serialization);
-- globals are the thread's own
-- @param[opt] endcallback function that runs here, in dojob or synchronize, with what f returned
-- @param ... f's arguments
-- @raise "threads: addjob: a message between threads: Unwritable object <thread> at job.callback.x"
-- @usage pool:addjob(f [, endcallback [, ...]])
-- pool:addjob(thread, f [, endcallback [, ...]]) -- in specific mode
function Threads:addjob(...)
   checkRunning(self, 'addjob')
   if self.isSpecific then
      add(self, checkWorker(self, 'addjob', (...)), select(2, ...))
   else
      add(self, 0, ...)
   end
end

--- Hold jobs back: of those that are added in the pool's life, only the first n begin, until more
-- are allowed. So jobs can be added many at once, which takes less time for each, and addjob does
-- not wait; how far the threads go ahead says n. `synchronize` waits for jobs that are held back,
-- too. Jobs for threads by number (`specific`) are not held back.
-- @number n how many; math.huge for all
-- @usage pool:allow(n)
-- @example
-- local pool = require('threads').Threads(1)
-- pool:allow(2)
-- local done = 0
-- for _ = 1, 5 do pool:addjob(function() end, function() done = done + 1 end) end
-- pool:dojob()
-- pool:dojob()
-- done --> 2
-- pool:allow(math.huge)
-- pool:terminate()
-- done --> 5
function Threads:allow(n)
   local handle = checkRunning(self, 'allow')
   n = th.numeric(n) or n
   if type(n) ~= 'number' or n ~= n then
      raise(('threads: allow: expected how many jobs may begin, got %s'):format(class.type(n)))
   end
   C.threads_pool_allow(handle, n)
end

local function doJob(pool, operation)
   local handle = checkRunning(pool, operation)
   if pool.count == 0 then
      raise(('threads: %s: there is no job to wait for; pool:hasjob() tells whether there is')
         :format(operation))
   end
   while not receive(pool) do
      waitFor(pool, function(milliseconds)
         return C.threads_pool_wait(handle, -1, milliseconds)
      end)
      checkRunning(pool, operation)
   end
end

--- Wait for the next job that is done and run its end callback. A job that has failed has none: its
-- error is raised by synchronize, and haserror tells of it.
-- @raise "threads: dojob: there is no job to wait for"; what an end callback raises
function Threads:dojob()
   doJob(self, 'dojob')
end

--- Wait for the next job that is done, and run the end callbacks of all that are done by then, in
-- the order in which they ended. That takes less time for each than dojob does.
-- @raise as dojob does
-- @usage pool:dojobs() -> how many
-- @example
-- local pool = require('threads').Threads(1)
-- for _ = 1, 2 do pool:addjob(function() end) end
-- local count = 0
-- while pool:hasjob() do count = count + pool:dojobs() end
-- pool:terminate()
-- count --> 2
function Threads:dojobs()
   local count = 0
   repeat
      doJob(self, 'dojobs')
      count = count + 1
   until not rawget(self, 'handle') or C.threads_pool_results(self.handle) == 0
   return count
end

local function raiseFailures(pool)
   local failures = pool.failures
   if #failures > 0 then
      pool.failures = {}
      local more = #failures > 1 and ('\n(%d more jobs have failed)'):format(#failures - 1) or ''
      raise('threads: ' .. failures[1] .. more)
   end
end

--- Wait until every job is done and run the end callbacks.
-- @raise the first error of a job, with the stack on its thread; what an end callback raises
function Threads:synchronize()
   checkRunning(self, 'synchronize')
   while self.count > 0 do
      self:dojob()
   end
   raiseFailures(self)
end

--- Jobs that have not begun are forgotten, those that run fail with the error "interrupted" at
-- their next instruction in Lua. An operation of the core or another C function comes to its end
-- first, after cancel has returned if that takes seconds: pool:hasjob() tells. Ctrl-C while the
-- pool is waited for does that.
-- @usage pool:cancel()
function Threads:cancel()
   local handle = checkRunning(self, 'cancel')
   for _ = 1, PATIENCE do
      if not C.threads_pool_cancel(handle) then
         break
      end
      C.threads_pool_pause(handle)
   end
   while discard(self) do
      self.count = math.max(self.count - 1, 0)
   end
   if not C.threads_pool_cancel(handle) then
      self.count, self.callbacks, self.failures = 0, {}, {}
   end
end

--- Wait until every job is done, and end the threads. Not an error for a pool that has ended.
-- @raise as synchronize does; the threads have ended even so
function Threads:terminate()
   if not rawget(self, 'handle') then
      return
   end
   checkRunning(self, 'terminate')
   local failure
   repeat
      local ok, message = pcall(self.synchronize, self)
      failure = failure or (not ok and message) or nil
   until self.count == 0
   stop(self)
   if failure then
      error(failure, 0)
   end
end

--- Whether jobs are given to threads by number; with an argument, waits for all jobs first
-- and sets it.
-- @usage pool:specific([bool]) -> bool
function Threads:specific(on)
   if on ~= nil then
      if type(on) ~= 'boolean' then
         raise(('threads: specific: expected true or false, got %s'):format(class.type(on)))
      end
      self:synchronize()
      self.isSpecific = on
   end
   return self.isSpecific
end

--- Whether a job has failed whose error has not been raised yet.
function Threads:haserror()
   return #self.failures > 0
end

--- Whether there are jobs whose end callbacks have not run.
function Threads:hasjob()
   return self.count > 0
end

--- Whether addjob would not wait: for a thread by its number in specific mode.
-- @usage pool:acceptsjob([thread]) -> bool
function Threads:acceptsjob(worker)
   local handle = checkRunning(self, 'acceptsjob')
   return C.threads_pool_accepts(handle, checkWorker(self, 'acceptsjob', worker))
end

--- Whether the threads have not been ended.
function Threads:isrunning()
   return rawget(self, 'handle') ~= nil
end

function Threads:__tostring()
   return ('threads.Threads [%d threads, %d jobs%s]'):format(self.N, self.count,
      self:isrunning() and '' or ', terminated')
end

-- A pool belongs to the state that has made it.
Threads.__write = false

return Threads
