--- The threads of a loader: jobs go out, batches come back by their numbers.
-- @module torch.dataset.loader.workers
local torch = require 'torch'
local errors = require 'torch.errors'
local worker = require 'torch.dataset.loader.worker'
local sorted_keys = require 'xlua.sorted_keys'

local Workers = {}
Workers.__index = Workers

local M = {}

local function threads()
   local ok, module = pcall(require, 'threads')
   if not ok then
      errors.raise(('dataset.Loader: workers need the package threads (luarocks: threads): %s')
         :format(tostring(module)))
   end
   return module
end

local ADVICE = '\n(workers get the dataset, the transforms and the collate function once, as '
   .. 'threads.addjob sends jobs: with init = function() ... end every worker first loads packages '
   .. 'and defines classes that these are of)'

-- What a worker has said, and what to do about it.
local function explained(message)
   local name = message:match 'unknown Torch class <([^>]*)>'
   if not name then
      return message .. ADVICE
   end
   return ('workers do not know the class %s: they run no code of this script; put the class into '
      .. "a file, say mydata.lua, and give init = function() require 'mydata' end, which every "
      .. 'worker runs first'):format(name)
end

--- What is wrong with a sample: where something is nil, it is often a global of the script, which
-- is there without workers.
-- @string failure
function M.explainNil(failure)
   local first, rest = failure:match '^([^\n]*)(.*)$'
   if not first:find '%f[%w]nil%f[%W]' or first:find ' gave nil; ' then
      return failure
   end
   return ("%s; workers have none of the script's globals: a local outside the function goes along "
      .. 'to them, and init = function() ... end, which each worker runs first, makes globals and '
      .. 'requires packages%s'):format(first, rest)
end

local function start(count, spec, init, run)
   local Threads = threads().Threads
   local tensorType = torch.getdefaulttensortype()
   local scheme = Threads.serialization()
   Threads.serialization 'threads.sharedserialize'
   local ok, pool = pcall(Threads, count, function()
      require 'torch.dataset'
   end, init or function() end, function()
      worker.start(spec, run, tensorType)
   end)
   Threads.serialization(scheme)
   if not ok then
      errors.raise('dataset.Loader: the workers cannot start: ' .. explained(tostring(pool)))
   end
   return pool
end

--- Start workers.
-- @number count
-- @tparam table spec what assemble.load takes; tensors in it are shared
-- @param init function that each worker runs first, or nil
function M.new(count, spec, init)
   local run = torch.LongTensor { 0 }
   local self = setmetatable({
      pool = start(count, spec, init, run), current = run, sent = 0, jobs = {},
   }, Workers)
   -- What a job of an older loop gave is dropped.
   self.receive = function(number, k, bytes, batch, failure)
      if number == self.run then
         self.jobs[k] = nil
         self.ready[k] = { batch, failure, bytes }
      end
   end
   return self
end

--- Begin a loop: what is still being done for others is dropped.
-- @number run a number of its own
-- @number position batches that are not made: the first one sent is the next
function Workers:begin(run, position)
   self.current[1], self.run = run, run
   self.ready, self.jobs = {}, {}
   self.before = self.sent - position
end

--- Have a batch made: the next one, and not before it is allowed.
function Workers:send(epoch, number, items)
   self.sent = self.sent + 1
   self.jobs[number] = true
   self.pool:addjob(worker.Job(self.run, epoch, number, items), self.receive)
end

--- Let batches be made, up to the one of this number.
function Workers:allow(number)
   self.allowed = number
   self.pool:allow(self.before + number)
end

-- A job without a result: its worker has died, or the result cannot be read here.
local function fail(self)
   self.current[1] = -1
   self.pool:allow(math.huge)
   local ok, message = pcall(self.pool.synchronize, self.pool)
   local missing = {}
   for _, number in ipairs(sorted_keys(self.jobs)) do
      missing[#missing + 1] = number <= self.allowed and number or nil
   end
   self:stop()
   if not ok then
      errors.raise(('dataset.Loader: batch %s did not come: %s'):format(
         table.concat(missing, ', '), tostring(message)))
   end
end

--- Wait for some job's end; others that have ended come along, as this is cold code. A job that has
-- failed is an error only when there is nothing else: batches before it may have come with it.
function Workers:wait()
   if self.pool:haserror() then
      fail(self)
   end
   self.pool:dojobs()
end

--- Take a batch that is there.
-- @return { batch, failure, bytes } or nil
function Workers:take(number)
   local result = self.ready[number]
   self.ready[number] = nil
   return result
end

--- End the threads; what they are doing is given up.
function Workers:stop()
   local pool = self.pool
   self.current[1] = -1
   if pool:isrunning() then
      pool:cancel()
      pcall(pool.terminate, pool)
   end
end

-- --- memory --------------------------------------------------------------------------------------

-- Batches were made by other threads, so this one's account does not know of them (torch.ffi). Left
-- to the collector alone, they would pile up: it sees handles, not megabytes.
-- Once for so many bytes, as a collection of a small heap takes half a millisecond.
local PILE, PER_HEAP = 2 ^ 27, 2
local handed = 0

--- Count the bytes of a batch that goes to the loop; collects those before it when they have become
-- many.
function M.account(bytes)
   handed = handed + bytes
   if handed > PILE and handed > PER_HEAP * collectgarbage 'count' * 1024 then
      handed = 0
      collectgarbage()
   end
end

return M
