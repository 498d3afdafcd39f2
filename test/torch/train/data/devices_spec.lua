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

      for name, eps in pairs { bfloat16 = 2 ^ -8, half = 2 ^ -11 } do
         it('learns in lower precision what one learns: ' .. name, function()
            -- Each sample is rounded as on one device; what differs is the sums of the parts.
            local one = made { device = 'cuda:1', precision = name }
            local several = made { device = { 1, 2 }, precision = name }
            local float = made { device = 'cuda:1' }
            local row, other, wanted = one:run(), several:run(), float:run()
            assert.near(row['validation.loss'], other['validation.loss'], 8 * eps)
            assert.near(wanted['validation.loss'], other['validation.loss'], 16 * eps)
            assert.not_equal(wanted['validation.loss'], other['validation.loss'])
            assert.equal('torch.CudaTensor', torch.type(several.state.parameters))
            assert.equal(one.state.t, several.state.t)
         end)
      end

      it('has each replica compute in the lower type', function()
         local several = made { device = { 1, 2 }, precision = 'bfloat16', epochs = 1 }
         local seen = {}
         several.engine:add { onForward = function(_, state)
            for i, replica in ipairs(state.network.modules) do
               local output = replica:get(1).output
               seen[i] = ('%s on %d'):format(torch.type(output), output:getDevice())
            end
         end }
         several:run()
         assert.same({ 'torch.CudaBFloat16Tensor on 1', 'torch.CudaBFloat16Tensor on 2' }, seen)
      end)

      it('names devices that there are none of', function()
         raises('train.Trainer: device is cuda:9, this machine has', made, { device = 'cuda:9' })
         raises('train.Trainer: device is { 1, 9 }, this machine has', made, { device = { 1, 9 } })
      end)
   end)
end
