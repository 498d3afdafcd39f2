-- Networks by name: summaries, freezing, heads, weights of other programs.
local torch = require 'torch'
local nn = require 'nn'
local safetensors = require 'safetensors'
local train = require 'torch.train'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local function lenet()
   local features = nn.Sequential()
      :add(nn.SpatialConvolution(1, 20, 5, 5)):add(nn.ReLU()):add(nn.SpatialMaxPooling(2, 2))
      :add(nn.SpatialConvolution(20, 50, 5, 5)):add(nn.ReLU()):add(nn.SpatialMaxPooling(2, 2))
   features.name = 'features'
   return nn.Sequential():add(features):add(nn.View(800))
      :add(nn.Linear(800, 500)):add(nn.ReLU()):add(nn.Linear(500, 10)):add(nn.LogSoftMax())
end

describe('train.summary', function()
   it('counts what LeNet holds and computes', function()
      local net = lenet():float()
      net:training()
      local s = train.summary(net, torch.FloatTensor(2, 1, 28, 28))
      local rows = {}
      for i, r in ipairs(s.rows) do
         rows[i] = ('%s %s %s %d %d %d'):format(r.path, r.class, r.output, r.parameters,
            r.multiplyAdds, r.memory)
      end
      -- For each of 2 images: 24 x 24 places of 20 planes by 25 products; 8 x 8 of 50 by 20 x 25.
      assert.same({
         'features.1 nn.SpatialConvolution 2x20x24x24 520 576000 92160',
         'features.2 nn.ReLU 2x20x24x24 0 0 92160',
         'features.3 nn.SpatialMaxPooling 2x20x12x12 0 0 23040',
         'features.4 nn.SpatialConvolution 2x50x8x8 25050 3200000 25600',
         'features.5 nn.ReLU 2x50x8x8 0 0 25600',
         'features.6 nn.SpatialMaxPooling 2x50x4x4 0 0 6400',
         '2 nn.View 2x800 0 0 0',
         '3 nn.Linear 2x500 400500 800000 4000',
         '4 nn.ReLU 2x500 0 0 4000',
         '5 nn.Linear 2x10 5010 10000 80',
         '6 nn.LogSoftMax 2x10 0 0 80',
      }, rows)
      assert.same({ 431080, 4 * 431080, 4586000 }, { s.parameters, s.parameterMemory,
         s.multiplyAdds })
      assert.is_true(net.train)
      local text = tostring(s)
      assert.matches('layer +class +output +parameters +multiply%-adds +memory\n', text)
      assert.matches('\n431,080 parameters %(1%.6 MiB%), 0 of them frozen; 4,586,000 '
         .. 'multiply%-adds',
         text)
   end)

   it('counts a transposed convolution by its inputs, and groups', function()
      local function of(layer, ...)
         return train.summary(layer, torch.randn(...)).multiplyAdds
      end
      assert.equal(3 * 5 * 7 * 4 * 2 * 2, of(nn.SpatialFullConvolution(3, 4, 2, 2, 2, 2),
         1, 3, 5, 7))
      assert.equal(8 * 6, of(nn.Linear(6, 8), 6))
      assert.equal(2 * 9 * 4 * 3 * 2, of(nn.TemporalConvolution(3, 4, 2), 2, 10, 3))
   end)

   it('counts the gates of each step of a sequence, and the projections of attention', function()
      -- 3 sequences of 4 steps: four gates from 6 + 5 numbers, then from 5 + 5.
      local s = train.summary(nn.LSTM(6, 5, 2), torch.randn(3, 4, 6))
      assert.equal(3 * 4 * (4 * 5 * (6 + 5) + 4 * 5 * (5 + 5)), s.multiplyAdds)
      s = train.summary(nn.MultiHeadAttention(8, 2), torch.randn(3, 4, 8))
      assert.equal(3 * 4 * 4 * 8 * 8, s.multiplyAdds)
   end)

   it('counts a layer that is used twice twice, its parameters once', function()
      local layer = nn.Linear(4, 4)
      local net = nn.Sequential():add(layer):add(layer)
      local s = train.summary(net, torch.randn(3, 4))
      assert.same({ 20, 96, 2 }, { s.parameters, s.multiplyAdds, s.rows[1].calls })
   end)

   it('leaves statistics and errors as they come', function()
      local net = nn.Sequential():add(nn.BatchNormalization(3))
      train.summary(net, torch.randn(4, 3) + 7)
      assert.equal(0, net:get(1).running_mean:abs():max())
      raises('nn.Linear: input is 2x4', train.summary, nn.Sequential():add(nn.Linear(3, 1)),
         torch.ones(2, 4))
      assert.equal(0, #train.summary(nn.Sequential():add(nn.Tanh()), torch.ones(1)).rows - 1)
      raises('train.summary: input is missing', train.summary, net)
      raises('train.summary: expected a network, got 3', train.summary, 3)
   end)
end)

describe('names of tensors', function()
   it('are places and names of modules, and shared ones come once', function()
      local first = nn.Linear(2, 2)
      local twin = nn.Linear(2, 2)
      twin.weight = first.weight
      twin.gradWeight = first.gradWeight
      first.name = 'first'
      local net = nn.Sequential():add(first):add(nn.ConcatTable():add(twin)
         :add(nn.BatchNormalization(2)))
      local names = {}
      for i, entry in ipairs(train.tensors(net)) do
         names[i] = entry.name
      end
      assert.same({ 'first.bias', 'first.weight', '2.1.bias', '2.2.bias', '2.2.running_mean',
         '2.2.running_var', '2.2.weight' }, names)
   end)

   it('name each parameter of each kind of layer', function()
      for _, net in ipairs { nn.LSTM(3, 4), nn.MultiHeadAttention(4, 2), nn.LookupTable(5, 3),
         nn.TransformerEncoder(1, 4, 2, 8) } do
         local count, own = 0, 0
         for _, entry in ipairs(train.tensors(net)) do
            assert.not_matches('^parameter', entry.name)
            count = count + (entry.gradient and entry.tensor:nElement() or 0)
         end
         for _, p in ipairs(net:parameters()) do
            own = own + p:nElement()
         end
         assert.equal(own, count)
      end
   end)
end)

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
      raises('train.select: the pattern is 3, expected a name', train.select, net, 3)
   end)
