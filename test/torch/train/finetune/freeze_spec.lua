-- Parameters that stay as they are, and modules that are exchanged.
local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local raises = require 'test.support.raises'

local function lenet()
   local features = nn.Sequential()
      :add(nn.SpatialConvolution(1, 20, 5, 5)):add(nn.ReLU()):add(nn.SpatialMaxPooling(2, 2))
      :add(nn.SpatialConvolution(20, 50, 5, 5)):add(nn.ReLU()):add(nn.SpatialMaxPooling(2, 2))
   features.name = 'features'
   return nn.Sequential():add(features):add(nn.View(800))
      :add(nn.Linear(800, 500)):add(nn.ReLU()):add(nn.Linear(500, 10)):add(nn.LogSoftMax())
end

describe('frozen parameters', function()
   local function run(net, settings)
      torch.manualSeed(3)
      local all = { model = net, criterion = nn.MSECriterion(), steps = 5, log = false,
         data = { input = torch.randn(12, 3), target = torch.randn(12, 1) },
         optimizer = 'sgd', options = { learningRate = 0.1, momentum = 0.9, weightDecay = 0.1 } }
      for name, value in pairs(settings or {}) do
         all[name] = value
      end
      local made = train.Trainer(all)
      made:run()
      return made
   end

   it('stay, though weights decay, and the others learn as if they were constants', function()
      torch.manualSeed(1)
      local net = nn.Sequential():add(nn.Linear(3, 4)):add(nn.Tanh()):add(nn.Linear(4, 1))
      local head = net:get(3):clone()
      local first = net:get(1):clone()
      assert.equal(16, train.freeze(net, '1'))
      run(net)
      assert.is_true(torch.equal(first.weight, net:get(1).weight))
      assert.is_true(torch.equal(first.bias, net:get(1).bias))
      -- The head alone, on what the frozen part gives.
      torch.manualSeed(3)
      local x, t = torch.randn(12, 3), torch.randn(12, 1)
      local y = nn.Sequential():add(first):add(nn.Tanh()):forward(x):clone()
      run(nn.Sequential():add(head), { data = { input = y, target = t } })
      assert.is_true((head.weight - net:get(3).weight):abs():max() < 1e-12)
   end)

   it('are in no group', function()
      local net = nn.Sequential():add(nn.Linear(3, 4)):add(nn.Linear(4, 1))
      local frozen, other = net:get(1).bias:clone(), net:get(2).bias:clone()
      train.freeze(net, '1')
      run(net, { groups = { { parameters = '*.bias', learningRate = 0 } } })
      assert.is_true(torch.equal(frozen, net:get(1).bias))
      assert.is_true(torch.equal(other, net:get(2).bias))
   end)

   it('are told in summaries, saved with the network, and let go', function()
      local net = nn.Sequential():add(nn.Linear(3, 4)):add(nn.Linear(4, 1))
      train.freeze(net, '*.weight')
      assert.equal(16, train.summary(net:clone(), torch.ones(1, 3)).frozen)
      train.unfreeze(net, '2.weight')
      assert.equal(12, train.summary(net, torch.ones(1, 3)).frozen)
   end)

   it('are found by patterns; what matches nothing is an error', function()
      local net = lenet()
      assert.equal(4, #train.select(net, 'features.*'))
      assert.equal(4, #train.select(net, 'features'))
      assert.equal(2, #train.select(net, 'features.1'))
      assert.equal(1, #train.select(net, '3.bias'))
      raises("train.freeze: no parameter is named '3.wieght'; near: 3.weight", train.freeze, net,
         '3.wieght')
      raises("train.freeze: no parameter is named 'conv1'; there are 3.bias, 3.weight, ",
         train.freeze, net, 'conv1')
      raises('train.select: the pattern is 3, expected a name', train.select, net, 3)
   end)
end)

describe('train.replace', function()
   it('exchanges modules by place or name', function()
      local net = lenet()
      local head = nn.Linear(500, 3)
      assert.equal('nn.Linear', torch.type(train.replace(net, '5', head)))
      assert.same({ 2, 3 }, net:forward(torch.randn(2, 1, 28, 28)):size():totable())
      train.replace(net, 'features.2', nn.Tanh())
      assert.equal('nn.Tanh', torch.type(net:get(1):get(2)))
   end)

   it('names what is not there', function()
      raises('there is no module at featres.2; near: features', train.replace, lenet(),
         'featres.2', nn.Tanh())
      raises('there is no module at 9; there are 1, 2, ', train.replace, lenet(), '9', nn.Tanh())
      raises("is a torch.DoubleTensor, the new one a torch.FloatTensor; "
         .. "new:type('torch.DoubleTensor') converts it", train.replace, lenet(), '5',
         nn.Linear(500, 3):float())
   end)
end)
