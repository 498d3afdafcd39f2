local torch = require 'torch'
local common = require 'torch.dataset.sampler.common'

--- The samples in the dataset's order.
-- @param source dataset, or the number of samples
-- @usage dataset.SequentialSampler(source)
-- @type dataset.SequentialSampler
-- @example
-- local dataset = require 'torch.dataset'
-- dataset.SequentialSampler(3):order() --> { 1, 2, 3 }
local Sampler = torch.class('dataset.SequentialSampler', require 'torch.dataset.module')

function Sampler:__init(source)
   self.count = common.count('dataset.SequentialSampler', source)
end

--- Number of samples in an epoch.
function Sampler:size()
   return self.count
end

--- The indices of an epoch, a LongTensor.
function Sampler:order()
   return self.count == 0 and torch.LongTensor() or torch.range(torch.LongTensor(), 1, self.count)
end

return Sampler
