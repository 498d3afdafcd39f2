local lfs = require 'lfs'
local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local train = require 'torch.train'
local cuda = require 'test.support.cuda'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local function net_of(classes)
   return nn.Sequential():add(nn.Linear(4, 6)):add(nn.BatchNormalization(6)):add(nn.ReLU())
      :add(nn.Dropout(0.4)):add(nn.Linear(6, classes or 2)):add(nn.LogSoftMax())
end

local function data()
   torch.manualSeed(4)
   local x = torch.randn(20, 4)
   return { input = x, target = x:sum(2):view(-1):gt(0):long():add(1), batchSize = 6 }
end

local function trainer(folder, settings)
   local all = {
      model = net_of(), criterion = nn.ClassNLLCriterion(), data = data(), seed = 11,
      optimizer = 'adam', options = { learningRate = 0.02 }, log = false,
      checkpoint = { folder = folder, every = 1, keep = 100 },
   }
   for name, value in pairs(settings or {}) do
      all[name] = value
   end
   return train.Trainer(all)
end

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
         return { steps = 11, validation = data(), metrics = { 'accuracy' }, clip = 1,
            average = 'ema', schedule = optim.schedule.plateau { patience = 0 },
            checkpoint = nil }
      end)
   end)

   it('so with pieces of batches, and a stream that cannot tell its place', function()
      resumes_everywhere(function()
         local d = data()
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

   it('has nothing to go on from in a new folder', function()
      shell.with_folder(function(folder)
         assert.is_false(trainer(folder .. '/new'):resume())
      end)
   end)
end)

describe('checkpoints', function()
   it('are kept: the latest ones, and the best', function()
      shell.with_folder(function(folder)
         local losses = { 3, 1, 2, 2, 2 }
         local made = trainer(folder, { epochs = 5, metrics = {
            rank = function() return 0 end,
         }, checkpoint = { folder = folder, keep = 2, metric = 'mine', mode = 'min' } })
         local steps = {}
         table.insert(made.engine.calls.onEndEpoch, 1, { function(state)
            state.row.mine = losses[state.epoch]
            steps[state.epoch] = state.t
         end })
         made:run()
         assert.same({ steps[4], steps[5] }, made.checkpoints:steps())
         local best = made.checkpoints:load 'best'
         assert.equal(steps[2], best.counts.t)
      end)
   end)

   it('of another architecture are refused by the name of a parameter', function()
      shell.with_folder(function(folder)
         trainer(folder, { steps = 1 }):run()
         local path = folder .. '/step-00000001.t7'
         local function refuses(text, model)
            local before = train.weights(model)['1.weight']
            local kept = before and before:clone()
            raises(("train.Trainer: '%s': %s"):format(path, text), function()
               trainer(folder, { model = model, data = data() }):resume()
            end)
            assert.is_true(not kept or torch.equal(kept, train.weights(model)['1.weight']))
         end
         refuses('5.bias is 2 in the checkpoint, 3 in the model', net_of(3))
         refuses('1.bias is a torch.DoubleTensor in the checkpoint, a torch.FloatTensor in the '
            .. 'model',
            net_of():float())
         local deeper = net_of()
         deeper:insert(nn.Linear(2, 2), 6)
         refuses('6.bias (2) is in the model, and not in the checkpoint', deeper)
         refuses('1.bias (6) is in the checkpoint, and not in the model',
            nn.Sequential():add(nn.Tanh()):add(nn.Linear(4, 2)))
      end)
   end)

   it('that are no checkpoints are refused', function()
      shell.with_folder(function(folder)
         torch.save(folder .. '/step-00000003.t7', { weight = 1 })
         raises("step-00000003.t7' is no checkpoint of a Trainer", function()
            trainer(folder):resume()
         end)
         raises('there is no checkpoint ' .. folder .. '/best.t7', function()
            trainer(folder):resume 'best'
         end)
      end)
   end)

   it('that are damaged are passed over', function()
      shell.with_folder(function(folder)
         local checkpoints = train.Checkpoints { folder = folder }
         checkpoints:save({ 1 }, 1)
         local path = checkpoints:save({ torch.randn(100) }, 2)
         local text = shell.read(path)
         local file = io.open(path, 'wb')
         file:write(text:sub(1, 400))
         file:close()
         local stderr, said = io.stderr, nil
         io.stderr = { write = function(_, message) said = message end } -- luacheck: ignore 122
         local object = checkpoints:load()
         io.stderr = stderr -- luacheck: ignore 122
         assert.same({ 1 }, object)
         assert.matches('step%-00000002.t7.*cannot be read.*going back to the one before', said)
      end)
   end)

   it('stay whole when the disk is full', function()
      shell.with_folder(function(folder)
         local script = folder .. '/full.lua'
         local file = io.open(script, 'w')
         file:write([[
            local torch = require 'torch'
            local train = require 'torch.train'
            local checkpoints = train.Checkpoints { folder = arg[1] }
            print(pcall(checkpoints.save, checkpoints, { torch.ones(100000) }, 2, true))
            print(checkpoints:load()[1], checkpoints:load 'best'[1])]])
         file:close()
         local run = folder .. '/run'
         train.Checkpoints({ folder = run }):save({ 'whole' }, 1, true)
         -- Files of this process may have 64 KiB; a signal says so first, which is ignored.
         local output = shell.run(("trap '' XFSZ; ulimit -f 64; '%s' '%s' '%s'"):format(
            os.getenv 'TH_EXECUTABLE', script, run))
         assert.matches('false\t.*step%-00000002.t7.*write error.*the former file is as it was',
            output)
         assert.matches('\nwhole\twhole\n', output)
         for name in lfs.dir(run) do
            assert.is_nil(name:match 'partial')
            assert.is_nil(name:match 'torch%-save')
         end
      end)
   end)

   it('survive SIGKILL at any moment: see kill/run.lua for more of these', function()
      local output, status = shell.run(("KILL_SEED=1 '%s' test/torch/train/kill/run.lua 3 cpu 20")
         :format(os.getenv 'TH_EXECUTABLE'))
      assert.matches('3 kills in %d+ runs: each ends with the bits of the undisturbed run', output)
      assert.equal(0, status)
   end)
end)
