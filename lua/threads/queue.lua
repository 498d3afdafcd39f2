--- A queue of jobs between threads, with room for so many: `require 'threads.queue'`.
--
--    local Queue = require 'threads.queue'
--    local queue = Queue(8)
--    pool:addjob(function() queue:addjob(function(x) return x + 1 end, 41) end)
--    queue:dojob() --> 42
--
-- A queue may be an upvalue or argument of jobs, whatever the serialisation; in its own jobs things
-- travel by the one that was chosen when it was made. Its id is a number by which others find it.
-- @module threads.queue
local ffi = require 'ffi'
local th = require 'torch.ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local Threads = require 'threads.Threads'
local library = require 'threads.ffi'
local jobs = require 'threads.job'

local C, wait = library.C, library.wait

--- A queue with room for n jobs.
-- @usage Queue(n) -> queue
-- @type threads.Queue
local function construct(n)
   library.checkCount('threads.Queue', 'the size', n, 1)
   local handle = C.threads_queue_new(n)
   if handle == nil then
      errors.raise 'threads.Queue: not enough memory'
   end
   return setmetatable({
      handle = ffi.gc(handle, C.threads_queue_release),
      scheme = Threads.serialization(),
   }, class.getmetatable 'threads.Queue')
end

local Queue = class.newmetatable('threads.Queue', nil, construct, nil, function()
   return setmetatable({}, class.getmetatable 'threads.Queue')
end, require 'threads.module')

local function held(self)
   return errors.held(self.handle, 'threads.Queue')
end

--- Put a job in; waits while there is no room.
-- @param f function
-- @param ... its arguments
-- @usage queue:addjob(f [, ...])
function Queue:addjob(f, ...)
   local serialize = require(self.scheme)
   local bytes = serialize.save(jobs.new('threads.Queue: addjob', f, ...),
      'threads.Queue: addjob', 'job')
   local parcel = serialize.parcelOf and serialize.parcelOf(bytes) or 0
   local ok, message = pcall(wait, function(milliseconds)
      return C.threads_queue_put(held(self), bytes, parcel, milliseconds)
   end)
   if not ok or message < 0 then
      C.threads_parcel_drop(parcel)
      error(ok and 'threads.Queue: addjob: not enough memory' or message, 0)
   end
end

--- Take the next job out and do it; waits until there is one.
-- @return what the job's function returns
-- @usage queue:dojob() -> ...
function Queue:dojob()
   local bytes, parcel = th.Storage(), ffi.new 'double[1]'
   wait(function(milliseconds)
      return C.threads_queue_take(held(self), bytes, parcel, milliseconds)
   end)
   local job = require(self.scheme).load(bytes)
   return job.callback(unpack(job.arguments, 1, job.arguments.n))
end

--- How many jobs are in it.
-- @usage queue:size() -> n
function Queue:size()
   return C.threads_queue_size(held(self))
end

function Queue:__tostring()
   return ('threads.Queue [%d of %d jobs]'):format(self:size(),
      C.threads_queue_capacity(self.handle))
end

local released = ffi.cast('void (*)(void *)', C.threads_queue_release)

function Queue:__write(file)
   if not file.parcel_ then
      error('a threads.Queue cannot leave its process', 0)
   end
   C.threads_queue_retain(self.handle)
   file:writeInt(file.parcel_:add('Queue', self.handle, released))
   file:writeObject(self.scheme)
end

function Queue:__read(file)
   if not file.parcel_ then
      errors.raise 'a threads.Queue cannot come from a file'
   end
   local handle = ffi.cast('threads_Queue *', file.parcel_:get(file:readInt(), 'Queue'))
   C.threads_queue_retain(handle)
   self.handle = ffi.gc(handle, C.threads_queue_release)
   self.scheme = file:readObject()
end

return class.getconstructortable 'threads.Queue'
