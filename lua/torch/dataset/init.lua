--- Data that arrives in time: datasets, samplers, readers of files, augmentation, and a loader with
-- worker threads.
--
--     local dataset = require 'torch.dataset'
--     local data = dataset.Tensors{input = images, target = labels}
--     local loader = dataset.Loader{dataset = data, batchSize = 32, shuffle = true, workers = 2}
--     for batch in loader() do
--        net:forward(batch.input)
--     end
--
-- A dataset is any object with size() and get(i), which gives a sample: a tensor, a number, or a
-- table of these such as {input = tensor, target = 3}.
-- @module torch.dataset
require 'torch'
require('torch.errors').library()

local dataset = require 'torch.dataset.module'

for _, room in ipairs {
   { 'sampler', 'SequentialSampler', 'RandomSampler', 'WeightedSampler', 'StratifiedSampler',
      'DistributedSampler', 'LengthSampler' },
   { 'set', 'Tensors', 'List', 'Concat', 'Subset', 'Map', 'Batches', 'ShuffledStream' },
   { 'reader', 'Folder', 'Hdf5', 'Lines', 'Tokens' },
} do
   for i = 2, #room do
      require(('torch.dataset.%s.%s'):format(room[1], room[i]))
   end
end
for _, reader in ipairs { 'idx', 'cifar', 'csv', 'arrays' } do
   for name, f in pairs(require('torch.dataset.reader.' .. reader)) do
      dataset[name] = f
   end
end
dataset.split = require('torch.dataset.set.split').split
dataset.collate = require 'torch.dataset.collate'
dataset.transform = require 'torch.dataset.transform'
dataset.text = require 'torch.dataset.text'
require 'torch.dataset.Loader'

return dataset
