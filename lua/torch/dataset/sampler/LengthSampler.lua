local torch = require 'torch'
local errors = require 'torch.errors'
local common = require 'torch.dataset.sampler.common'
local options = require 'torch.options'

--- Batches of samples of similar length, so that little is padded. In each epoch the samples are
-- shuffled, cut into pools of some batches, sorted by length within a pool and cut into batches,
-- which come in random order.
--
-- With `tokens`, a batch takes as many samples as fit: its number of samples times its longest
-- length is at most that.
-- @param lengths list or tensor: the length of each sample
-- @tparam table options batchSize, or tokens; shuffle (true); pool: batches sorted together (50);
-- dropLast (false)
-- @raise "dataset.LengthSampler: sample 3 has 700 tokens, more than the 512 of a batch"
-- @usage dataset.LengthSampler(lengths, {batchSize = 32})
-- @type dataset.LengthSampler
-- @example
-- local dataset = require 'torch.dataset'
-- local sampler = dataset.LengthSampler({ 9, 1, 8, 2 }, { batchSize = 2, shuffle = false })
-- sampler:batches()[1] --> { 2, 4 }
-- sampler:batches()[2] --> { 3, 1 }
local Sampler = torch.class('dataset.LengthSampler', require 'torch.dataset.module')

local NAME = 'dataset.LengthSampler'
local POOLED = 32 -- samples of a batch by which the pool is measured, where tokens are counted

function Sampler:__init(lengths, given)
   local read = options.read(NAME, given, {
      batchSize = { 'count' }, tokens = { 'count' }, shuffle = { 'boolean', true },
      pool = { 'count', 50 }, dropLast = { 'boolean', false },
   })
   if (read.batchSize == nil) == (read.tokens == nil) then
      errors.raise(NAME .. ': give batchSize, or tokens, and not both')
   end
   self.count = common.count(NAME, lengths)
   self.lengths = torch.DoubleTensor(math.max(self.count, 1))
   for i = 1, self.count do
      self.lengths[i] = lengths[i]
      if read.tokens and lengths[i] > read.tokens then
         errors.raise(('%s: sample %d has %d tokens, more than the %d of a batch'):format(NAME, i,
            lengths[i], read.tokens))
      end
   end
   self.batchSize, self.tokens, self.shuffle = read.batchSize, read.tokens, read.shuffle
   self.pool, self.dropLast = read.pool * (read.batchSize or POOLED), read.dropLast
end

--- Number of samples in an epoch.
function Sampler:size()
   return self.count
end

-- Cut samples, sorted by length, into batches.
local function cut(self, sorted, batches)
   local batch, longest = {}, 0
   local function close()
      if #batch > 0 then
         batches[#batches + 1] = batch
         batch, longest = {}, 0
      end
   end
   for _, i in ipairs(sorted) do
      longest = math.max(longest, self.lengths[i])
      if self.tokens and (#batch + 1) * longest > self.tokens then
         close()
         longest = self.lengths[i]
      end
      batch[#batch + 1] = i
      if #batch == self.batchSize then
         close()
      end
   end
   if not (self.dropLast and self.batchSize) then
      close()
   end
end

--- The batches of an epoch: a list of LongTensors of indices.
function Sampler:batches(epoch, seed)
   local generator, lengths = common.generator(epoch, seed), self.lengths
   local order = self.shuffle and common.permutation(generator, self.count) or nil
   local pool = self.shuffle and self.pool or math.max(self.count, 1)
   local batches = {}
   for first = 1, self.count, pool do
      local list = {}
      for k = first, math.min(first + pool - 1, self.count) do
         list[#list + 1] = order and order[k] or k
      end
      table.sort(list, function(a, b)
         return lengths[a] < lengths[b] or (lengths[a] == lengths[b] and a < b)
      end)
      cut(self, list, batches)
   end
   local by = self.shuffle and common.permutation(generator, #batches)
   local result = {}
   for k = 1, #batches do
      result[k] = torch.LongTensor(batches[by and by[k] or k])
   end
   return result
end

return Sampler