end)

describe('train.refreshStatistics', function()
   it('makes them the means over the batches', function()
      torch.manualSeed(9)
      local x = torch.randn(12, 3) * 2 + 5
      local net = nn.Sequential():add(nn.Linear(3, 4)):add(nn.BatchNormalization(4))
      for _ = 1, 7 do
         net:forward(torch.randn(5, 3) * 100)
      end
      assert.equal(1, train.refreshStatistics(net, { input = x, batchSize = 4 }))
      local layer, y = net:get(2), nn.Sequential():add(net:get(1)):forward(x):clone()
      local mean, variance = torch.zeros(4), torch.zeros(4)
      for i = 1, 9, 4 do
         mean:add(1 / 3, y:narrow(1, i, 4):mean(1):view(-1))
         variance:add(1 / 3, y:narrow(1, i, 4):var(1):view(-1))
      end
      assert.is_true((layer.running_mean - mean):abs():max() < 1e-9)
      assert.is_true((layer.running_var - variance):abs():max() < 1e-9)
      assert.equal(0.1, layer.momentum)
      assert.is_false(layer.train)
   end)

   it('names what it cannot use, and leaves momentum alone', function()
      local net = nn.Sequential():add(nn.BatchNormalization(4))
      raises('train.refreshStatistics: batch 1 has no input', train.refreshStatistics, net,
         { x = torch.ones(2, 4) })
      raises('nn.BatchNormalization', train.refreshStatistics, net, { input = torch.ones(2, 3) })
      assert.equal(0.1, net:get(1).momentum)
      assert.equal(0, train.refreshStatistics(nn.Sequential():add(nn.Tanh()),
         { input = torch.ones(1) }))
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
      raises("is a torch.DoubleTensor, the new one a torch.FloatTensor; "
         .. "new:type('torch.DoubleTensor') converts it", train.replace, lenet(), '5',
         nn.Linear(500, 3):float())
   end)
end)

