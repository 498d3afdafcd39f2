local torch = require 'torch'
local common = require 'torch.dataset.sampler.common'
local options = require 'torch.options'

--- The samples in another order each epoch: a permutation, or draws with replacement.
-- @param source dataset, or the number of samples
-- @tparam[opt] table options replacement (false); count: how many are drawn (all)
-- @usage dataset.RandomSampler(source [, options])
-- @type dataset.RandomSampler
-- @example
-- local dataset = require 'torch.dataset'
-- local order = dataset.RandomSampler(4):order(1, 7)      -- of epoch 1 and seed 7
-- (torch.sort(order)) --> { 1, 2, 3, 4 }
local Sampler = torch.class('dataset.RandomSampler', require 'torch.dataset.module')

function Sampler:__init(source, given)
   local read = options.read('dataset.RandomSampler', given, {
      replacement = { 'boolean', false }, count = { 'count' },
   })
   self.n = common.count('dataset.RandomSampler', source)
   self.replacement, self.count = read.replacement, read.count or self.n
   if not self.replacement and self.count > self.n then
      require('torch.errors').raise(('dataset.RandomSampler: %d of %d samples can only be drawn '
         .. 'with replacement = true'):format(self.count, self.n))
   end
end

--- Number of samples in an epoch.
function Sampler:size()
   return self.count
end

--- The indices of an epoch, a LongTensor.
function Sampler:order(epoch, seed)
   local generator = common.generator(epoch, seed)
   if self.replacement and self.n > 0 then
      return torch.random(torch.LongTensor(self.count), generator, 1, self.n)
   end
   local order = common.permutation(generator, self.n)
   return self.count < self.n and order:narrow(1, 1, self.count):clone() or order
end

return Sampler
