local torch = require 'torch'
local nn = require 'nn'
local safetensors = require 'safetensors'
local train = require 'torch.train'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

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

   it('says how names that count from 0 become ours, and that map reads them', function()
      local model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Sequential(nn.Linear(4, 2)))
      local theirs = { ['0.weight'] = torch.randn(4, 3), ['0.bias'] = torch.randn(4),
         ['2.0.weight'] = torch.randn(2, 4), ['2.0.bias'] = torch.randn(2) }
      local message = raises('counts layers from 0, as PyTorch does', train.loadWeights, model,
         theirs)
      local code = message:match '{ map = (.-) } names ours so'
      local from_zero = assert(loadstring('return ' .. code))()
      assert.equal(4, #train.loadWeights(model, theirs, { map = from_zero }))
      assert.is_true(model:get(3):get(1).bias:equal(theirs['2.0.bias']))
      assert.equal('conv1.weight', from_zero 'conv1.weight')
   end)

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

   it('takes ones that are left out for the same order, and no row for a column', function()
      local model = nn.Sequential():add(nn.Linear(4, 1))
      local function load(weight)
         train.loadWeights(model, { ['1.weight'] = weight, ['1.bias'] = torch.zeros(1) })
      end
      raises('1.weight is 1x4, 1.weight in the weights is 4x1', load, torch.ones(4, 1))
      load(torch.range(1, 4))
      assert.same({ { 1, 2, 3, 4 } }, model:get(1).weight:totable())
      load(torch.range(5, 8):view(1, 4, 1, 1))
      assert.same({ { 5, 6, 7, 8 } }, model:get(1).weight:totable())
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

   it('says what maps and weights are', function()
      local model = net()
      for wrong, what in pairs { [5] = '5', fc = "'fc'", [{ 'fc' }] = 'a list of other things',
         [{ { 1, 2 } }] = 'a list of other things' } do
         raises('map is ' .. what .. ", expected { ['1.weight'] = 'fc.weight' }, a list of "
            .. '{ pattern, replacement }, or a function', train.loadWeights, model,
            train.weights(net()), { map = wrong })
      end
      raises("train.weights: map is 'fc'", train.weights, model, { map = 'fc' })
      for _, weights in ipairs { 5, torch.ones(2), model } do
         raises('expected the name of a file, or a table of tensors by name', train.loadWeights,
            model, weights)
      end
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
      raises("there is no option 'mapp'; near: map", train.loadWeights, model, tensors,
         { mapp = {} })
   end)
end)
