-- Training with rounding: values, straight-through gradients, the net on bytes that comes of it.
local torch = require 'torch'
local nn = require 'nn'
local raises = require 'test.support.raises'

describe('nn.FakeQuantize', function()
   it('rounds to the numbers of bytes', function()
      local fake = nn.FakeQuantize():setRange(-1, 1.55)
      fake:evaluate()
      local scale = 2.55 / 255
      local x = torch.DoubleTensor { -2, -0.3333, 0, 0.0049, 0.0051, 1.2345, 3 }
      local y = fake:double():forward(x)
      for i = 1, 7 do
         local code = math.min(math.max(math.floor(x[i] / scale + 0.5) + 100, 0), 255)
         assert.near(scale * (code - 100), y[i], 1e-9)
      end
   end)

   it('follows the range while training, and lets gradients through inside', function()
      local fake = nn.FakeQuantize(0.75)
      fake:forward(torch.Tensor { -1, 3 })
      assert.same({ -1, 3 }, { fake.low, fake.high })
      fake:forward(torch.Tensor { -5, 3 })
      assert.same({ -2, 3 }, { fake.low, fake.high })
      fake:evaluate()
      local x, g = torch.Tensor { -4, -1.5, 2, 5 }, torch.Tensor { 1, 2, 3, 4 }
      fake:forward(x)
      assert.same({ 0, 2, 3, 0 }, fake:backward(x, g):totable())
   end)

   it('says what is wrong', function()
      raises('no range is known yet', function() nn.FakeQuantize():numbers() end)
      raises('expected two numbers, the smaller first', function()
         nn.FakeQuantize():setRange(2, 1)
      end)
      raises('momentum is 1, expected a number from 0 to below 1', function()
         nn.FakeQuantize(1)
      end)
   end)
end)

describe('nn.FakeQuantizedWeight', function()
   it('gives the layer rounded weights, and learns those before rounding', function()
      local layer = nn.Linear(2, 2)
      layer.weight:copy(torch.Tensor { { 1.27, 0.504 }, { -2.54, 0.011 } })
      layer.bias:zero()
      local fake = nn.FakeQuantizedWeight(layer)
      local y = fake:forward(torch.Tensor { 1, 1 })
      assert.near(1.27 + 0.50, y[1], 1e-9)
      assert.near(-2.54 + 0.02, y[2], 1e-9)
      fake:zeroGradParameters()
      fake:backward(torch.Tensor { 1, 2 }, torch.Tensor { 3, 5 })
      local _, gradients = fake:parameters()
      assert.same({ 3, 6 }, gradients[1][1]:totable())
      assert.near(0.504, fake:plain().weight[1][2], 1e-12)
   end)
end)

describe('nn.fakeQuantize', function()
   it('makes a net that learns, and which nn.quantize computes alike', function()
      torch.manualSeed(2)
      local x = torch.FloatTensor(64, 1, 8, 8):uniform(-1, 1)
      local net = nn.Sequential():add(nn.SpatialConvolution(1, 8, 3, 3, 1, 1, 1, 1))
         :add(nn.SpatialBatchNormalization(8)):add(nn.ReLU(true))
         :add(nn.SpatialConvolution(8, 8, 3, 3)):add(nn.ReLU(true)):add(nn.SpatialMaxPooling(2, 2))
         :add(nn.View(-1):setNumInputDims(3)):add(nn.Linear(72, 1)):add(nn.View(-1)):float()
      for _ = 1, 5 do
         net:forward(x)
      end
      local t = net:evaluate() or net:forward(x):clone():mul(2):add(1)
      local fake = nn.fakeQuantize(net, { momentum = 0.9 })
      local criterion = nn.MSECriterion():float()
      local first, last
      for step = 1, 60 do
         fake:zeroGradParameters()
         last = criterion:forward(fake:forward(x), t)
         first = first or last
         fake:backward(x, criterion:backward(fake.output, t))
         fake:updateParameters(step < 50 and 0.02 or 0.002)
      end
      assert.is_true(last < 0.5 * first, ('%g after %g'):format(last, first))
      fake:evaluate()
      local expected = fake:forward(x):clone()
      local small = nn.quantize(fake)
      local far = (small:forward(x) - expected):abs():max() / expected:std()
      assert.is_true(far < 0.05, far)
      assert.equal('nn.QuantizedConvolution', torch.typename(small:get(1)))
      local types = {}
      small:apply(function(module) types[torch.typename(module)] = true end)
      assert.is_true(types['nn.QuantizedLinear'])
      assert.is_nil(types['nn.FakeQuantize'])
      assert.is_nil(types['nn.FakeQuantizedWeight'])
   end)

   it('lets layers share what they learn', function()
      torch.manualSeed(2)
      local words, last = nn.LookupTable(9, 4), nn.Linear(4, 9)
      local net = nn.Sequential():add(words):add(nn.Mean(2)):add(last:share(words, 'weight',
         'gradWeight'))
      local fake = nn.fakeQuantize(net)
      local function tensors()
         local own, weight = {}, nil
         fake:apply(function(module)
            if torch.typename(module) == 'nn.LookupTable' then own[1] = module.weight end
            if torch.typename(module) == 'nn.FakeQuantizedWeight' then
               own[2], weight = module.v, module.weight
            end
         end)
         return own, weight
      end
      assert.equal(9 * 4 + 9, (fake:getParameters()):nElement())
      local x, criterion = torch.LongTensor(5, 3):random(9), nn.MSECriterion()
      local before = tensors()[1]:clone()
      for _ = 1, 2 do
         fake:zeroGradParameters()
         criterion:forward(fake:forward(x), torch.zeros(5, 9))
         fake:backward(x, criterion:backward(fake.output, torch.zeros(5, 9)))
         fake:updateParameters(0.1)
      end
      local own, rounded = tensors()
      assert.is_true(own[1]:isSetTo(own[2]))
      assert.is_false(own[1]:equal(before))
      assert.is_true((own[1] - rounded):abs():max() > 0)
      assert.is_true(words.weight:equal(net:get(3).weight) and words.weight:equal(before))
   end)

   it('says what is wrong', function()
      raises('nn.fakeQuantize: nn.Tanh has no layer that 8-bit numbers could compute', function()
         nn.fakeQuantize(nn.Tanh())
      end)
      raises("there is no option 'perchannel'", function()
         nn.fakeQuantize(nn.Linear(2, 2), { perchannel = true })
      end)
   end)
end)
