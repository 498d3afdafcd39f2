--- What a worker of a loader holds, and the job that it does.
-- @module torch.dataset.loader.worker
local ffi = require 'ffi'
local torch = require 'torch'
local th = require 'torch.ffi'
local assemble = require 'torch.dataset.loader.assemble'

local type = type -- torch puts its own in the global's place

local M = {}

local spec, current -- a pool is one loader's

-- A worker that is woken by a job must not take the processor from the loop that has sent it, as
-- Linux lets threads do that have slept: on two cores the loop waited 0.6 ms for that.
local yield_to_loop = function() end
if jit.os == 'Linux' then
   local SCHED_BATCH = 3
   ffi.cdef [[int dataset_setscheduler(int, int, const int *) __asm__("sched_setscheduler");]]
   function yield_to_loop()
      ffi.C.dataset_setscheduler(0, SCHED_BATCH, ffi.new 'int[1]') -- where refused, as it was
   end
end

--- Prepare a worker.
-- @tparam table options what assemble.load takes
-- @param run LongTensor of one element, shared with the loop: the number of the loop that runs
-- @string tensorType the default type of tensors
function M.start(options, run, tensorType)
   torch.setdefaulttensortype(tensorType)
   torch.setnumthreads(1) -- workers are many, and the net wants the cores
   yield_to_loop()
   spec, current = options, run
end

local function bytesOf(x)
   if th.isTensor(x) then
      return x:nElement() * x:elementSize()
   elseif type(x) == 'table' then
      local sum = 0
      for _, value in pairs(x) do
         sum = sum + bytesOf(value)
      end
      return sum
   end
   return 0
end

--- A batch that a worker is to make: the loader's own. An object that is called takes half the time
-- of a function on its way there.
-- @type dataset.loader.Job
local Job = torch.class('dataset.loader.Job', M)

function Job:__init(run, epoch, number, items)
   self.run, self.epoch, self.number, self.items = run, epoch, number, items
end

-- Make a batch, unless the loop that wanted it has been left.
-- @return the loop's number, the batch's, its tensors' bytes, the batch or nil, and what is wrong
function Job:__call__()
   if current[1] ~= self.run then
      return nil
   end
   local batch, failure = assemble.load(spec, self.epoch, self.number, self.items)
   return self.run, self.number, bytesOf(batch), batch, failure
end

return M
