local torch = require 'torch'
local errors = require 'torch.errors'
local common = require 'torch.dataset.sampler.common'
local options = require 'torch.options'

--- One process's share of the samples, when several train together: rank r of `world` takes every
-- world-th one of the epoch's order. All get equally many: the order goes on from its beginning
-- where it does not divide, or its end is left out with dropLast.
-- @param source dataset, number of samples, or another sampler, whose order is shared out
-- @tparam table options rank: 1..world; world: number of processes; shuffle (false; of a dataset);
-- dropLast (false). The loaders' seeds must agree: where the order is drawn, a loader without one
-- is refused.
-- @raise "dataset.DistributedSampler: rank 3 of a world of 2"; "dataset.DistributedSampler: a
-- dataset.LengthSampler makes batches, which cannot be shared out"
-- @usage dataset.DistributedSampler(source, {rank = 1, world = 2})
-- @type dataset.DistributedSampler
-- @example
-- local dataset = require 'torch.dataset'
-- dataset.DistributedSampler(5, { rank = 1, world = 2 }):order() --> { 1, 3, 5 }
-- dataset.DistributedSampler(5, { rank = 2, world = 2 }):order() --> { 2, 4, 1 }
local Sampler = torch.class('dataset.DistributedSampler', require 'torch.dataset.module')

function Sampler:__init(source, given)
   local name = 'dataset.DistributedSampler'
   local read = options.read(name, given, {
      rank = { 'count', required = true }, world = { 'count', required = true },
      shuffle = { 'boolean', false }, dropLast = { 'boolean', false },
   })
   if read.rank > read.world then
      errors.raise(('%s: rank %d of a world of %d'):format(name, read.rank, read.world))
   end
   self.rank, self.world, self.dropLast = read.rank, read.world, read.dropLast
   if type(source) == 'table' and options.callable(source.batches) then
      errors.raise(('%s: a %s makes batches, which cannot be shared out; give the dataset, or a '
         .. 'sampler with order'):format(name, torch.typename(source) or 'sampler of that kind'))
   elseif type(source) == 'table' and options.callable(source.order) then
      self.inner = source
   else
      local samplers = require 'torch.dataset.module'
      local n = common.count(name, source)
      self.inner = samplers[read.shuffle and 'RandomSampler' or 'SequentialSampler'](n)
   end
   self.needsSeed = read.world > 1
      and torch.typename(self.inner) ~= 'dataset.SequentialSampler' -- whose order is no draw
end

--- Number of samples of this rank in an epoch.
function Sampler:size()
   local share = self.inner:size() / self.world
   return self.dropLast and math.floor(share) or math.ceil(share)
end

--- This rank's indices of an epoch, a LongTensor.
function Sampler:order(epoch, seed)
   local all = self.inner:order(epoch, seed)
   local n, mine = all:dim() == 0 and 0 or all:size(1), self:size()
   local order = torch.LongTensor(mine)
   for k = 1, mine do
      order[k] = all[((k - 1) * self.world + self.rank - 1) % n + 1]
   end
   return order
end

return Sampler
