local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local cuda = require 'test.support.cuda'
local raises = require 'test.support.raises'

-- What a network is made of in practice: convolutions, branches, normalisation, a table.
local function residual()
   local inner = nn.Sequential():add(nn.SpatialConvolution(4, 4, 3, 3, 1, 1, 1, 1))
      :add(nn.SpatialBatchNormalization(4)):add(nn.ReLU(true))
   return nn.Sequential():add(nn.SpatialConvolution(1, 4, 3, 3)):add(nn.ReLU(true))
      :add(nn.ConcatTable():add(inner):add(nn.Identity())):add(nn.CAddTable())
      :add(nn.Concat(2):add(nn.SpatialMaxPooling(2, 2)):add(nn.SpatialAveragePooling(2, 2, 2, 2)))
      :add(nn.View(8 * 3 * 3)):add(nn.Dropout(0)):add(nn.Linear(72, 3)):add(nn.LogSoftMax())
end

local function pass(net, x, t, precision)
   local criterion = nn.ClassNLLCriterion():type(net:type())
   if precision then
      precision:attach()
   end
   net:training()
   net:zeroGradParameters()
   local loss = criterion:forward(net:forward(x), t)
   net:backward(x, criterion:backward(net.output, t))
   local gradients = {}
   for i, g in ipairs(select(2, net:parameters())) do
      gradients[i] = g:float():clone()
   end
   local types = {}
   for i, module in ipairs(net:listModules()) do
      types[i] = torch.isTensor(module.output) and torch.type(module.output) or 'table'
   end
   if precision then
      precision:detach()
   end
   return loss, gradients, types
end

local function distance(a, b)
   return (a - b):norm() / b:norm()
end

local places = { { 'the CPU', 'torch.FloatTensor', 'torch.BFloat16Tensor', 'torch.HalfTensor' } }
if cuda.available then
   places[2] = { 'a device', 'torch.CudaTensor', 'torch.CudaBFloat16Tensor',
      'torch.CudaHalfTensor' }
end

for _, place in ipairs(places) do
   describe('train.Precision on ' .. place[1], function()
      local net, x, t
      before_each(function()
         if place[2]:find 'Cuda' then
            require 'cunn'
         end
         torch.manualSeed(8)
         net, x = residual():type(place[2]), torch.randn(16, 1, 8, 8):type(place[2])
         t = torch.LongTensor(16):random(3)
         t = place[2]:find 'Cuda' and t:cudaLong() or t
      end)

      for i, name in ipairs { 'bfloat16', 'half' } do
         it('gives loss and gradients of float up to rounding: ' .. name, function()
            local loss, gradients = pass(net:clone(), x, t)
            local low_loss, low, types = pass(net, x, t, train.Precision(net, name))
            local eps = i == 1 and 2 ^ -8 or 2 ^ -11
            assert.near(loss, low_loss, 8 * eps * loss)
            for k, g in ipairs(gradients) do
               -- The bias in front of a normalisation has no gradient but rounding.
               if g:norm() > 1e-4 then
                  assert.is_true(distance(low[k], g) < 40 * eps, 'gradient ' .. k)
               end
            end
            -- Not by way of float: convolutions, activations and products are of the low type.
            local seen = {}
            for k, module in ipairs(net:listModules()) do
               seen[torch.type(module)] = types[k]
            end
            assert.equal(place[2 + i], seen['nn.SpatialConvolution'])
            assert.equal(place[2 + i], seen['nn.Linear'])
            assert.equal(place[2], seen['nn.LogSoftMax'])
            assert.equal(place[2], seen['nn.SpatialBatchNormalization'])
            assert.equal(place[2], types[1])
         end)
      end

      it('leaves the network as it was', function()
         local wanted = pass(net:clone(), x, t)
         local precision = train.Precision(net, 'bfloat16')
         pass(net, x, t, precision)
         for _, module in ipairs(net:listModules()) do
            if torch.isTensor(module.output) then
               assert.equal(place[2], torch.type(module.output))
            end
         end
         assert.near(wanted, pass(net, x, t), 1e-6)
      end)

      it('rounds weights anew after each step', function()
         local precision = train.Precision(net, 'bfloat16')
         pass(net, x, t, precision)
         precision:attach()
         local linear = net:get(8)
         for _ = 1, 2 do
            linear.weight:fill(0)
            linear.bias:fill(5)
            net:forward(x)
            assert.is_true((linear.output:float() - 5):abs():max() == 0)
            linear.bias:fill(3)
            linear.weight:fill(0)
            net:forward(x)
            assert.is_true((linear.output:float() - 3):abs():max() == 0)
         end
         precision:detach()
      end)

      it('trains as float does', function()
         local losses = {}
         for i, name in ipairs { 'float', 'bfloat16', 'half' } do
            torch.manualSeed(2)
            local made = train.Trainer {
               model = residual(), criterion = nn.ClassNLLCriterion(), precision = name,
               device = place[2]:find 'Cuda' and 'cuda' or 'cpu', optimizer = 'adam', seed = 4,
               options = { learningRate = 1e-2 }, log = false, steps = 30,
               data = { input = x:double(), target = t:long(), batchSize = 8 },
            }
            made:run()
            losses[i] = made:evaluate({ input = x, target = t }).loss
            assert.equal(place[2], torch.type(made.state.parameters))
         end
         assert.is_true(losses[1] < 0.5)
         assert.near(losses[1], losses[2], 0.25)
         assert.near(losses[1], losses[3], 0.25)
      end)
   end)
