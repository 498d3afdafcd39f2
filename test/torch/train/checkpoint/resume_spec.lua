local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local train = require 'torch.train'
local cuda = require 'test.support.cuda'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'
local training = require 'test.torch.train.checkpoint.training'

local trainer = training.trainer

local function weights(made)
   local list = {}
   for _, entry in ipairs(train.tensors(made.model)) do
      list[#list + 1] = entry.tensor:double():view(-1)
   end
   return torch.cat(list)
end

local function resumes_everywhere(settings_of)
   shell.with_folder(function(folder)
      local whole = trainer(folder .. '/whole', settings_of())
      whole:run()
      local wanted = weights(whole)
      for step = 1, 10 do
         local again = trainer(folder .. '/whole', settings_of())
         torch.manualSeed(step) -- whatever was drawn meanwhile
         assert.is_true(again:resume(step))
         assert.equal(step, again.state.t)
         again:run()
         assert.is_true(torch.equal(wanted, weights(again)), 'from step ' .. step)
         assert.equal(#whole.history, #again.history)
         for i, row in ipairs(whole.history) do
            assert.equal(row.loss, again.history[i].loss)
            assert.equal(row['validation.accuracy'], again.history[i]['validation.accuracy'])
         end
      end
   end)
end

describe('a Trainer that is resumed', function()
   it('ends with the bits of one that was not, from every step', function()
      resumes_everywhere(function()
         return { steps = 11, validation = training.data(), metrics = { 'accuracy' }, clip = 1,
            average = 'ema', schedule = optim.schedule.plateau { patience = 0 },
            checkpoint = nil }
      end)
   end)

   it('so with pieces of batches, and a stream that cannot tell its place', function()
      resumes_everywhere(function()
         local d = training.data()
         return { steps = 11, accumulate = 2, data = function()
            local order, i = torch.randperm(20):long(), 0
            return function()
               i = i + 1
               local some = i <= 5 and order:narrow(1, 4 * i - 3, 4) or nil
               return some and { input = d.input:index(1, some), target = d.target:index(1, some) }
            end
         end }
      end)
   end)

   it('so with a loader whose workers augment', function()
      local loaders = {}
      resumes_everywhere(function()
         local dataset = require 'torch.dataset'
         local d = training.data()
         local loader = dataset.Loader {
            dataset = dataset.Tensors { input = d.input, target = d.target }, batchSize = 6,
            shuffle = true, workers = 2, seed = 5,
            transform = function(sample)
               sample.input = sample.input + require('torch').randn(4) * 0.1
               return sample
            end,
         }
         loaders[#loaders + 1] = loader
         return { steps = 11, data = loader }
      end)
      for _, loader in ipairs(loaders) do
         loader:stop()
      end
   end)

   it('so with a stream that draws, and any number of workers', function()
      local dataset = require 'torch.dataset'
      local function drawn() -- a new order and new noise each time
         local d = training.data()
         local order, i = torch.randperm(20), 0
         return function()
            i = i + 1
            local k = i <= 20 and order[i]
            return k and { input = d.input[k] + torch.randn(4) * 0.1, target = d.target[k] } or nil
         end
      end
      local results = {}
      for _, count in ipairs { 0, 1, 2, 1 } do
         local loaders = {}
         local function settings()
            local loader = dataset.Loader { dataset = drawn, batchSize = 6, workers = count,
               seed = 5, types = { target = 'torch.LongTensor' } }
            loaders[#loaders + 1] = loader
            return { steps = 11, data = loader }
         end
         shell.with_folder(function(folder)
            local made = trainer(folder, settings())
            made:run()
            results[#results + 1] = weights(made)
         end)
         if count == 1 and #results == 2 then
            resumes_everywhere(settings)
         end
         for _, loader in ipairs(loaders) do
            loader:stop()
         end
      end
      for i = 2, #results do
         assert.is_true(torch.equal(results[1], results[i]), 'run ' .. i)
      end
   end)

   it('so where the last step of an epoch has fewer batches than the others', function()
      local dataset = require 'torch.dataset'
      local d = training.data()
      local set = dataset.Tensors { input = d.input, target = d.target }
      resumes_everywhere(function() -- of four batches a step of three, and one of one
         return { steps = 11, accumulate = 3, data = dataset.Loader { batchSize = 6, seed = 5,
            dataset = set, shuffle = true } }
      end)
      resumes_everywhere(function()
         return { steps = 11, accumulate = 3 }
      end)
   end)

   it('so with a loader that has drawn its seed', function()
      local dataset = require 'torch.dataset'
      local d = training.data()
      local starts = 0
      local function settings()
         starts = starts + 1
         torch.manualSeed(100 + starts)
         return { steps = 11, data = dataset.Loader { batchSize = 6, shuffle = true,
            dataset = dataset.Tensors { input = d.input, target = d.target } } }
      end
      resumes_everywhere(settings)
      shell.with_folder(function(folder)
         local function after_epochs()
            local all = settings()
            all.checkpoint = { folder = folder, keep = 100 }
            return trainer(folder, all)
         end
         local whole = after_epochs()
         whole:run()
         local wanted = weights(whole)
         for _, step in ipairs { 4, 8 } do
            local again = after_epochs()
            again:resume(step)
            assert.equal(0, again.state.batch)
            again:run()
            assert.is_true(torch.equal(wanted, weights(again)), 'from step ' .. step)
         end
      end)
   end)

   it('so with a loader that knows its place, and no epochs', function()
      local d = training.data()
      local Places = {} -- of three batches; whoever is put behind the third one is at the end
      Places.__index = Places
      function Places:state() return { at = self.at } end
      function Places:restore(state) self.at, self.restored = state.at, true end
      function Places:__call()
         self.at, self.restored = self.restored and self.at or 0, nil
         return function()
            self.at = self.at + 1
            local first = 6 * self.at - 5
            return self.at <= 3 and { input = d.input:narrow(1, first, 6),
               target = d.target:narrow(1, first, 6) } or nil
         end
      end
      for accumulate = 1, 2 do
         resumes_everywhere(function()
            local loader = setmetatable({ at = 0 }, Places)
            return { steps = 11, accumulate = accumulate, data = loader, hooks = {
               onEndEpoch = function(state) state.trainer:evaluate(loader) end } }
         end)
      end
   end)

   it('goes on with other batches behind an epoch', function()
      local dataset = require 'torch.dataset'
      local d = training.data()
      shell.with_folder(function(folder)
         local function loader(size)
            return dataset.Loader { batchSize = size, shuffle = true, seed = 5,
               dataset = dataset.Tensors { input = d.input, target = d.target } }
         end
         trainer(folder .. '/a', { epochs = 1, data = loader(6) }):run()
         trainer(folder .. '/b', { epochs = 1, data = training.data() }):run()
         local other = training.data()
         other.batchSize = 10
         for name, data in pairs { a = loader(10), b = other } do
            local again = trainer(folder .. '/' .. name, { epochs = 2, data = data })
            again:resume()
            assert.equal(6, again:run().step)
         end
         local within = trainer(folder .. '/a', { epochs = 2, data = loader(10) })
         within:resume(2)
         raises('the state is of 20 samples in batches of 6', within.run, within)
      end)
   end)

   it('so with a sampler that draws', function()
      local dataset = require 'torch.dataset'
      local d = training.data()
      resumes_everywhere(function()
         return { steps = 11, data = dataset.Loader { batchSize = 6, seed = 5,
            dataset = dataset.Tensors { input = d.input, target = d.target },
            sampler = function() return torch.randperm(20) end } }
      end)
   end)

   it('so with a hook that draws where an epoch begins', function()
      resumes_everywhere(function()
         local d = training.data()
         return { steps = 11, data = function()
            local order, i = torch.randperm(20):long(), 0
            return function()
               i = i + 1
               local some = i <= 4 and order:narrow(1, 5 * i - 4, 5) or nil
               return some and { input = d.input:index(1, some), target = d.target:index(1, some) }
            end
         end, hooks = { onStartEpoch = function() torch.randn(3) end,
            onStart = function() torch.randn(7) end } }
      end)
   end)

   it('so where a hook writes the checkpoints, wherever it stands', function()
      for _, station in ipairs { 'onSample', 'onForward', 'onBackward', 'onGradients', 'onUpdate',
         'onStartEpoch', 'onEndEpoch' } do
         shell.with_folder(function(folder)
            local function settings(saves)
               return { epochs = 9, accumulate = 2, validation = training.data(),
                  stopEarly = { patience = 1 }, options = { learningRate = 1 },
                  checkpoint = { folder = folder, every = 1000, keep = 1000 },
                  hooks = { [station] = function(state)
                     if state.training and saves then
                        state.trainer:save()
                     end
                  end } }
            end
            local whole = trainer(folder, settings(true))
            whole:run()
            local wanted = weights(whole)
            local steps = whole.checkpoints:steps()
            assert.is_true(#steps >= 3, station)
            for _, step in ipairs(steps) do
               local again = trainer(folder, settings(false))
               again:resume(step)
               again.checkpoints = train.Checkpoints { folder = folder .. '/other' }
               again:run()
               assert.equal(whole.state.t, again.state.t, station)
               assert.is_true(torch.equal(wanted, weights(again)),
                  ('%s, step %d'):format(station, step))
            end
         end)
      end
   end)

   it('so in a Trainer that has gone further already', function()
      shell.with_folder(function(folder)
         local function settings()
            return { epochs = 4, validation = training.data(), optimizer = 'sgd', options = {
               learningRate = 0.3, momentum = 0.9 }, average = { kind = 'swa', from = 1 },
               schedule = optim.schedule.plateau { patience = 0, gamma = 0.5 } }
         end
         local whole = trainer(folder, settings())
         whole:run()
         local wanted = weights(whole)
         for _, step in ipairs { 2, 4, 6 } do
            whole:resume(step)
            assert.equal(step, whole.state.t)
            whole:run()
            assert.is_true(torch.equal(wanted, weights(whole)), 'from step ' .. step)
         end
      end)
   end)

   it('is saved before it has begun as it was read', function()
      shell.with_folder(function(folder)
         local whole = trainer(folder, { steps = 9 })
         whole:run()
         local wanted = weights(whole)
         local between = trainer(folder, { steps = 9 })
         between:resume(3)
         torch.randn(5)
         between:save()
         local again = trainer(folder, { steps = 9 })
         again:resume(3)
         again:run()
         assert.is_true(torch.equal(wanted, weights(again)))
      end)
   end)

   it('has parts with names, each its own', function()
      local function part(name)
         return { name = name, state = function() return {} end, restore = function() end }
      end
      shell.with_folder(function(folder)
         raises('part 1 has state and restore, but no name', function()
            trainer(folder, { hooks = { part() } })
         end)
         raises("two parts are called 'mine'", function()
            trainer(folder, { hooks = { part 'mine', part 'mine' } })
         end)
         trainer(folder, { hooks = { part 'one', part 'two' },
            log = { console = false, train.CSV(folder .. '/a.csv'),
               train.CSV(folder .. '/b.csv') } })
      end)
   end)

   it('so with averages by epochs, Nesterov, and groups', function()
      resumes_everywhere(function()
         return { steps = 11, optimizer = 'sgd', average = { kind = 'swa', from = 1 },
            options = { learningRate = 0.1, momentum = 0.9, dampening = 0, nesterov = true },
            groups = { { parameters = '*.bias', learningRate = 0.01 } } }
      end)
   end)

   it('so in half precision', function()
      resumes_everywhere(function()
         return { steps = 11, device = 'cpu', precision = 'half' }
      end)
   end)

   if cuda.available then
      it('so on a device', function()
         require 'cunn'
         resumes_everywhere(function()
            return { steps = 11, device = 'cuda', average = 'ema' }
         end)
      end)
   end

   it('stays stopped where it had stopped early', function()
      shell.with_folder(function(folder)
         local settings = { epochs = 30, stopEarly = { patience = 1 }, metrics = {},
            options = { learningRate = 0 }, model = nil }
         local net = nn.Sequential():add(nn.Linear(4, 2)):add(nn.LogSoftMax())
         settings.model = net
         local made = trainer(folder, settings)
         made:run()
         assert.is_true(made.state.epoch < 30)
         settings.model = net:clone()
         local again = trainer(folder, settings)
         assert.is_true(again:resume())
         again:run()
         assert.equal(made.state.t, again.state.t)
      end)
   end)

   it('keeps what a script made of the rate, unless it is given anew', function()
      shell.with_folder(function(folder)
         local made = trainer(folder, { steps = 2 })
         made.config.learningRate = 0.005
         made:run()
         local again = trainer(folder, { steps = 2 })
         again:resume()
         assert.equal(0.005, again.config.learningRate)
         again = trainer(folder, { steps = 2, options = { learningRate = 0.5 } })
         again:resume()
         assert.equal(0.5, again.config.learningRate)
      end)
   end)

   it('is no other optimiser, whose state is other things', function()
      shell.with_folder(function(folder)
         trainer(folder, { steps = 2 }):run()
         local again = trainer(folder, { optimizer = 'rmsprop' })
         local before = weights(again)
         raises('has what optim.adam remembers, and the optimizer is rmsprop', again.resume, again)
         assert.is_true(torch.equal(before, weights(again)))
      end)
   end)

   it('refuses a file whose counts or generators are none, and changes nothing', function()
      shell.with_folder(function(folder)
         trainer(folder, { steps = 2 }):run()
         for _, spoil in ipairs {
            function(saved) saved.counts = {} end,
            function(saved) saved.counts.t = 'x' end,
            function(saved) saved.counts.batch = -1 end,
            function(saved) saved.random = {} end,
            function(saved) saved.meters = {} end,
         } do
            local saved = torch.load(folder .. '/step-00000002.t7')
            spoil(saved)
            torch.save(folder .. '/step-00000003.t7', saved)
            local again = trainer(folder)
            local before = weights(again)
            raises("step-00000003.t7' is no checkpoint of a Trainer", again.resume, again)
            assert.is_true(torch.equal(before, weights(again)))
         end
      end)
   end)

   it('has nothing to go on from in a new folder', function()
      shell.with_folder(function(folder)
         assert.is_false(trainer(folder .. '/new'):resume())
      end)
   end)
end)