describe('train.loadWeights', function()
   local function file(folder)
      local path = folder .. '/net.safetensors'
      torch.manualSeed(5)
      safetensors.save(path, { ['conv.weight'] = torch.randn(2, 1, 3, 3):float(),
         ['conv.bias'] = torch.randn(2):float(), ['bn.weight'] = torch.randn(2):float(),
         ['bn.bias'] = torch.randn(2):float(), ['bn.running_mean'] = torch.randn(2):float(),
         ['bn.running_var'] = torch.rand(2):float(),
         ['bn.num_batches_tracked'] = torch.LongTensor { 7 } })
      return path
   end
   local function net()
      return nn.Sequential():add(nn.SpatialConvolution(1, 2, 3, 3))
         :add(nn.SpatialBatchNormalization(2))
   end
   local map = { { '^1%.', 'conv.' }, { '^2%.', 'bn.' } }

   it("reads a state_dict's tensors by a map of names", function()
      shell.with_folder(function(folder)
         local model, path = net(), file(folder)
         local found, unused = train.loadWeights(model, path, { map = map })
         assert.equal(6, #found)
         assert.same({ 'bn.num_batches_tracked' }, unused)
         local given = safetensors.load(path)
         assert.is_true((model:get(1).weight:float():view(2, 1, 3, 3) - given['conv.weight'])
            :abs():max() == 0)
         assert.is_true(torch.equal(model:get(2).running_var:float(), given['bn.running_var']))
         for _, other in ipairs { function(name) return (name:gsub('^1', 'conv'):gsub('^2',
            'bn')) end,
            { ['1.weight'] = 'conv.weight', ['1.bias'] = 'conv.bias', ['2.weight'] = 'bn.weight',
               ['2.bias'] = 'bn.bias', ['2.running_mean'] = 'bn.running_mean',
               ['2.running_var'] = 'bn.running_var' } } do
            local again = net()
            train.loadWeights(again, path, { map = other })
            assert.is_true(torch.equal(model:get(1).weight, again:get(1).weight))
         end
      end)
   end)

   it("computes what PyTorch's net does, of its file (written by pytorch.py)", function()
      local path = 'test/data/train/pytorch.safetensors'
      local features = nn.Sequential():add(nn.SpatialConvolution(2, 4, 3, 3, 1, 1, 1, 1))
         :add(nn.SpatialBatchNormalization(4)):add(nn.ReLU()):add(nn.SpatialMaxPooling(2, 2))
         :add(nn.SpatialConvolution(4, 6, 3, 3, 2, 2):noBias()):add(nn.Tanh())
         :add(nn.View(6))
      features.name = 'features'
      local words = nn.LookupTable(7, 6)
      words.name = 'embedding'
      local head = nn.Linear(6, 3)
      head.name = 'classifier'
      local model = nn.Sequential():add(nn.ParallelTable():add(features):add(words))
         :add(nn.CAddTable()):add(head):add(nn.LogSoftMax()):float()
      local _, unused = train.loadWeights(model, path, { map = {
         { '^1%.features%.(%d+)', function(i) return 'features.' .. i - 1 end }, -- from 0 there
         { '^1%.embedding', 'embedding' },
      } })
      assert.same({ 'features.1.num_batches_tracked', 'sample.output', 'sample.words', 'sample.x' },
         unused)
      local sample = safetensors.load(path)
      model:evaluate()
      local y = model:forward { sample['sample.x'], sample['sample.words'] + 1 }
      assert.is_true((y - sample['sample.output']):abs():max() < 1e-5)
   end)

   it('writes what it reads', function()
      local a, b = net(), net()
      train.loadWeights(b, train.weights(a))
      assert.is_true(torch.equal(a:get(1).weight, b:get(1).weight))
   end)

   it('reads all or nothing, and says which does not fit', function()
      local model = net()
      local before = model:get(1).bias:clone()
      local tensors = train.weights(net())
      tensors['2.bias'] = torch.ones(3)
      raises('train.loadWeights: 2.bias is 2, 2.bias in the weights is 3', train.loadWeights, model,
         tensors)
      assert.is_true(torch.equal(before, model:get(1).bias))
      tensors['2.bias'] = nil
      raises('there is no 2.bias in the weights, for 2.bias; near: ', train.loadWeights, model,
         tensors)
      assert.equal(5, #train.loadWeights(model, tensors, { strict = false }))
      raises('there is no option mapp; near: map', train.loadWeights, model, tensors, { mapp = {} })
   end)
end)
