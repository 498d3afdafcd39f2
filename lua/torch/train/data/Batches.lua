--- Batches of tensors in memory, or of a dataset's samples: the simplest loader.
--
-- Called, it gives an iteration function: `for batch in batches() do`. A batch is a table of
-- tensors with the samples along the first dimension, such as { input = N x ..., target = N }; its
-- tensors are buffers that the next batch overwrites. The order of an epoch depends on seed and
-- epoch alone.
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
local train = require 'torch.train.module'
local options = require 'torch.train.options'

local Batches = torch.class('train.Batches', train)

local KNOWN = { batchSize = 'count', shuffle = 'flag', seed = 'number', dropLast = 'flag' }

local fail = options.fail

-- The number of samples of a table of tensors.
local function count_of(data)
   local count, first
   for key, nest in pairs(data) do
      nested.each(function(t)
         if not torch.isTensor(t) or t:dim() == 0 then
            fail('train.Batches: %s is %s, expected a tensor with the samples along its first '
               .. 'dimension', tostring(key), options.came(t))
         end
         count, first = count or t:size(1), first or key
         if t:size(1) ~= count then
            fail('train.Batches: %s has %d samples, %s %d', tostring(key), t:size(1),
               tostring(first),
               count)
         end
      end, nest)
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
   self.data = data
   self.isDataset = type(data.get) == 'function'
   self.count = self.isDataset and data:size() or count_of(data)
   if self.count < 1 then
      fail 'train.Batches: there are no samples'
   end
   self.epoch, self.position = 1, 0
end

--- Number of batches of an epoch.
function Batches:size()
   local full = self.count / self.batchSize
   return self.dropLast and math.floor(full) or math.ceil(full)
end

--- Which epoch comes next: its order is drawn by it.
function Batches:setEpoch(n)
   self.epoch, self.position = n, 0
end

--- Where the present epoch stands: a table for `restore`.
-- @example
-- local train = require 'torch.train'
-- local function make() return train.Batches({ input = torch.range(1, 6) }, { batchSize = 2 }) end
-- local a, b = make(), make()
-- local one = a()
-- one()
-- b:restore(a:state())
-- torch.equal(b()().input, one().input) --> true
function Batches:state()
   return { epoch = self.epoch, position = self.position }
end

--- Go on from a state: the next call gives the rest of that epoch.
function Batches:restore(state)
   self.epoch, self.position = state.epoch, state.position
end

-- The order of an epoch: a LongTensor, or nil for that of the data.
local function order_of(self)
   if not self.shuffle then
      return nil
   end
   local generator = torch.Generator()
   torch.manualSeed(generator, (self.seed * 1000003 + self.epoch) % 2 ^ 31)
   return torch.randperm(generator, self.count):long()
end

-- Numbers become a LongTensor where all are whole, tensors are put one upon another.
local function stack(key, values, first)
   if type(values[1]) == 'number' then
      local whole = true
      for _, v in ipairs(values) do
         whole = whole and v % 1 == 0
      end
      return whole and torch.LongTensor(values) or torch.Tensor(values)
   elseif not torch.isTensor(values[1]) then
      return values
   end
   local sizes = values[1]:size():totable()
   local result = values[1].new(torch.LongStorage { #values, unpack(sizes) })
   for i, v in ipairs(values) do
      if not v:isSameSizeAs(values[1]) then
         fail("train.Batches: %s of sample %d is %s, that of sample %d %s: samples of a batch have "
            .. 'one size', tostring(key), first + i, table.concat(v:size():totable(), 'x'),
            first + 1,
            table.concat(sizes, 'x'))
      end
      result[i]:copy(v)
   end
   return result
end

local function collate(self, order, first, n)
   local samples = {}
   for i = 1, n do
      local index = order and order[first + i] or first + i
      samples[i] = self.data:get(index)
      if type(samples[i]) ~= 'table' then
         fail('train.Batches: sample %d is %s, expected a table such as { input = tensor, '
            .. 'target = 3 }', index, options.came(samples[i]))
      end
   end
   local batch = {}
   for key in pairs(samples[1]) do
      local values = {}
      for i, sample in ipairs(samples) do
         values[i] = sample[key]
      end
      batch[key] = stack(key, values, first)
   end
   return batch
end

--- The rest of the epoch: a function that gives the next batch, and nil at the end.
function Batches:__call__()
   local order, buffers, data = order_of(self), {}, self.data
   local last = self:size() * self.batchSize
   return function()
      local first = self.position
      if first >= math.min(self.count, last) then
         return nil
      end
      local n = math.min(self.batchSize, self.count - first)
      self.position = first + n
      if self.isDataset then
         return collate(self, order, first, n)
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
