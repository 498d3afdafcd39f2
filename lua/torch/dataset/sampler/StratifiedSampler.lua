local torch = require 'torch'
local common = require 'torch.dataset.sampler.common'

--- All samples once, shuffled so that each stretch has the classes in the proportions of the whole:
-- every batch is a small picture of the data set. Of a class of m samples, the k-th one lies at
-- random within the k-th of m equal parts of the epoch.
-- @param targets list or tensor of classes, one for each sample
-- @usage dataset.StratifiedSampler(targets)
-- @type dataset.StratifiedSampler
-- @example
-- local dataset = require 'torch.dataset'
-- local order = dataset.StratifiedSampler({ 1, 1, 1, 2, 2, 2 }):order(1, 7)
-- torch.sort(order) --> { 1, 2, 3, 4, 5, 6 }
local Sampler = torch.class('dataset.StratifiedSampler', require 'torch.dataset.module')

function Sampler:__init(targets)
   self.count = common.count('dataset.StratifiedSampler', targets)
   self.classes = {} -- in the order in which they first come
   local known = {}
   for i = 1, self.count do
      local class = targets[i]
      if not known[class] then
         known[class] = {}
         self.classes[#self.classes + 1] = known[class]
      end
      table.insert(known[class], i)
   end
end

--- Number of samples in an epoch.
function Sampler:size()
   return self.count
end

--- The indices of an epoch, a LongTensor.
function Sampler:order(epoch, seed)
   local generator = common.generator(epoch, seed)
   local places, members = torch.DoubleTensor(self.count), torch.LongTensor(self.count)
   local at = 0
   for _, class in ipairs(self.classes) do
      local order = common.permutation(generator, #class)
      for k = 1, #class do
         at = at + 1
         places[at] = (k - 1 + torch.uniform(generator)) / #class
         members[at] = class[order[k]]
      end
   end
   if at == 0 then
      return torch.LongTensor()
   end
   local _, by = places:sort(1)
   return members:index(1, by)
end

return Sampler
