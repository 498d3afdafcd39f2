-- A Trainer whose network is on several devices: in stages, and placed.
local cuda = require 'test.support.cuda'
if cuda.devices() < 2 then
   return
end

local torch = require 'torch'
local nn = require 'nn'
local cutorch = require 'cutorch'
local train = require 'torch.train'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'
local parameters = require('test.support.split_layers').parameters

local function make()
   torch.manualSeed(3)
   return nn.Sequential():add(nn.Linear(4, 8)):add(nn.Tanh())
      :add(nn.Sequential():add(nn.Linear(8, 8)):add(nn.ReLU())):add(nn.Linear(8, 3))
end

local function data(rows)
   torch.manualSeed(5)
   local x = torch.randn(rows or 22, 4):float()
   local _, classes = x:narrow(2, 1, 3):max(2)
   return { input = x, target = classes:view(-1), batchSize = 8 }
end

local function trainer(settings)
   local all = { model = make(), criterion = nn.CrossEntropyCriterion(), data = data(),
      validation = data(), optimizer = 'adam', options = { learningRate = 0.02 }, epochs = 3,
      clip = 0.5, average = 'ema', metrics = { 'accuracy' }, log = false, seed = 2,
      notFinite = 'error' }
   for name, value in pairs(settings) do
      all[name] = value or nil
   end
   return train.Trainer(all)
end

