--- Several processes that train one network: each computes a part of every batch.
--
-- All processes read the same batches, or make their rows of them; gradients and losses are means
-- over all, so that every process takes the same steps. The first writes logs and checkpoints.
-- @module torch.train.trainer.workers

local torch = require 'torch'
local share = require 'torch.dataset.loader.share'
local alike = require 'torch.train.trainer.alike'
local batches = require 'distributed.pipeline.batches'
local options = require 'torch.options'
local copy = require('torch.train.meter.copy').copy
local random = require 'torch.generators'
local source = require 'torch.train.data.source'
local trace = require 'torch.errors.trace'
local train = require 'torch.train.module'
local vectors = require 'torch.train.trainer.vectors'

local M = {}

local TITLE = 'train.Trainer'
local KNOWN = { count = 'count', deterministic = 'boolean', shardOptimizer = 'boolean',
   syncBatchNormalization = 'boolean', bucket = 'positive', overlap = 'boolean' }

-- --- making -------------------------------------------------------------------------------------

local function settings_of(option)
   if type(option) == 'number' then
      option = { count = option }
   elseif option == nil or option == true then
      option = {}
   end
   return options.check(TITLE .. ': workers', option, KNOWN)
end

--- The processes that a training has; nil for one alone.
-- @param option what the option `workers` says
-- @return table: distributed, rank, size, settings
function M.of(option)
   if option == false then
      return nil
   end
   local settings = settings_of(option)
   local environment = require 'distributed.environment'
   local size = 1
   local distributed
   if environment.launcher() then
      distributed = require 'distributed'
      size = distributed.size()
   end
   if settings.count and settings.count ~= size then
      options.fail('%s: workers is %d, and this run has %d; th --workers %d script.lua starts them',
         TITLE, settings.count, size, settings.count)
   elseif size == 1 then
      return settings.deterministic and { size = 1, rank = 1, settings = settings } or nil
   end
   return { distributed = distributed, rank = distributed.rank(), size = size,
      settings = settings, shared = {} }
end

--- Whether several processes train.
function M.several(self)
   return self.workers ~= nil and self.workers.size > 1
end

--- Whether each of several processes has its rows of every batch; else each has a stage of the
-- network (the option `pipeline` without a list of devices), and all are given all rows.
function M.divide(self)
   return M.several(self) and not self.workers.staged
end

--- The sum over stages that are of several processes, of a number that is of one stage here.
function M.over_stages(self, number)
   return M.several(self) and self.workers.staged and M.add(self, number) or number
end

--- Whether this process writes what there is to write.
function M.first(self)
   return not self.workers or self.workers.rank == 1
end

--- Before the parameters are flattened: layers that work over all processes; this one's device.
-- @return the settings that hold here
function M.prepare(self, given)
   if not M.several(self) then
      return given
   end
   local workers, settings = self.workers, {}
   for name, value in pairs(given) do
      settings[name] = value
   end
   if settings.device == 'cuda' then
      local count = require('cutorch').getDeviceCount()
      settings.device = ('cuda:%d'):format((workers.distributed.place() - 1) % count + 1)
   end
   workers.staged = settings.pipeline and type(settings.device) ~= 'table' or false
   if workers.staged and settings.pruning then
      options.fail('%s: pruning looks at all weights, of which each process has those of a stage; '
         .. 'stages on the devices of one process (device = { 1, 2 }) can be pruned', TITLE)
   elseif workers.settings.syncBatchNormalization and not workers.staged then
      settings.model = workers.distributed.syncBatchNormalization(settings.model)
   end
   return settings
end

-- Numbers that layers draw are each process's own; the order of samples is the same for all. Where
-- each has a stage, data and hooks have to draw the same in all: see M.drawing.
local function seed(self, given)
   local base, state = unpack(self.workers.distributed.broadcastObject {
      given or torch.initialSeed() % 2 ^ 31, torch.getRNGState() })
   if self.workers.rank > 1 then
      random.seed((base + 7919 * (self.workers.rank - 1)) % 2 ^ 31)
   end
   if self.workers.staged then
      torch.setRNGState(state)
   end
end

-- The same samples in all processes, in one order.
local function same_order(self, loader)
   if not loader then
      return
   end
   alike.check_loader(self.workers.distributed, loader)
   local place = self.workers.distributed.broadcastObject(source.state(loader))
   if self.workers.rank > 1 and place and source.state(loader) then
      loader:restore(place)
   end
end

