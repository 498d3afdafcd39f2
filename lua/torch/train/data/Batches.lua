--- Batches of tensors in memory, or of a dataset's samples: the simplest loader.
--
-- Called, it gives an iteration function: `for batch in batches() do`. Each call begins the epoch
-- anew. A batch is a table of tensors with the samples along the first dimension, such as { input =
-- N x ..., target = N }; its tensors are buffers that the next batch overwrites. The order of an
-- epoch depends on seed and epoch alone. Samples of a dataset are put together by
-- `dataset.collate.stack`: numbers become tensors of the default type, or of the one that the
-- dataset's `types` names.
-- @classmod train.Batches
-- @example
-- local train = require 'torch.train'
-- local batches = train.Batches({ input = torch.range(1, 5), target = torch.range(11, 15) },
--    { batchSize = 2, shuffle = false })
-- local sums = {}
-- for batch in batches() do sums[#sums + 1] = batch.target:sum() end
-- sums, batches:size() --> { 23, 27, 15 }, 3

local torch = require 'torch'
local nested = require 'nn.nested'
local collate = require 'torch.dataset.collate'
local contract = require 'torch.dataset.loader.contract'
local share = require 'torch.dataset.loader.share'
local samplers = require 'torch.dataset.module'
require 'torch.dataset.sampler.RandomSampler'
local train = require 'torch.train.module'
local options = require 'torch.options'
local sorted_keys = require 'xlua.sorted_keys'

local Batches = torch.class('train.Batches', train)

local KNOWN = { batchSize = 'count', shuffle = 'boolean', seed = 'number', dropLast = 'boolean' }

local fail = options.fail

-- The number of samples of a table of tensors.
local function count_of(data)
   local count, first
   for _, key in ipairs(sorted_keys(data)) do
      nested.each(function(t)
         if not torch.isTensor(t) or t:dim() == 0 then
            fail('train.Batches: %s is %s, expected a tensor with the samples along its first '
               .. 'dimension', tostring(key), options.describe(t))
         end
         count, first = count or t:size(1), first or key
         if t:size(1) ~= count then
            fail('train.Batches: %s has %d samples, %s %d', tostring(key), t:size(1),
               tostring(first),
               count)
         end
      end, data[key])
   end
   if not count then
      fail 'train.Batches: the table of data is empty, expected { input = tensor, target = tensor }'
   end
   return count
end

--- @param data table of tensors by name, the samples along their first dimensions; or a dataset:
-- an object with `size()` and `get(i)`, which gives a table of tensors and numbers
-- @tab[opt] settings batchSize (32); shuffle (true); seed (1); dropLast (false): leave out a last
-- batch that is not full
-- @raise "train.Batches: target has 9 samples, input 10"
function Batches:__init(data, settings)
   settings = options.check('train.Batches', settings or {}, KNOWN)
   self.batchSize = settings.batchSize or 32
   self.shuffle = settings.shuffle ~= false
   self.seed = settings.seed or 1
   self.dropLast = settings.dropLast or false
   if type(data) ~= 'table' then
      fail('train.Batches: the data is %s, expected a table of tensors or a dataset',
         options.describe(data))
   end
   self.data = data
   self.isDataset = type(data.get) == 'function'
   if self.isDataset then
      contract.check_get('train.Batches', data)
   end
   self.count = self.isDataset and data:size() or count_of(data)
   if self.count < 1 then
      fail 'train.Batches: there are no samples'
   end
   self:setEpoch(1)
end

--- Number of batches of an epoch.
function Batches:size()
   local full = self.count / self.batchSize
   return self.dropLast and math.floor(full) or math.ceil(full)
end

--- Which epoch comes next: its order is drawn by it.
function Batches:setEpoch(n)
   self.epoch, self.position, self.run = n, 0, nil
end

--- Where the loop that was begun last stands: a table for `restore`.
-- @example
-- local train = require 'torch.train'
-- local function make() return train.Batches({ input = torch.range(1, 6) }, { batchSize = 2 }) end
-- local a, b = make(), make()
-- local one = a()
-- one()
-- b:restore(a:state())
-- torch.equal(b()().input, one().input) --> true
function Batches:state()
   local run = self.run or self
   return { epoch = run.epoch, position = run.position, samples = self.count,
      batchSize = self.batchSize, seed = self.shuffle and self.seed or nil }
end

--- Go on from a state: the next call gives the rest of that epoch. A state from the beginning of
-- one goes with other samples and sizes of batches, too.
-- @tab state
-- @raise "train.Batches: restore: the state is of 100 samples in batches of 32 with seed 1, ..."
function Batches:restore(state)
   local own = self:state()
   for _, name in ipairs { 'samples', 'batchSize', 'seed' } do
      if state.position > 0 and state[name] ~= own[name] then
         fail('train.Batches: restore: the state is of %s samples in batches of %s with seed %s, '
            .. 'these are %s in batches of %s with seed %s', tostring(state.samples),
            tostring(state.batchSize), tostring(state.seed), tostring(own.samples),
            tostring(own.batchSize), tostring(own.seed))
      end
   end
   self.epoch, self.position, self.run = state.epoch, state.position, nil
end

--- Make one process's rows of each batch only; see `dataset.Loader:share`.
-- @int rank from 1
-- @int size how many processes there are
-- @return true
function Batches:share(rank, size)
   self.shared = { rank = rank, size = size }
   return true
end

--- How many rows the batch that came last has in all processes, where it is shared out.
function Batches:rows()
   return self.lastRows
end

-- The order of an epoch, as `dataset.Loader` draws it: a LongTensor, or nil for that of the data.
local function order_of(self)
   return self.shuffle and samplers.RandomSampler(self.count):order(self.epoch, self.seed) or nil
end

local function fetch(self, order, first, n)
   local samples, indices = {}, {}
   for i = 1, n do
      local index = order and order[first + i] or first + i
      samples[i], indices[i] = self.data:get(index), index
      if type(samples[i]) ~= 'table' then
         fail('train.Batches: sample %d is %s, expected a table such as { input = tensor, '
            .. 'target = 3 }', index, options.describe(samples[i]))
      end
   end
   local ok, batch = pcall(collate.stack, samples, indices, self.data.types)
   if not ok then
      fail('train.Batches: %s', tostring(batch))
   end
   return batch
end

--- Begin the epoch, or after `restore` the rest of one: a function that gives the next batch, and
-- nil at the end.
function Batches:__call__()
   local order, buffers, data = order_of(self), {}, self.data
   local run = { epoch = self.epoch, position = self.position }
   self.run, self.position = run, 0
   local shared = self.shared
   local last = self:size() * self.batchSize
   return function()
      local first = run.position
      if first >= math.min(self.count, last) then
         return nil
      end
      local n = math.min(self.batchSize, self.count - first)
      run.position = first + n
      if shared then
         self.lastRows = n
         local from
         from, n = share.rows(n, shared.rank, shared.size)
         first = first + from - 1
      end
      if self.isDataset then
         return fetch(self, order, first, n)
      elseif not order then
         return nested.map(function(t)
            return t:narrow(1, first + 1, n)
         end, data)
      end
      local chosen = order:narrow(1, first + 1, n)
      return nested.into(function(old, t)
         old = torch.isTensor(old) and old or t.new()
         return old:index(t, 1, chosen)
      end, buffers, data)
   end
end
