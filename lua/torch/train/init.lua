--- Training: a loop that nobody has to write, made of parts that any loop can use.
--
--     local train = require 'torch.train'
--     train.Trainer { model = net, criterion = nn.ClassNLLCriterion(), optimizer = 'adam',
--        data = { input = x, target = y }, epochs = 10, metrics = { 'accuracy' } }:run()
--
-- | what | by |
-- | --- | --- |
-- | the loop | `train.Trainer`, hooks of `train.Engine` |
-- | batches | `train.Batches`; any loader, dataset or iterator |
-- | measuring | `train.Average`, `train.Accuracy`, `train.MeanAveragePrecision` |
-- | logs | `train.Console`, `train.CSV`, `train.TensorBoard`, `train.Plot` |
-- | what survives a power cut | `train.Checkpoints` |
-- | when to end, averages of weights | `train.EarlyStop`, `train.Averaging` |
-- | bfloat16 and half | `train.Precision`, `train.LossScaler` |
-- | looking at a network | `train.summary`, `train.tensors` |
-- | fine-tuning | `train.freeze`, `train.replace`, `train.loadWeights`, the option `groups` |
-- @module torch.train
require 'torch'
local train = require 'torch.train.module'
-- The files below may ask for the package while it is being filled.
package.loaded['torch.train'] = train

require 'nn'
require 'optim'
for _, file in ipairs {
   'names', 'Engine', 'data.Batches', 'checkpoint.Checkpoints', 'meter', 'log', 'parts.EarlyStop',
   'parts.Averaging', 'precision.LossScaler', 'precision.Precision', 'summary', 'finetune.freeze',
   'finetune.weights', 'Trainer',
} do
   require('torch.train.' .. file)
end

return train