--- The optimiser of a vector, its state shared out where that is asked for.
function M.sharded(self, optimizer)
   if not M.divide(self) or not self.workers.settings.shardOptimizer then
      return optimizer -- of a stage each process has what it steps
   elseif type(optimizer) == 'table' and options.callable(optimizer.parts) then
      options.fail('%s: workers: shardOptimizer shares out the optimiser of each group, and not '
         .. "one of optim.groups: give optimizer = 'adam' and the option groups", TITLE)
   end
   self.sharded = self.workers.distributed.sharded(optimizer)
   return self.sharded
end

--- When the rest of the Trainer is made.
function M.attach(self, settings)
   if not M.several(self) then
      return
   end
   local workers = self.workers
   local own = workers.settings
   if not workers.staged then
      require('distributed.agreement').check(TITLE, ('vectors of %s parameters'):format(
         table.concat(vectors.sizes(self.state.parameters), ', ')))
      workers.distributed.synchronize(self.state.network)
   end
   if self.state.network == self.model and torch.isTensor(self.state.parameters) then
      workers.reducer = workers.distributed.Reducer(self.model, { bucket = own.bucket,
         overlap = own.overlap, ordered = own.deterministic })
   end
   seed(self, settings.seed)
   same_order(self, self.data)
   same_order(self, self.validation)
   for _, entry in ipairs(self.meters) do
      if not workers.staged and not options.callable(entry[2].merge) then
         options.fail('%s: the meter %s has no merge(other), by which those of several processes '
            .. 'come together; workers = false trains in each process alone', TITLE, entry[1])
      end
   end
end

-- --- a step -------------------------------------------------------------------------------------

--- Begin to read a loader: each process makes its rows of the batches, where it can.
-- @func begin function(...): an iteration function of the loader
-- @return what it gives
function M.read(self, loader, begin, ...)
   if not M.divide(self) or type(loader) ~= 'table' or not options.callable(loader.share) then
      return begin(...)
   end
   local workers = self.workers
   workers.shared[loader] = loader:share(workers.rank, workers.size)
   local following = begin(...)
   loader:share(1, 1) -- it is the script's; the loop that was begun stays as it is
   return following
end

--- This process's part of a batch: what a loader gave that is shared out, or rows of the batch.
-- @param batch
-- @func count function(batch): how many rows it has
-- @return the part, how many rows of it count, and the rows of the whole batch
function M.part(self, batch, count)
   if not M.divide(self) or type(batch) ~= 'table' then
      return batch
   end
   local loader, workers = self.reading or self.data, self.workers
   local whole = workers.shared[loader] and loader:rows()
   local n = whole or count(batch)
   local first, rows, own = share.rows(n, workers.rank, workers.size)
   if whole then
      return batch, own, n
   elseif not workers.compared then
      workers.compared = true
      alike.check(workers.distributed, 'the first batch', batch)
   end
   return batches.part(batch, first, rows, n), own, n
end

--- Raise where each process has a stage, and they have other batches: the first has its input of
-- one, the last its target of the other. Looked at in each epoch's first batch that comes.
-- @tab sample the batch, as hooks have left it
function M.compare(self, sample)
   local workers, epoch = self.workers, self.state.epoch + 1
   if M.several(self) and workers.staged and workers.compared ~= epoch then
      workers.compared = epoch
      alike.check(workers.distributed, ('the first batch of epoch %d'):format(epoch), sample)
   end
end

--- f(...), in which layers draw. Where each process has a stage, they draw numbers of
-- their own, and leave the generator as it is in all others.
function M.drawing(self, f, ...)
   if not M.several(self) or not self.workers.staged then
      return f(...)
   end
   local seed_of_all, state = torch.random(2 ^ 30), torch.getRNGState()
   torch.manualSeed(seed_of_all + 7919 * self.workers.rank)
   return trace.finally(function() torch.setRNGState(state) end, f, ...)
end

--- Call f, the way back of a step's last batch; gradients are the means over all processes then.
function M.reduce(self, f, ...)
   local reducer = self.workers.reducer
   if not reducer then -- of a network on several devices gradients are added up at the end
      f(...)
      return M.sum(self)
   end
   reducer:__during(f, ...)
end

--- The gradients' means over all processes, where no batch came that would have done it.
function M.sum(self)
   vectors.each(function(g)
      self.workers.distributed.allReduce(g, { op = 'mean',
         ordered = self.workers.settings.deterministic })
   end, self.state.gradients)
end

--- Sums of numbers over all processes.
function M.add(self, ...)
   if not M.several(self) then
      return ...
   end
   local sums = self.workers.distributed.allReduce(torch.DoubleTensor { ... }, { ordered = true })
   return unpack(sums:totable())
end

