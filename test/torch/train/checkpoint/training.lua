--- Training of which checkpoints are written: a net that draws and has statistics, 20 samples.
local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'

local M = {}

function M.net(classes)
   return nn.Sequential():add(nn.Linear(4, 6)):add(nn.BatchNormalization(6)):add(nn.ReLU())
      :add(nn.Dropout(0.4)):add(nn.Linear(6, classes or 2)):add(nn.LogSoftMax())
end

function M.data()
   torch.manualSeed(4)
   local x = torch.randn(20, 4)
   return { input = x, target = x:sum(2):view(-1):gt(0):long():add(1), batchSize = 6 }
end

--- A Trainer with a checkpoint after each step.
-- @string folder of the checkpoints
-- @tab[opt] settings in the place of those here, and further ones
function M.trainer(folder, settings)
   local all = {
      model = M.net(), criterion = nn.ClassNLLCriterion(), data = M.data(), seed = 11,
      optimizer = 'adam', options = { learningRate = 0.02 }, log = false,
      checkpoint = { folder = folder, every = 1, keep = 100 },
   }
   for name, value in pairs(settings or {}) do
      all[name] = value
   end
   return train.Trainer(all)
end

return M
