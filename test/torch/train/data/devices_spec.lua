-- A Trainer on several devices.
local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local cuda = require 'test.support.cuda'
local raises = require 'test.support.raises'

if cuda.available then
   describe('a Trainer on several devices', function()
      local x, t = torch.randn(24, 3), torch.LongTensor(24):random(2)
      local function made(settings)
         require 'cunn'
         torch.manualSeed(1)
         local all = { criterion = nn.ClassNLLCriterion(), data = { input = x, target = t },
            model = nn.Sequential():add(nn.Linear(3, 4)):add(nn.Tanh()):add(nn.Linear(4, 2))
               :add(nn.LogSoftMax()), batchSize = 8, shuffle = false,
            optimizer = 'adam', options = { learningRate = 0.05 }, epochs = 3, log = false,
            validation = { input = x, target = t }, metrics = { 'accuracy' } }
         for name, value in pairs(settings) do
            all[name] = value
         end
         local trainer = train.Trainer(all)
         return trainer
      end

      it('learns what one learns, and leaves it in the model', function()
         local one, several = made { device = 'cpu' }, made { device = { 1, 2 } }
         local row, other = one:run(), several:run()
         assert.near(row['validation.loss'], other['validation.loss'], 1e-5)
         assert.equal(row['validation.accuracy'], other['validation.accuracy'])
         local a, b = train.weights(one.model), train.weights(several.model)
         for name, w in pairs(a) do
            assert.is_true((w - b[name]:float()):abs():max() < 1e-5)
         end
      end)

      it('computes in float', function()
         raises("precision = 'half' is for one device", made,
            { device = { 1, 2 }, precision = 'half' })
      end)

      it('names devices that there are none of', function()
         raises('train.Trainer: device is cuda:9, this machine has', made, { device = 'cuda:9' })
         raises('train.Trainer: device is { 1, 9 }, this machine has', made, { device = { 1, 9 } })
      end)
   end)
end