--- Whether one of the processes wants to stop: all do then.
function M.agree(self)
   if M.several(self) then
      self.state.stop = M.add(self, self.state.stop and 1 or 0) > 0
   end
end

-- --- measuring ----------------------------------------------------------------------------------

local function plain(meter)
   local fields = {}
   for key, value in pairs(meter) do
      if type(value) ~= 'function' then
         fields[key] = value
      end
   end
   return fields
end

-- A copy of a meter that has counted what those of all processes have, in their order: sums then
-- have the same bits everywhere.
local function whole(meter, all, i)
   local merged = copy(meter)
   merged:reset()
   for _, theirs in ipairs(all) do
      merged:merge(setmetatable(theirs[i], getmetatable(meter)))
   end
   return merged
end

--- Meters that have counted what those of all processes have, and figures of what all have told.
-- @tab meters those of measuring
-- @tab told figures by name
-- @return the same where there is one process, copies otherwise
function M.merged(self, meters, told)
   if not M.divide(self) then
      return meters, told
   end
   local own = { loss = plain(meters.loss), figures = {} }
   for i, entry in ipairs(meters) do
      own[i] = plain(entry[2])
   end
   for name, figure in pairs(told) do
      own.figures[name] = plain(figure)
   end
   local all = self.workers.distributed.gatherObjects(own)
   local merged, figures = { loss = whole(meters.loss, all, 'loss') }, {}
   for i, entry in ipairs(meters) do
      merged[i] = { entry[1], whole(entry[2], all, i) }
   end
   for _, theirs in ipairs(all) do
      for name, figure in pairs(theirs.figures) do
         figures[name] = figures[name] or train.Average()
         figures[name]:merge(figure)
      end
   end
   return merged, figures
end

--- The row of an epoch, the first process's for all: what is decided by it (early stopping, the
-- best checkpoint, a plateau's rate) is decided everywhere alike, whatever clocks say.
function M.row(self, row)
   return M.several(self) and self.workers.distributed.broadcastObject(row) or row
end

--- Before the network is measured or saved: each process's normalisations have seen other samples.
function M.settle(self)
   if M.divide(self) then
      self.workers.distributed.averageStatistics(self.model)
   end
end

-- --- checkpoints --------------------------------------------------------------------------------

--- Values of all processes; nil where there is one.
function M.gather(self, value)
   return M.several(self) and self.workers.distributed.gatherObjects(value) or nil
end

-- A state of the optimiser; where it is shared out, f(sharded, state, vector) for each vector.
local function of_vectors(self, state, f)
   local sharded, parameters = self.sharded, self.state.parameters
   if not sharded then
      return state
   elseif self.optimizer == sharded then
      return f(sharded, state, parameters)
   end
   local other, parts = {}, self.optimizer:parts(parameters) -- of optim.groups
   for key, value in pairs(state) do
      other[key] = value
   end
   other.groups = {}
   for i, own in ipairs(state.groups or {}) do
      other.groups[i] = parts[i] and f(sharded, own, parts[i]) or own
   end
   return other
end

--- The optimiser's state, of all processes where it is shared out.
-- @tab state this one's
function M.whole_state(self, state)
   return of_vectors(self, state, function(sharded, own, x) return sharded:whole(own, x) end)
end

--- What this process has of it.
-- @tab state of all, as a checkpoint has it
function M.own_state(self, state)
   return of_vectors(self, state, function(sharded, all, x) return sharded:cut(all, x) end)
end

--- What one process has read, for all.
function M.share(self, f, ...)
   if not M.several(self) then
      return f(...)
   end
   local values = M.first(self) and { f(...) } or nil
   return unpack(self.workers.distributed.broadcastObject(values), 1, 2)
end

--- The generators' states to go on with: this process's own, or where there are others now than
-- there were, ones that follow from the first's and the rank.
function M.random_of(self, saved)
   local rank = self.workers and self.workers.rank or 1
   local all = saved.randoms
   if all and self.workers and #all == self.workers.size then
      return all[rank]
   elseif rank == 1 then
      return saved.random
   end
   local before = random.get()
   random.set(saved.random)
   random.seed((torch.random(2 ^ 30) + 7919 * rank) % 2 ^ 31)
   local own = random.get()
   random.set(before)
   return own
end

--- Whether to go on from the last checkpoint, where this run has written one: it was started again
-- (`th --restarts`).
function M.resumes_after_restart(self)
   if self.looked or not self.checkpoints then
      return false
   end
   self.looked = true
   local environment = require 'distributed.environment'
   return environment.restarts() > 0 and self.state.t == 0 and not self.resumed
end

return M