end

describe('train.Precision', function()
   it('refuses what it cannot do', function()
      raises('the model is a torch.DoubleTensor, expected floats', train.Precision,
         nn.Linear(2, 2), 'half')
      raises("precision is 'bf16', expected 'bfloat16' or 'half'", train.Precision,
         nn.Linear(2, 2):float(), 'bf16')
      raises("precision = 'half' wants to know the device", train.Trainer, {
         model = nn.Linear(2, 2), criterion = nn.MSECriterion(), precision = 'half',
         data = { input = torch.ones(1, 2), target = torch.ones(1, 2) } })
   end)
end)

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
         model = nn.Sequential():add(nn.Linear(1, 1)), criterion = nn.MSECriterion(),
         device = 'cpu', precision = 'half', log = false,
         data = { input = torch.ones(4, 1), target = torch.Tensor(4, 1):fill(0 / 0) },
         epochs = 100,
      }
      raises('are not finite at any scale of the loss', made.run, made)
   end)
end)

describe('layers in lower precision', function()
   local rows = torch.FloatTensor(4, 6, 8)
   local flat = torch.FloatTensor(24, 8)
   local function sequential(...)
      local net = nn.Sequential()
      for _, module in ipairs { ... } do
         net:add(module)
      end
      return net
   end
   local function twice(layer)
      return sequential(nn.ConcatTable():add(layer):add(layer:clone()), nn.CMulTable())
   end
   local nets = {
      LSTM = { sequential(nn.LSTM(8, 5), nn.View(-1, 5), nn.Linear(5, 2)), rows },
      Transformer = { sequential(nn.TransformerEncoder(1, 8, 2, 16, 0), nn.View(-1, 8),
         nn.Linear(8, 2)), rows },
      Bottle = { sequential(nn.Bottle(nn.Linear(8, 3)), nn.Tanh()), rows },
      Parallel = { nn.Parallel(1, 2):add(nn.Linear(8, 2)):add(nn.Linear(8, 2))
         :add(nn.Linear(8, 2)):add(nn.Linear(8, 2)), rows },
      MM = { sequential(nn.ConcatTable():add(nn.Identity()):add(nn.Bottle(nn.Linear(8, 8))),
         nn.MM(false, true), nn.Bottle(nn.SoftMax())), rows },
      WeightNorm = { sequential(nn.WeightNorm(nn.Linear(8, 3)), nn.ReLU()), flat },
      branches = { sequential(twice(nn.Linear(8, 4)), twice(nn.Linear(4, 3))), flat },
   }
   for name, case in pairs(nets) do
      it('come out as in float up to rounding: ' .. name, function()
         torch.manualSeed(6)
         local net, x = case[1]:float(), case[2]:uniform()
         net:apply(function(m) m:reset() end)
         local y = net:forward(x):clone()
         net:zeroGradParameters()
         net:backward(x, y)
         -- All together: of some the gradient is nothing but rounding (a bias of keys).
         local function gradient()
            local list = {}
            for i, g in ipairs(select(2, net:parameters())) do
               list[i] = g:clone():view(-1)
            end
            return torch.cat(list)
         end
         local wanted = gradient()
         local precision = train.Precision(net, 'bfloat16')
         precision:attach()
         for _ = 1, 2 do -- the second time, buffers are there
            net:zeroGradParameters()
            assert.is_true(distance(net:forward(x), y) < 0.02)
            net:backward(x, y)
         end
         precision:detach()
         assert.is_true(distance(gradient(), wanted) < 0.03)
      end)
   end

   it('are named as they are called', function()
      local types = require 'torch.train.precision.types'
      for _, set in pairs(types) do
         for name in pairs(set) do
            assert.is_truthy(name:match '^cudnn' or nn[name:match '[^.]+$'] or
               name == 'nn.SpatialLogSoftMax' or name == 'nn.LinearNoBias', name)
         end
      end
   end)
end)
