--- Requests that wait at the same time are computed together.
--
-- A worker of nginx is one thread: each request is a coroutine that runs until it waits. The first
-- of a batch steps back once, so that requests that have arrived meanwhile join it, then computes
-- the batch and wakes the others. Nobody waits for a batch to fill.

local semaphore = require 'ngx.semaphore'

local Batches = {}
Batches.__index = Batches

function Batches.new(model)
   return setmetatable({ free = {}, model = model, open = nil }, Batches)
end

--- The model of the batches that begin from now on; those under way keep theirs.
function Batches:use(model)
   self.model, self.open = model, nil
end

local function begin(self)
   local batch = table.remove(self.free)
   if not batch or batch.model ~= self.model then
      batch = self.model:batch()
      batch.done = semaphore.new()
   end
   batch.n, batch.left, batch.output, batch.problem = 0, 0, nil, nil
   self.open = batch
   return batch
end

-- What the model has computed, as a copy: its own is written again before everyone has read it.
local function results_of(batch)
   local output = batch.model:run(batch.input, batch.n)
   batch.results = (batch.results or output.new()):resizeAs(output):copy(output)
   return batch.results
end

local function compute(self, batch)
   if self.open == batch then
      self.open = nil
   end
   local ok, output = pcall(results_of, batch)
   batch.output = ok and output or nil
   batch.problem = not ok and output or nil
end

-- A batch is used again when its last request has its row.
local function leave(self, batch)
   batch.left = batch.left + 1
   if batch.left == batch.n and batch.model == self.model then
      self.free[#self.free + 1] = batch
   end
end

--- The output for one sample.
-- @param sample see Model:put
-- @tparam function read what is to be had of the output's row: called as `read(pointer, count)`
-- @int[opt] count see Model:put
-- @treturn[1] any what `read` returns
-- @treturn[1] int samples that were computed together
-- @treturn[2] nil
-- @treturn[2] string what is wrong with the sample
-- @raise what the model raises
function Batches:add(sample, read, count)
   local batch = self.open or begin(self)
   local row = batch.n + 1
   local fine, problem = pcall(batch.model.put, batch.model, batch, sample, row, count)
   if not fine then
      return nil, problem
   end
   batch.n = row
   if row == batch.model.most then
      self.open = nil
   end
   if row == 1 then
      ngx.sleep(0)
      compute(self, batch)
      if batch.n > 1 then
         batch.done:post(batch.n - 1)
      end
   else
      while not (batch.output or batch.problem) do -- as long as the model takes
         batch.done:wait(60)
      end
   end
   local results = batch.model.results
   local output, n, model_problem = batch.output, batch.n, batch.problem
   local text = output and read(output:data() + (row - 1) * results, results)
   leave(self, batch)
   if not output then
      error(model_problem, 0)
   end
   return text, n
end

return Batches
