-- A training that may be killed at any moment: it goes on where its last checkpoint is, and at its
-- end writes what it has learnt. Dropout, statistics, averages, momentum, a schedule that watches,
-- an order of its own for each epoch, and pieces of batches: all that a checkpoint has to hold.
--
--     th test/torch/train/kill/victim.lua FOLDER DEVICE STEPS
local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local device, steps = arg[2], tonumber(arg[3])
if device == 'cuda' then
   require 'cunn'
end
local train = require 'torch.train'

local folder = arg[1]
torch.setnumthreads(1)
torch.manualSeed(5)
local x = torch.FloatTensor(48, 1, 8, 8):uniform()
local y = x:view(48, -1):mean(2):view(-1):gt(0.5):long():add(1)

local net = nn.Sequential()
   :add(nn.SpatialConvolution(1, 4, 3, 3)):add(nn.SpatialBatchNormalization(4)):add(nn.ReLU(true))
   :add(nn.View(4 * 6 * 6)):add(nn.Dropout(0.3)):add(nn.Linear(4 * 6 * 6, 2)):add(nn.LogSoftMax())

local trainer = train.Trainer {
   model = net, criterion = nn.ClassNLLCriterion(), device = device, seed = 3,
   optimizer = optim.adam, options = { learningRate = 1e-2 },
   schedule = optim.schedule.plateau { patience = 0, gamma = 0.7 },
   data = { input = x, target = y, batchSize = 8 }, validation = { input = x, target = y },
   accumulate = 2, clip = 1, average = 'ema', steps = steps, metrics = { 'accuracy' },
   stopEarly = { patience = 1000 },
   checkpoint = { folder = folder, every = 2 }, log = { console = false, csv = folder
      .. '/log.csv' },
}
trainer:resume()
trainer:run()

local lines = {}
for line in io.lines(folder .. '/log.csv') do
   lines[#lines + 1] = line:gsub(',[^,]*$', '') -- but for the seconds
end
local tensors = {}
for name, t in pairs(train.weights(net)) do
   tensors[name] = t:float()
end
torch.save(folder .. '/done.t7', { tensors = tensors, log = table.concat(lines, '\n') })
