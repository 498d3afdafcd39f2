local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local raises = require 'test.support.raises'

describe('train.LossScaler', function()
   it('halves after what is not finite, and doubles after many steps that are', function()
      local scaler = train.LossScaler { scale = 16, interval = 3 }
      local g = torch.FloatTensor { 16, 1 / 0 }
      assert.is_false(scaler:unscale(g))
      scaler:update(false)
      assert.equal(8, scaler.scale)
      for _ = 1, 3 do
         g = torch.FloatTensor { 16, 8 }
         assert.is_true(scaler:unscale(g))
         assert.same({ 2, 1 }, g:totable())
         scaler:update(true)
      end
      assert.equal(16, scaler.scale)
      assert.is_false(scaler:unscale(torch.FloatTensor { 0 / 0 }))
   end)

   it('finds a scale in a training whose gradients overflow', function()
      torch.manualSeed(1)
      local made = train.Trainer {
         model = nn.Sequential():add(nn.Linear(4, 1)), criterion = nn.MSECriterion(),
         device = 'cpu', precision = 'half', steps = 20, log = false,
         options = { learningRate = 1e-6 },
         data = { input = torch.randn(32, 4) * 100, target = torch.randn(32, 1) },
      }
      made:run()
      assert.is_true(made.scaler.scale < 65536)
      assert.equal(20, made.state.t)
      assert.is_true(made.state.epoch > 20) -- one step each; some were left out
   end)

   it('gives up on what no scale helps', function()
      local made = train.Trainer {
         model = nn.Sequential():add(nn.Linear(1, 1)),
         loss = function(model, batch) -- 0, with an infinite slope
            return torch.pow(model:forward(batch.input) * 0, 0.5):mean()
         end,
         device = 'cpu', precision = 'half', log = false,
         data = { input = torch.ones(4, 1) },
         epochs = 100,
      }
      raises('are not finite at any scale of the loss', made.run, made)
   end)

   it('is not blamed for data that are NaN', function()
      local data = { input = torch.ones(8, 1), target = torch.zeros(8, 1), batchSize = 4,
         shuffle = false }
      data.target[7][1] = 0 / 0
      local function trainer(notFinite)
         local net = nn.Sequential():add(nn.Linear(1, 1))
         net:getParameters():zero() -- so no scale is too large
         return train.Trainer {
            model = net, criterion = nn.MSECriterion(),
            device = 'cpu', precision = 'half', log = false, data = data, epochs = 3,
            notFinite = notFinite,
         }
      end
      raises('the loss is NaN at step 2 (epoch 1, batch 2)', function() trainer():run() end)
      local made = trainer 'skip'
      made:run()
      assert.equal(3, made.state.t)
      assert.equal(65536, made.scaler.scale)
   end)
end)
