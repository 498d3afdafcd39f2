-- The loader and the Trainer together: a run that stops within an epoch and goes on elsewhere, with
-- another number of workers, ends where one without interruption ends.
local torch = require 'torch'
local nn = require 'nn'
local paths = require 'paths'
local train = require 'torch.train'
local dataset = require 'torch.dataset'

describe('a training fed by dataset.Loader', function()
   it('is resumed within an epoch, bit for bit', function()
      torch.manualSeed(1)
      local x = torch.randn(128, 8):float()
      local data = dataset.Tensors { input = x, target = x:sum(2):gt(0):long():view(-1):add(1) }
      local folder = os.tmpname()
      os.remove(folder)

      -- The weights after so many steps of 8 an epoch.
      local function run(steps, seed, workers, checkpoint, resumed)
         torch.manualSeed(seed)
         local net = nn.Sequential():add(nn.Linear(8, 6)):add(nn.Dropout(0.2)):add(nn.Tanh())
            :add(nn.Linear(6, 2)):add(nn.LogSoftMax()):float()
         local loader = dataset.Loader { dataset = data, batchSize = 16, shuffle = true,
            workers = workers, seed = seed, transform = function(sample)
               return { input = sample.input + torch.normal(), target = sample.target }
            end }
         local trainer = train.Trainer { model = net, criterion = nn.ClassNLLCriterion():float(),
            optimizer = 'adam', options = { learningRate = 0.01 }, data = loader, steps = steps,
            log = false, checkpoint = checkpoint and { folder = folder, every = 1 } or nil }
         if resumed then
            assert.is_true(trainer:resume())
         end
         trainer:run()
         loader:stop()
         return net:getParameters()
      end

      local whole = run(20, 2, 0)
      run(11, 2, 2, true)
      local resumed = run(20, 9, 1, true, true)
      paths.rmall(folder, 'yes')
      assert.is_true(resumed:equal(whole))
      assert.is_false(run(20, 9, 0):equal(whole))
   end)
end)
