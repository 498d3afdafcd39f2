--- Batches of a dataset, made ahead of the loop by worker threads: dataset.Loader.
-- @module torch.dataset.Loader
local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'
local packages = require 'torch.packages'
local contract = require 'torch.dataset.loader.contract'
local plans = require 'torch.dataset.loader.plan'
local runs = require 'torch.dataset.loader.run'
local workers = require 'torch.dataset.loader.workers'

local type = type -- torch puts its own in the global's place

local OPTIONS = {
   dataset = { 'any', required = 'such as dataset.Tensors { input = x, target = y }' },
   batchSize = { 'count', 1 }, shuffle = { 'boolean', false },
   sampler = { 'any' }, workers = { 'natural', 0 }, prefetch = { 'count' }, collate = { 'call' },
   transform = { 'call' }, transformBatch = { 'call' }, pin = { 'boolean', false },
   seed = { 'natural' }, dropLast = { 'boolean', false }, init = { 'call' }, types = { 'list' },
}

--- Batches of a dataset.
--
-- `loader()` begins a loop: `for batch in loader() do`; `loader:size()` is how many batches it has.
-- (`#loader` and `ipairs(loader)` see an empty table: Lua asks no object; `th` warns of them.)
-- Options that are numbers may be texts of numbers, such as '32', which the Trainer does not take.
-- Each loop is the next epoch, with another order if it is shuffled. A batch is made of samples
-- `dataset:get(i)`: fields that are tensors of C x H x W become n x C x H x W, numbers a tensor
-- of n.
--
-- With `workers = n`, n threads make batches ahead of the loop; tensors are shared with them, and
-- come back without a copy. Random numbers are seeded for each sample by the loader's seed, the
-- epoch and the sample's index (and how often it has come before in the epoch), so order and
-- augmentation are the same for any number of workers. What a stream or a function draws for the
-- order follows from the seed and the epoch. Where nothing is done with single samples and the
-- dataset has a method `getBatch(indices)`, that makes a batch at once.
--
-- | option | |
-- | --- | --- |
-- | dataset | object with size() and get(i), or a stream |
-- | batchSize | samples of a batch (1) |
-- | dropLast | leave out a last batch that is smaller (false) |
-- | shuffle | another order in each epoch (false) |
-- | sampler | what chooses the samples instead: dataset.RandomSampler or the like, or a function |
-- | workers | threads (0: batches are made in the loop) |
-- | prefetch | batches ahead (2 for each worker) |
-- | transform | function(sample, i) -> sample |
-- | collate | function(samples, indices) -> batch (dataset.collate.stack) |
-- | transformBatch | function(batch) -> batch, seeded for each batch |
-- | types | field -> type of tensors that numbers become: the dataset's `types`, or the default |
-- | pin | batches in page-locked memory, for copies to a device that go on by themselves |
-- | seed | of the order and of the samples (drawn) |
-- | init | function(worker) that every worker runs first: it loads packages, defines classes |
--
-- A stream is an object with stream(epoch, seed), or a function(epoch), that gives a function which
-- returns the next sample, nil at the end; the loop reads it, workers transform and collate. A
-- sampler that is a function takes (epoch, seed) and gives the indices, a LongTensor.
--
-- An error in a worker is raised in the loop at its batch, with the sample's index and its stack
-- there; a worker that dies is an error as well.
-- @tparam table options
-- @raise "dataset.Loader: there is no option 'batchsize'; near: batchSize"; "dataset.Loader: sample
-- 17 (batch 3 of epoch 1): ..."; "dataset.Loader: the dataset is empty"
-- @usage dataset.Loader{dataset = data, batchSize = 32, shuffle = true, workers = 2}
-- @type dataset.Loader
-- @example
-- local dataset = require 'torch.dataset'
-- local data = dataset.Tensors { input = torch.rand(6, 1), target = torch.range(1, 6) }
-- local loader = dataset.Loader { dataset = data, batchSize = 4 }
-- local sizes = {}
-- for batch in loader() do
--    sizes[#sizes + 1] = batch.target:size(1)
-- end
-- sizes --> { 4, 2 }
local Loader = torch.class('dataset.Loader', require 'torch.dataset.module')

local isDataset = contract.is_dataset

local function isNatural(x)
   return type(x) == 'number' and x >= 0 and x % 1 == 0
end

local function isStream(x)
   return type(x) == 'function' or (type(x) == 'table' and options.callable(x.stream))
end

local function chooseSampler(self, given)
   local sampler = given.sampler
   if self:isStream() then
      if sampler or given.shuffle then
         errors.raise(('dataset.Loader: a stream has no %s: its samples come as they are read '
            .. '(dataset.ShuffledStream mixes neighbours)'):format(sampler and 'sampler'
            or 'shuffle'))
      end
      return nil
   elseif sampler == nil then
      local samplers = require 'torch.dataset.module'
      return samplers[given.shuffle and 'RandomSampler' or 'SequentialSampler'](self.dataset)
   elseif given.shuffle then
      errors.raise 'dataset.Loader: give a sampler or shuffle, not both: a sampler has the order'
   elseif type(sampler) ~= 'function' and not (type(sampler) == 'table'
      and (options.callable(sampler.order) or options.callable(sampler.batches))) then
      errors.raise(('dataset.Loader: the sampler must be a function(epoch, seed), or an object '
         .. 'with order or batches; got %s'):format(options.describe(sampler)))
   end
   return sampler
end

function Loader:__init(given)
   local bare = type(given) == 'table' and given.dataset == nil
   if bare and (isDataset(given) or given[1] ~= nil) then
      errors.raise('dataset.Loader: the options are named: dataset.Loader { dataset = data, '
         .. 'batchSize = 32 }')
   end
   local read = options.read('dataset.Loader', given, OPTIONS)
   if not isDataset(read.dataset) and not isStream(read.dataset) then
      errors.raise(('dataset.Loader: dataset must be an object with the methods size and get, or '
         .. 'a stream (dataset.Tensors makes one of tensors); got %s%s'):format(
         options.describe(read.dataset), contract.lack(read.dataset)))
   elseif isDataset(read.dataset) then
      contract.check_get('dataset.Loader', read.dataset)
   end
   for field, name in pairs(read.types or {}) do
      options.value('dataset.Loader: types', tostring(field), name, 'type')
   end
   self.dataset, self.batchSize, self.dropLast = read.dataset, read.batchSize, read.dropLast
   self.workers, self.init = read.workers, read.init
   self.prefetch = read.prefetch or math.max(2 * read.workers, 1)
   self.seed = read.seed or torch.random(2 ^ 31)
   self.sampler = chooseSampler(self, read)
   if not read.seed and type(self.sampler) == 'table' and self.sampler.needsSeed then
      errors.raise(('dataset.Loader: %s wants a seed, the same in each process: seed = 1; drawn '
         .. 'seeds would give the processes orders of their own'):format(
         torch.typename(self.sampler)))
   end
   local source = type(read.dataset) == 'table' and read.dataset or {}
   if read.workers > 0 and not self:isStream() and not torch.typename(source)
      and (rawget(source, 'get') == nil or rawget(source, 'size') == nil) then
      errors.raise('dataset.Loader: the dataset has size or get by a metatable, which workers do '
         .. 'not get: write both into the table itself, or make it a class by torch.class (and '
         .. 'define that in init, for the workers)')
   end
   if read.pin then
      local ok, message = packages.try 'cutorch'
      if not ok then
         errors.raise('dataset.Loader: pin wants cutorch: ' .. tostring(message))
      end
   end
   self.spec = {
      dataset = not self:isStream() and read.dataset or nil, transform = read.transform,
      collate = read.collate, transformBatch = read.transformBatch, pin = read.pin,
      types = read.types or rawget(source, 'types'), seed = self.seed,
      whole = read.transform == nil and read.collate == nil and read.types == nil
         and options.callable(source.getBatch),
   }
   self.nextEpoch, self.position, self.runs = 1, 0, 0
end

--- Whether the samples come from a stream.
function Loader:isStream()
   return not isDataset(self.dataset)
end

--- Number of batches in an epoch; nil for a stream.
-- @usage loader:size() -> number|nil
function Loader:size()
   if self:isStream() then
      return nil
   end
   return plans.count(self)
end

--- The epoch of the loop that runs, or of the one that begins next.
function Loader:epoch()
   return self.run and self.run.epoch or self.nextEpoch
end

--- Choose the epoch of the next loop; its order follows from the seed and the epoch. After
-- `restore`, the epoch that was restored goes on where it was.
-- @number epoch a whole number from 1 on
-- @usage loader:setEpoch(epoch) -> loader
function Loader:setEpoch(epoch)
   epoch = options.value('dataset.Loader: setEpoch', 'the epoch', epoch, 'natural')
   if epoch ~= self.nextEpoch or self.run then
      self.nextEpoch, self.position, self.run = epoch, 0, nil
   end
   return self
end

--- Where the loop is: what `restore` wants, in this process or another.
-- @return table of numbers
-- @usage loader:state() -> table
-- @example
-- local dataset = require 'torch.dataset'
-- local data = dataset.Tensors { input = torch.range(1, 6) }
-- local loader = dataset.Loader { dataset = data, batchSize = 2, shuffle = true, seed = 1 }
-- local state
-- local last
-- for batch in loader() do
--    state = state or loader:state()        -- after the first of three batches
--    last = batch.input
-- end
-- loader:restore(state)
-- local count, again = 0, nil
-- for batch in loader() do count, again = count + 1, batch.input end
-- count --> 2
-- again:equal(last) --> true
function Loader:state()
   local run = self.run
   return {
      epoch = run and run.epoch or self.nextEpoch, position = run and run.given or self.position,
      seed = self.seed, batchSize = self.batchSize,
      samples = not self:isStream() and self.dataset:size() or nil,
   }
end

--- Go on where a state was taken: the next loop gives the rest of its epoch, the same batches as
-- without the interruption. A state from the beginning of an epoch goes with other samples, and
-- other sizes of batches, too.
-- @tparam table state what `state` gave
-- @raise "dataset.Loader: restore: the state is of 100 samples in batches of 32, ..."
-- @usage loader:restore(state) -> loader
function Loader:restore(state)
   if type(state) ~= 'table' or not isNatural(state.epoch) or not isNatural(state.position) then
      errors.raise(('dataset.Loader: restore: wanted what state() gave, got %s'):format(
         options.describe(state)))
   end
   local samples = not self:isStream() and self.dataset:size() or nil
   if state.position > 0 and (state.batchSize ~= self.batchSize or state.samples ~= samples) then
      errors.raise(('dataset.Loader: restore: the state is of %s samples in batches of %s, this '
         .. 'loader has %s in batches of %s'):format(tostring(state.samples),
         tostring(state.batchSize), tostring(samples), tostring(self.batchSize)))
   end
   if state.seed ~= self.seed then
      self:stop() -- the workers have the other seed
      self.seed, self.spec.seed = state.seed, state.seed
   end
   self.run, self.nextEpoch, self.position = nil, state.epoch, state.position
   return self
end

--- Begin a loop over the next epoch. A loop that was left before its end is over.
-- @return function that gives the next batch, nil at the end
-- @usage for batch in loader() do ... end
function Loader:__call__(...)
   if select('#', ...) > 0 then -- what Lua's `for` passes: it would take loops for batches
      errors.raise 'dataset.Loader: for batch in loader() do, with brackets: loader() begins a loop'
   end
   local run = runs.new(self, self.nextEpoch, self.position)
   self.runs = self.runs + 1
   run.number = self.runs
   self.run, self.nextEpoch, self.position = run, self.nextEpoch + 1, 0
   if self.team then
      self.team:begin(run.number, run.given)
   end
   return function()
      return run:next()
   end
end

--- Make one process's rows of each batch only, from the next loop on: of several that read the same
-- batches, which have the same seed. Where there are fewer rows than processes, some get a row that
-- others have, too. share(1, 1) takes it back; a loop that has begun stays as it is.
-- @int rank from 1
-- @int size how many processes there are
-- @return whether it can: not where `transformBatch` mixes the rows of whole batches
-- @usage loader:share(rank, size) -> boolean
-- @example
-- local dataset = require 'torch.dataset'
-- local data = dataset.Tensors { input = torch.range(1, 6) }
-- local loader = dataset.Loader { dataset = data, batchSize = 4 }
-- loader:share(2, 2) --> true
-- local seen = {}
-- for batch in loader() do seen[#seen + 1] = { batch.input:totable(), loader:rows() } end
-- seen --> { { { 3, 4 }, 4 }, { { 6 }, 2 } }
function Loader:share(rank, size)
   options.value('dataset.Loader: share', 'the rank', rank, 'count')
   options.value('dataset.Loader: share', 'the number of processes', size, 'count')
   if rank > size then
      errors.raise(('dataset.Loader: share: rank %d of %d'):format(rank, size))
   elseif self.spec.transformBatch then
      return false
   end
   self.shared = { rank = rank, size = size }
   return true
end

--- How many rows the batch that came last has in all processes, where it is shared out.
-- @usage loader:rows() -> number|nil
function Loader:rows()
   return self.lastRows
end

-- The workers, begun for a run.
function Loader:__crew(run)
   local team = self.team
   if not team or not team.pool:isrunning() then
      team = workers.new(self.workers, self.spec, self.init)
      team:begin(run.number, run.given)
      self.team = team
   end
   return team
end

-- A run has given its last batch.
function Loader:__finish(run)
   if self.run == run then
      self.run = nil
   end
end

--- End the workers; a loop that runs is over. The next loop starts them again. A loader that is
-- collected ends them by itself.
-- @usage loader:stop()
function Loader:stop()
   self.run = nil
   if self.team then
      self.team:stop()
      self.team = nil
   end
end

-- Batches have no numbers; LuaJIT's # and ipairs do not ask, and take a loader for an empty table.
function Loader.__index__(_, key)
   if type(key) == 'number' then
      errors.raise(('dataset.Loader: loader[%s]: batches come in a loop alone: for batch in '
         .. 'loader() do'):format(key))
   end
   return false
end

function Loader:__tostring__()
   local size = self:size()
   return ('dataset.Loader [%s batches of %d, %d workers]'):format(size or '?', self.batchSize,
      self.workers)
end

return Loader
