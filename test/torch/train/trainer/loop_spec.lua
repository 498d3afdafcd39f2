-- What the loop does with bad numbers, with interruptions and with somebody who looks on.
local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local raises = require 'test.support.raises'

local function linear()
   torch.manualSeed(3)
   return nn.Sequential():add(nn.Linear(2, 1))
end

local function data(n, size)
   torch.manualSeed(9)
   local x = torch.randn(n or 20, 2)
   return { input = x, target = x:sum(2), batchSize = size or 2 }
end

local function trainer(settings)
   local all = { model = linear(), criterion = nn.MSECriterion(), data = data(), log = false,
      options = { learningRate = 0.05 }, seed = 2 }
   for name, value in pairs(settings) do
      all[name] = value or nil
   end
   return train.Trainer(all)
end

describe("a Trainer's loop", function()
   it('ends where a whole epoch gives nothing to learn from', function()
      raises('train.Trainer: no batch of epoch 2 gave a finite loss and gradient', function()
         trainer({ notFinite = 'skip', steps = 20, options = { learningRate = 1e200 },
            data = data(4, 4) }):run()
      end)
   end)

   it('takes no infinite gradient for a finite loss', function()
      local function root(model, batch) -- whose slope at 0 is infinite
         return torch.pow(torch.cmul(model:forward(batch.input), batch.factor), 0.5):mean()
      end
      local x = { input = torch.ones(6, 2), factor = torch.Tensor { 1, 1, 0, 0, 1, 1 }:view(6, 1),
         batchSize = 2, shuffle = false }
      local model = linear()
      model:getParameters():fill(1)
      raises('a gradient is infinite or NaN at step 2 (epoch 1, batch 2)', function()
         trainer({ model = model, criterion = false, loss = root, data = x }):run()
      end)
      model:getParameters():fill(1)
      local made = trainer { model = model, criterion = false, loss = root, data = x,
         notFinite = 'skip', epochs = 1 }
      made:run()
      assert.same({ 2, 1 }, { made.state.t, made.state.skipped })
      assert.equal(made.state.parameters:sum(), made.state.parameters:sum())
   end)

   it('skips or ignores what a criterion would refuse for its loss is NaN', function()
      local x, t = torch.rand(8, 2), torch.Tensor { 1, 0, 1, 0, 1, 0, 1, 0 }:view(8, 1)
      x[5]:fill(50)
      local bce = nn.BCECriterion()
      local function through(model, batch)
         return bce:forward(model:forward(batch.input), batch.target)
      end
      local of = { { criterion = bce }, { criterion = false, loss = through },
         { criterion = nn.MultiCriterion():add(bce) } }
      local function run(case, notFinite)
         local model = linear()
         model:getParameters():fill(0.1)
         case.model, case.notFinite, case.epochs = model, notFinite, 1
         case.data = { input = x, target = t, batchSize = 2, shuffle = false }
         case.validation = case.data
         local made = trainer(case)
         return made, made:run()
      end
      for _, case in ipairs(of) do
         local made, row = run(case, 'skip')
         assert.same({ 3, 1 }, { made.state.t, made.state.skipped })
         assert.equal(row.loss, row.loss)
         assert.is_true(row['validation.loss'] ~= row['validation.loss'])
         made, row = run(case, 'ignore')
         assert.same({ 4, 0 }, { made.state.t, made.state.skipped })
         assert.is_true(row.loss ~= row.loss)
         raises('nn.BCECriterion: input has 1 element outside of 0 to 1', run, case, 'error')
         raises('nn.BCECriterion: input has 1 element outside of 0 to 1', bce.forward, bce,
            torch.Tensor { 2 }, torch.Tensor { 1 }) -- outside of a Trainer as ever
      end
   end)

   it('weighs batches of a step by their samples', function()
      local function run(settings)
         settings.epochs, settings.shuffle = 3, false
         local made = trainer(settings)
         return made:run().loss, made.state.parameters
      end
      local whole, wanted = run { data = data(7, 7) }
      local loss, got = run { data = data(7, 4), accumulate = 2 } -- 4 and 3
      assert.is_true((wanted - got):abs():max() < 1e-14)
      assert.near(whole, loss, 1e-14)
      loss, got = run { data = data(7, 4), accumulate = 2, criterion = false,
         loss = function(model, batch)
            return torch.pow(model:forward(batch.input) - batch.target, 2):mean()
         end }
      assert.is_true((wanted - got):abs():max() < 1e-12)
      assert.near(whole, loss, 1e-12)
   end)

   it('weighs batches of a step by a mean where a criterion has sums and means in it', function()
      local inner = nn.MultiCriterion():add(nn.MSECriterion()):add(nn.L1Cost(), 0.1)
      for _, criterion in ipairs { inner, nn.MultiCriterion():add(inner),
         nn.MultiCriterion():add(nn.MSECriterion()):add(inner) } do
         local x = data(8, 4)
         local made = trainer { criterion = criterion, data = { input = x.input, target = x.target,
            batchSize = 4, shuffle = false }, accumulate = 2, epochs = 1 }
         local wanted = 0
         for first = 1, 5, 4 do
            wanted = wanted + criterion:forward(made.model:forward(x.input:narrow(1, first, 4)),
               x.target:narrow(1, first, 4)) / 2
         end
         assert.near(wanted, made:run().loss, 1e-12)
      end
   end)

   it('counts samples by any field', function()
      local made = trainer { model = linear(), criterion = false, options = { learningRate = 0 },
         data = { x = torch.Tensor { 0, 0, 0, 0, 100 }, batchSize = 4, shuffle = false },
         epochs = 1,
         loss = function(model, batch)
            local zeros = batch.x.new(batch.x:size(1), 2):zero()
            return (model:forward(zeros) * 0 + batch.x:view(-1, 1)):mean()
         end }
      assert.near(20, made:run().loss, 1e-12)
   end)

   it('gives metrics numbers of Variables', function()
      local row = trainer({ criterion = false, epochs = 1, options = { learningRate = 0 },
         loss = function(model, batch)
            local y = model:forward(batch.input)
            return torch.pow(y - batch.target, 2):mean(), y
         end,
         metrics = { mean = function(y)
            assert.is_false(y:isVariable())
            return torch.Variable(y):mean()
         end } }):run()
      assert.equal('number', type(row.mean))
      assert.near(linear():forward(data().input):mean(), row.mean, 1e-12)
   end)

   -- The same training, disturbed after step 3 of 10 an epoch.
   local function disturbed(loader_of, disturb)
      local loader, seen = loader_of(), {}
      local made = trainer { data = loader, epochs = 2,
         model = linear():add(nn.Dropout(0.3)),
         metrics = { rank = train.FunctionMeter(function(y) return y:sum() end) },
         hooks = { onUpdate = function(state)
            seen[#seen + 1] = state.batch
            if state.t % 10 == 3 then
               local loss, sample = state.loss, state.sample
               disturb(state.trainer, loader)
               assert.equal(loss, state.loss)
               assert.equal(sample, state.sample)
            end
         end } }
      local row = made:run()
      return { made.state.parameters, #seen, row.loss, row.rank }
   end

   it('goes on where it was when somebody evaluates, or looks at the network', function()
      local dataset = require 'torch.dataset'
      local d = data()
      local loaders = {
         function() return train.Batches({ input = d.input, target = d.target }, { batchSize = 2 })
         end,
         function() return dataset.Loader { dataset = dataset.Tensors { input = d.input,
            target = d.target }, batchSize = 2, shuffle = true, seed = 3 } end,
      }
      for _, loader_of in ipairs(loaders) do
         local wanted = disturbed(loader_of, function() end)
         assert.equal(20, wanted[2])
         for _, disturb in ipairs {
            function(made, loader) made:evaluate(loader) end,
            function(made) made:summary() end,
            function(made)
               made:evaluate { input = torch.ones(4, 2), target = torch.ones(4, 1) }
            end,
            function(made) made:evaluate(function()
               local i = torch.random(1, 2)
               return function()
                  i = i + 1
                  return i < 4 and { input = torch.randn(2, 2), target = torch.ones(2, 1) } or nil
               end
            end) end,
         } do
            local got = disturbed(loader_of, disturb)
            assert.is_true(torch.equal(wanted[1], got[1]))
            assert.same({ unpack(wanted, 2) }, { unpack(got, 2) })
         end
      end
   end)

   it('ends an epoch with a step of fewer batches, whatever happens in that', function()
      local dataset = require 'torch.dataset'
      local d = data()
      local disturbances = {
         function(made, loader) made:evaluate(loader) end,
         function() error 'interrupted!' end,
      }
      for _, loader in ipairs { train.Batches({ input = d.input, target = d.target },
         { batchSize = 2 }), dataset.Loader { dataset = dataset.Tensors { input = d.input,
         target = d.target }, batchSize = 2, seed = 1 } } do
         for _, disturb in ipairs(disturbances) do
            local batches, once = {}, true
            local made = trainer { data = loader, epochs = 2, accumulate = 4, hooks = {
               onSample = function(state)
                  batches[#batches + 1] = state.training and state.batch or nil
               end,
               onUpdate = function(state)
                  if once and state.batch == 10 then
                     once = false
                     disturb(state.trainer, loader)
                  end
               end } }
            if not pcall(made.run, made) then
               made:run()
            end
            assert.same({ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, batches)
            assert.same({ 6, 2 }, { made.state.t, made.state.epoch })
         end
      end
   end)

   it('goes on behind the batch at which it was interrupted', function()
      local dataset = require 'torch.dataset'
      local d = data()
      local function stream()
         local i = 0
         return function()
            i = i + 1
            return i <= 10 and { input = d.input:narrow(1, 2 * i - 1, 2),
               target = d.target:narrow(1, 2 * i - 1, 2) } or nil
         end
      end
      for _, loader in ipairs { train.Batches({ input = d.input, target = d.target },
         { batchSize = 2 }), stream, dataset.Loader { dataset = dataset.Tensors { input = d.input,
         target = d.target }, batchSize = 2, workers = 1, seed = 1 } } do
         local batches, failed = {}, false
         local made = trainer { data = loader, epochs = 2, hooks = { onSample = function(state)
            batches[#batches + 1] = state.batch
            if state.batch == 4 and not failed then
               failed = true
               error 'interrupted!'
            end
         end } }
         raises('interrupted!', made.run, made)
         made:run()
         assert.same({ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, batches)
         assert.same({ 19, 2 }, { made.state.t, made.state.epoch })
      end
   end)

   it('leaves modules in evaluation that the script has put there', function()
      local net = linear():add(nn.BatchNormalization(1)):add(nn.Dropout(0.5))
      net:get(2):evaluate()
      local mean = net:get(2).running_mean:clone()
      local made = trainer { model = net, epochs = 2, validation = data() }
      made:summary()
      made:run()
      assert.is_true(torch.equal(mean, net:get(2).running_mean))
      assert.is_false(net:get(2).train)
      assert.is_true(net:get(3).train)
   end)

   it('leaves what layers remember alone when it evaluates', function()
      local function run(validation)
         torch.manualSeed(6)
         local lstm = nn.LSTM(2, 1)
         lstm.batchFirst = true
         local made = trainer { model = nn.Sequential():add(lstm:remember()), steps = 9,
            data = { input = torch.randn(12, 3, 2), target = torch.randn(12, 3, 1),
               batchSize = 4, shuffle = false },
            hooks = { onUpdate = function(state)
               if validation then
                  state.trainer:evaluate(validation)
               end
            end } }
         made:run()
         return made.state.parameters
      end
      local wanted = run()
      assert.is_true(torch.equal(wanted, run { input = torch.randn(4, 3, 2),
         target = torch.randn(4, 3, 1) }))
      assert.is_true(torch.equal(wanted, run { input = torch.randn(5, 2, 2),
         target = torch.randn(5, 2, 1) }))
   end)

   it('has meters of its own for validation', function()
      local optim = require 'optim'
      local mine = train.FunctionMeter(function(y) return y:size(1) end)
      local counts = optim.ConfusionMatrix(2)
      local seen = {}
      local made = trainer { model = nn.Sequential():add(nn.Linear(2, 2)):add(nn.LogSoftMax()),
         criterion = nn.ClassNLLCriterion(), epochs = 1,
         data = { input = torch.ones(20, 2), target = torch.ones(20), batchSize = 4 },
         metrics = { mine = mine, counts = counts },
         validation = { input = torch.ones(6, 2), target = torch.ones(6) },
         hooks = { onUpdate = function(state)
            if state.batch == 3 then
               state.trainer:evaluate { input = torch.ones(3, 2), target = torch.ones(3) }
            end
            seen[#seen + 1] = state.trainer.meters[2][2].count
         end } }
      local row = made:run()
      assert.same({ 4, 8, 12, 16, 20 }, seen)
      assert.near(4, row.mine, 1e-12)
      assert.near(6, row['validation.mine'], 1e-12)
      assert.equal(6, counts.mat:sum()) -- the script's object has what was validated
   end)

   it('writes what hooks put into a row', function()
      local rows = {}
      trainer({ epochs = 2, log = { console = false, { add = function(_, row)
         rows[#rows + 1] = row.extra
      end } }, hooks = { onEndEpoch = function(state) state.row.extra = state.epoch * 2 end } })
         :run()
      assert.same({ 2, 4 }, rows)
   end)
end)
