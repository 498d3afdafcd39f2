local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local cuda = require 'test.support.cuda'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

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

describe('a layer of which a part is frozen', function()
   it('computes in lower precision with what the other part has learnt', function()
      torch.manualSeed(3)
      local x = torch.randn(16, 4):float()
      for _, field in ipairs { 'weight', 'bias' } do
         local function run(precision)
            torch.manualSeed(5)
            local net = nn.Sequential():add(nn.Linear(4, 1)):float()
            train.freeze(net, '1.' .. field)
            return train.Trainer({ model = net, criterion = nn.MSECriterion():float(),
               device = 'cpu', precision = precision, epochs = 40, log = false,
               options = { learningRate = 0.1 }, data = { input = x, target = x:sum(2) + 3 },
            }):run().loss
         end
         assert.near(run(), run 'bfloat16', 0.05)
      end
   end)
end)

if cuda.devices() >= 2 then
   describe('replicas on several devices', function()
      it('are evaluated with the statistics that the network keeps', function()
         require 'cunn'
         torch.manualSeed(3)
         local x = torch.randn(24, 4):float()
         local t = x:sum(2)
         local made = train.Trainer { criterion = nn.MSECriterion(), seed = 1, epochs = 2,
            model = nn.Sequential(nn.Linear(4, 6), nn.BatchNormalization(6), nn.Linear(6, 1)),
            device = { 1, 2 }, data = { input = x, target = t, batchSize = 8 }, log = false,
            validation = { input = x, target = t } }
         local loss = made:run()['validation.loss']
         made.model:evaluate()
         local y = made.model:forward(x:cuda()):float()
         assert.near(nn.MSECriterion():float():forward(y, t), loss, 1e-5)
      end)

      it('in lower precision go on after a checkpoint as if there was none', function()
         require 'cunn'
         torch.manualSeed(3)
         local x = torch.randn(24, 4)
         local function run(folder)
            torch.manualSeed(5)
            return train.Trainer({ criterion = nn.MSECriterion(), seed = 1, epochs = 2, log = false,
               model = nn.Sequential(nn.Linear(4, 6), nn.BatchNormalization(6), nn.Linear(6, 1)),
               device = { 1, 2 }, precision = 'bfloat16',
               data = { input = x, target = x:sum(2), batchSize = 8 },
               checkpoint = folder and { folder = folder, every = 1 } or nil }):run().loss
         end
         shell.with_folder(function(folder)
            assert.equal(run(), run(folder))
         end)
      end)
   end)
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

      it('has its casts in the same memory at every step, of batches of any size', function()
         local precision = train.Precision(net, 'bfloat16')
         local last = net:get(net:size())
         local function gradients(p, count)
            p:attach()
            net:zeroGradParameters()
            local part = x:narrow(1, 1, count)
            net:forward(part)
            net:backward(part, torch.ones(count, 3):type(place[2]))
            local result = {}
            for i, g in ipairs(select(2, net:parameters())) do
               result[i] = g:float():clone()
            end
            return result, p.memory[last].input
         end
         local whole, cast = gradients(precision, 16)
         for _, count in ipairs { 5, 16 } do
            local now, again = gradients(precision, count)
            assert.is_true(rawequal(cast, again))
            assert.equal(count, again:size(1))
            precision:detach()
            local other = train.Precision(net, 'bfloat16')
            local wanted = gradients(other, count)
            other:detach()
            for i, g in ipairs(wanted) do
               assert.is_true(g:equal(now[i]), 'gradient ' .. i)
               assert.is_true(count < 16 or g:equal(whole[i]))
            end
            local _
            _, cast = gradients(precision, 16)
         end
         precision:detach()
      end)

      it('remembers and forgets in recurrent layers as they do', function()
         local lstm = nn.LSTM(3, 4):remember():type(place[2])
         local inputs = torch.randn(5, 2, 3):type(place[2])
         local wanted = { lstm:forward(inputs):clone(), lstm:forward(inputs):clone() }
         local around = nn.Sequential():add(lstm:forget()):type(place[2])
         local precision = train.Precision(around, 'bfloat16')
         precision:attach()
         for _ = 1, 2 do
            for i = 1, 2 do
               assert.is_true(distance(around:forward(inputs), wanted[i]) < 0.03)
            end
            assert.is_true(distance(wanted[2], wanted[1]) > 0.1)
            lstm:forget()
         end
         precision:detach()
         lstm:forget():forward(inputs)
         assert.is_true(distance(lstm:forward(inputs), wanted[2]) < 1e-6)
      end)

      it('rounds weights of a file at each call, as other processes may write them', function()
         shell.with_folder(function(folder)
            local layer = nn.Linear(3, 2):float()
            local function map()
               return torch.FloatTensor(torch.FloatStorage(folder .. '/w', true, 6)):view(2, 3)
            end
            layer.weight = map():zero()
            layer.bias:zero()
            local precision = train.Precision(layer, 'bfloat16')
            precision:attach()
            local ones = torch.FloatTensor(1, 3):fill(1)
            assert.equal(0, layer:forward(ones):float():max())
            map():fill(2) -- other pages of the same file
            assert.equal(6, layer:forward(ones):float():max())
            precision:detach()
         end)
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

   it('drop nothing in evaluation, whatever is within them', function()
      torch.manualSeed(2)
      local net = sequential(nn.MultiHeadAttention(8, 2, false, 0.5)):float()
      local x = rows:uniform()
      local precision = train.Precision(net, 'bfloat16')
      precision:attach()
      net:training()
      local first = net:forward(x):clone()
      assert.is_false(torch.equal(first, net:forward(x)))
      net:evaluate()
      first = net:forward(x):clone()
      assert.is_true(torch.equal(first, net:forward(x)))
      precision:detach()
      assert.is_true(distance(net:forward(x), first) < 0.02)
   end)

   it('take part in losses of Variables', function()
      local x, losses = torch.randn(60, 3), {} -- the last batch has 12 rows
      for i, name in ipairs { 'float', 'bfloat16', 'half' } do
         torch.manualSeed(2)
         local made = train.Trainer {
            model = sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1)),
            loss = function(model, batch)
               return torch.pow(model:forward(batch.x) - batch.t, 2):mean()
            end,
            data = { x = x, t = x:sum(2), batchSize = 16, shuffle = false }, log = false,
            validation = { x = x, t = x:sum(2), batchSize = 7 },
            options = { learningRate = 0.1 }, device = 'cpu', precision = name, epochs = 5,
         }
         losses[i] = made:run().loss
      end
      assert.is_true(losses[1] < 0.5)
      assert.near(losses[1], losses[2], 0.03)
      assert.near(losses[1], losses[3], 0.03)
      assert.not_equal(losses[1], losses[2])
   end)

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
