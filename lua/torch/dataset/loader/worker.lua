--- What a worker of a loader holds, and the job that it does.
-- @module torch.dataset.loader.worker
local torch = require 'torch'
local assemble = require 'torch.dataset.loader.assemble'

local M = {}

local spec, current -- a pool is one loader's

--- Prepare a worker.
-- @tparam table options what assemble.load takes
-- @param run LongTensor of one element, shared with the loop: the number of the loop that runs
-- @string tensorType the default type of tensors
function M.start(options, run, tensorType)
   torch.setdefaulttensortype(tensorType)
   torch.setnumthreads(1) -- workers are many, and the net wants the cores
   spec, current = options, run
end

--- Make a batch, unless the loop that wanted it has been left.
-- @return the batch or nil, and what is wrong
function M.load(run, epoch, number, items)
   if current[1] ~= run then
      return nil
   end
   return assemble.load(spec, epoch, number, items)
end

return M