describe('a Trainer whose network has stages', function()
   before_each(function() cutorch.setDevice(1) end)

   it('trains by a loss of its own', function()
      local criterion = nn.CrossEntropyCriterion():cuda()
      local function run(settings, loss)
         settings.criterion, settings.metrics = false, { 'accuracy' }
         settings.loss = loss or function(model, batch)
            local scores = model:forward(batch.input)
            return criterion:forward(scores, batch.target), scores
         end
         local made = trainer(settings)
         return made, made:run()
      end
      for _, precision in ipairs { 'float', 'half' } do
         local one, wanted = run { device = 'cuda', precision = precision }
         local two, row = run { device = { 1, 2 }, pipeline = 4, precision = precision }
         local limit = precision == 'float' and 2e-5 or 2e-2
         numbers.same(parameters(one.model), parameters(two.model), limit)
         for _, name in ipairs { 'loss', 'accuracy', 'validation.loss', 'validation.accuracy' } do
            assert.near(wanted[name], row[name], 5 * limit, name)
         end
      end
      for text, loss in pairs {
         ['the first stage was given batch.input: call model:forward(batch.input)'] =
            function(model, batch) return model:forward(batch.input * 2):mean() end,
         ['it asks for model.parameters; of a network in stages it has '
            .. 'model:forward(batch.input)'] = function(model) return model:parameters() end,
         ['loss does not call model:forward(batch.input)'] = function() return torch.ones(1) end,
      } do
         raises(text, run, { device = { 1, 2 }, pipeline = 4 }, loss)
      end
      raises('batch 1 has no input, which the first stage is given', run,
         { device = { 1, 2 }, pipeline = 2, validation = false, batchSize = false, data = function()
            return function() return { x = torch.CudaTensor(4, 4) } end
         end })
   end)

   it('trains as on one device, by one more option', function()
      local one, two = trainer { device = 'cpu' }, trainer { device = { 1, 2 }, pipeline = 4 }
      local wanted, row = one:run(), two:run()
      numbers.same(parameters(one.model), parameters(two.model), 2e-5)
      for name, value in pairs(wanted) do
         if name ~= 'seconds' then
            assert.near(value, row[name], 2e-5, name)
         end
      end
      assert.equal('distributed.Pipeline', torch.type(two.state.network))
      assert.equal(2, #two.state.parameters)
      assert.equal(2, two.state.parameters[2]:getDevice())
      assert.near(one:evaluate(data()).loss, two:evaluate(data()).loss, 2e-5)
      assert.equal(1, cutorch.getDevice())
   end)

   -- Batches of 8 in four micro-batches against batches of 2, four of which make a step.
   it('trains as on one device, with every combination of options', function()
      local OPTIONS = {
         { 'precision', { 'float', 'bfloat16', 'half' } },
         { 'groups', { false, { { parameters = '*.bias', learningRate = 0.1 },
            { parameters = '4.weight', weightDecay = 0.5 } } } },
         { 'clip', { false, 0.05, { value = 0.01 } } },
         { 'accumulate', { 1, 2 } },
         { 'frozen', { false, '1' } },
      }
      local count = 0
      local function run(settings, batchSize)
         local all = { model = make(), criterion = nn.CrossEntropyCriterion(), data = data(24),
            optimizer = 'adamw', options = { learningRate = 0.02, weightDecay = 0 }, epochs = 1,
            log = false, seed = 2 }
         for name, value in pairs(settings) do
            all[name] = value or nil
         end
         if all.frozen then
            train.freeze(all.model, all.frozen)
         end
         all.data.batchSize, all.frozen = batchSize, nil
         local made = train.Trainer(all)
         local row = made:run()
         return parameters(made.model), row, made.state
      end
      local function walk(i, settings)
         local option = OPTIONS[i]
         for _, value in ipairs(option and option[2] or {}) do
            settings[option[1]] = value
            walk(i + 1, settings)
         end
         if option then
            return
         end
         settings.device, settings.pipeline = { 1, 2 }, 4
         local found, row, state = run(settings, 8)
         assert.equal('distributed.Pipeline', torch.type(state.network))
         local alone = {}
         for name, value in pairs(settings) do
            alone[name] = value
         end
         alone.device, alone.pipeline, alone.accumulate = 'cuda', false, 4 * settings.accumulate
         local wanted, other = run(alone, 2)
         numbers.same(wanted, found, 2e-6)
         assert.near(other.loss, row.loss, 1e-6)
         assert.equal(other.step, row.step)
         count = count + 1
      end
      walk(1, {})
      assert.equal(72, count)
   end)

   it('computes in the lower type from stage to stage, with weights that are rounded once',
      function()
         local types = {}
         local model = make()
         local two = trainer { model = model, device = { 1, 2 }, pipeline = 4, average = false,
            precision = 'bfloat16', clip = false, steps = 2, epochs = false, validation = false,
            hooks = { onForward = function(state)
               local stage = state.network:get(2):get(1)
               types[#types + 1] = stage:get(1).output:type()
               types[#types + 1] = state.network:get(1).output:type()
            end } }
         two:run()
         assert.same({ 'torch.CudaBFloat16Tensor', 'torch.CudaBFloat16Tensor' },
            { types[1], types[2] })
         local p = model:get(1).weight
         assert.equal('torch.CudaTensor', p:type())
         assert.is_true((p - p:cudaBFloat16():cuda()):abs():max() > 0) -- master weights
         assert.equal('torch.CudaTensor', model:get(1).output:type())
      end)

   it('prunes, and learns from a teacher', function()
      torch.manualSeed(8)
      local teacher = nn.Linear(4, 3)
      local function run(settings)
         settings.pruning = { amount = 0.5, to = 4 }
         settings.distillation = { teacher = teacher:clone(), share = 0.5 }
         local made = trainer(settings)
         return made, made:run()
      end
      local one, wanted = run { device = 'cpu' }
      local two, row = run { device = { 1, 2 }, pipeline = { microBatches = 2 } }
      numbers.same(parameters(one.model), parameters(two.model), 2e-5)
      assert.equal(wanted.sparsity, row.sparsity)
      assert.near(0.5, row.sparsity, 0.02)
   end)

   it('goes on from a checkpoint, which is on the host', function()
      shell.with_folder(function(folder)
         local function new(name, settings)
            settings.checkpoint = { folder = folder .. '/' .. name, every = 4, keep = 9 }
            return trainer(settings)
         end
         local function staged()
            return { device = { 1, 2 }, pipeline = 4, precision = 'bfloat16',
               groups = { { parameters = '*.bias', learningRate = 0.1 } } }
         end
         local whole = new('staged', staged())
         whole:run()
         local again = new('staged', staged())
         assert.is_true(again:resume(4))
         assert.equal(2, again.optimState.groups[6].m:getDevice())
         again:run()
         numbers.same(parameters(whole.model), parameters(again.model), 0)
         local saved = torch.load(folder .. '/staged/step-00000008.t7')
         assert.equal('torch.FloatTensor', saved.model:get(3):get(1).weight:type())
         assert.equal('torch.FloatTensor', saved.model:get(1):type())
         assert.equal('torch.FloatTensor', saved.optimizer.groups[6].m:type())
         assert.equal(3, saved.model:forward(data().input):size(2))
         raises('the parameters are in 2 parts of 40, 99 elements in the checkpoint, and one '
            .. 'vector in the Trainer', function() new('staged', { device = 'cuda' }):resume(4) end)
      end)
   end)

   it('trains part of it, on one of the devices or on both', function()
      local function run(still, settings)
         settings.model = make()
         train.freeze(settings.model, still)
         local made = trainer(settings)
         made:run()
         return parameters(made.model), made.state.parameters
      end
      for still, both in pairs { ['1'] = false, ['4'] = true } do
         local found, own = run(still, { device = { 1, 2 }, pipeline = 4 })
         numbers.same(run(still, { device = 'cpu' }), found, 2e-5)
         assert.equal(both, not torch.isTensor(own))
      end
   end)

   it('takes an nn.Placed', function()
      local one = trainer { device = 'cpu' }
      one:run()
      shell.with_folder(function(folder)
         local function new()
            return trainer { model = nn.Placed(make(), { 1, 2 }), device = 'cuda',
               checkpoint = { folder = folder, every = 4, keep = 9 } }
         end
         local placed = new()
         placed:run()
         numbers.same(parameters(one.model), parameters(placed.model), 2e-5)
         local again = new()
         assert.is_true(again:resume(4))
         again:run()
         numbers.same(parameters(placed.model), parameters(again.model), 0)
      end)
   end)
end)
