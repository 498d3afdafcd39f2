-- A Trainer of several processes against one that has the same batches alone, in the same script.
local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local raises = require 'test.support.raises'
local scratch = require 'test.support.scratch'
local shell = require 'test.support.shell'
local workers = require 'test.support.workers'

describe('train.Trainer: workers, a process alone', function()
   local function trainer(option)
      return train.Trainer { model = nn.Sequential():add(nn.Linear(1, 1)), log = false,
         criterion = nn.MSECriterion(), workers = option,
         data = { input = torch.ones(1, 1), target = torch.ones(1, 1) } }
   end
   it('says how to start as many as are wanted', function()
      raises('train.Trainer: workers is 4, and this run has 1; th --workers 4 script.lua starts '
         .. 'them', trainer, 4)
      raises("train.Trainer: workers: there is no option 'deterministc'; near: deterministic",
         trainer, { deterministc = true })
      assert.is_nil(trainer(1).workers)
      assert.is_nil(trainer(false).workers)
   end)
end)

if not workers.available then
   return
end

local SETUP = workers.trainer

describe('train.Trainer: workers', function()
   before_each(scratch.make)
   after_each(scratch.remove)

   local of_four, of_two = workers.blocks(it, 4, SETUP), workers.blocks(it, 2, SETUP)

   of_four('train as one process does, with batches that do not divide', [[
      local Off = torch.class('Off', 'nn.MSECriterion')
      local cases = {
         { }, { accumulate = 3 }, { clip = 0.5 }, { batchSize = 9, epochs = 'none', steps = 7 },
         { validation = { input = x, target = y }, stopEarly = { patience = 1 } },
         { notFinite = 'skip', average = 'ema' },
         { loss = function(model, batch)
            local out = model:forward(batch.input)
            return torch.pow(out, 2):mean(), out
         end, criterion = 'none', model = function() return net() end },
      }
      for i, case in ipairs(cases) do
         local made = {}
         for k, own in ipairs { false, true } do
            local settings = { workers = own }
            for name, value in pairs(case) do
               settings[name] = name == 'model' and value() or value
            end
            made[k] = trainer(settings)
            made[k]:run()
         end
         near(made[2].state.parameters, made[1].state.parameters, 1e-12, 'case ' .. i)
         assert(made[2].state.t == made[1].state.t)
         for e, row in ipairs(made[1].history) do
            for name, value in pairs(row) do
               local other = made[2].history[e][name]
               assert(name == 'seconds' or math.abs(other - value) < 1e-12, 'case ' .. i .. name)
            end
         end
         local row, one = made[2]:evaluate { input = x, target = y },
            made[1]:evaluate { input = x, target = y }
         assert(math.abs(row.loss - one.loss) < 1e-12 and row.accuracy == one.accuracy)
      end
   ]])

   of_four('have the loss of the whole batch where criterions give sums', [[
      local two = torch.cat({ x:sum(2), x:sum(2) }, 2)
      local crossed = nn.CrossEntropyCriterion()
      crossed.nll.sizeAverage = false
      for i, case in ipairs {
         { nn.MSECriterion(false), two }, { nn.MSECriterion(false), two, 3 }, { nn.L1Cost(), two },
         { crossed, y },
         { nn.MultiCriterion():add(nn.MSECriterion(false)):add(nn.AbsCriterion(false)), two },
      } do
         local criterion, target, accumulate = unpack(case)
         local losses = { {}, {} }
         local function made(own, k)
            local t = trainer { criterion = criterion:clone(), workers = own, optimizer = 'sgd',
               options = { learningRate = 0.001 }, metrics = 'none', accumulate = accumulate,
               data = { input = x, target = target }, validation = { input = x, target = target },
               hooks = { onUpdate = function(state) table.insert(losses[k], state.loss) end } }
            t:run()
            return t
         end
         local alone, four = made(false, 1), made(4, 2)
         near(parameters(four), alone.state.parameters, 1e-11, 'parameters ' .. i)
         near(torch.Tensor(losses[2]), torch.Tensor(losses[1]), 1e-11, 'losses of steps ' .. i)
         for e, row in ipairs(alone.history) do
            for _, name in ipairs { 'loss', 'validation.loss' } do
               local found = four.history[e][name]
               assert(math.abs(found - row[name]) < 1e-11 * row[name], name .. i .. found)
            end
         end
      end
      raises('train.Trainer: parts of the nn.MultiCriterion disagree: a sum over samples and a '
         .. 'mean', function()
            trainer { metrics = 'none', data = { input = x, target = two },
               criterion = nn.MultiCriterion():add(nn.MSECriterion()):add(nn.L1Cost()) }:run()
         end)
   ]])

   of_four('have the means of figures that any of them have told', [[
      local made = trainer { validation = { input = x, target = y }, hooks = {
         onUpdate = function(state)
            state.trainer:log('rank', rank)
            if rank == 3 then state.trainer:log('mine', state.t) end
         end,
         onForward = function(state)
            if not state.training then state.trainer:log('rank', 10 * rank) end
         end } }
      made:run()
      for e, row in ipairs(made.history) do
         assert(row.rank == 2.5 and row['validation.rank'] == 25 and row.mine == 4 * e - 1.5)
      end
   ]])

   of_four('give the bits of one process with as many parts, in deterministic mode', [[
      local function big(f)
         torch.manualSeed(5)
         return f(nn.Sequential():add(nn.Reshape(1, 2, 2))
            :add(nn.SpatialConvolution(1, 6, 2, 2, 1, 1, 1, 1)):add(nn.ReLU())
            :add(nn.SpatialConvolution(6, 4, 3, 3)):add(nn.Reshape(4)):add(nn.Linear(4, 2))
            :add(nn.LogSoftMax()))
      end
      for _, model in ipairs { net, big } do
         for _, kind in ipairs { 'double', 'float' } do
            local data = { input = x:narrow(1, 1, 24)[kind](x:narrow(1, 1, 24)),
               target = y:narrow(1, 1, 24) }
            local losses = {}
            local function made(workers, batchSize, accumulate)
               return trainer { model = model(function(m) return m[kind](m) end),
                  criterion = nn.ClassNLLCriterion()[kind](nn.ClassNLLCriterion()),
                  data = data, workers = workers, batchSize = batchSize,
                  accumulate = accumulate, epochs = 4, hooks = { onUpdate = function(state)
                     losses[#losses + 1] = state.loss
                  end } }
            end
            local alone = made(false, 2, 4)
            alone.workers = { size = 1, rank = 1, settings = { deterministic = true } }
            alone:run()
            local p = parameters(made({ deterministic = true }, 8, 1))
            near(p, alone.state.parameters, 0, kind)
            local steps = #losses / 2                            -- before, and now
            for t = 1, steps do assert(losses[t] == losses[steps + t]) end
            assert(p:ne(made(false, 2, 4).state.parameters):any()) -- which were trained
         end
      end
   ]])

   it('give the bits that a process alone gives with workers = { deterministic = true }', function()
      local function printed(n, settings)
         return workers.passes(n, SETUP .. ([[
            local made = trainer { workers = { deterministic = true },
               data = { input = x:narrow(1, 1, 24), target = y:narrow(1, 1, 24) }, %s }
            made:run()
            local p, text = made.state.parameters, {}
            for i = 1, p:nElement() do text[i] = ('%%.17g'):format(p[i]) end
            if rank == 1 then print(table.concat(text, ' ')) end
         ]]):format(settings))
      end
      assert.equal(printed(4, 'batchSize = 8'), printed(1, 'batchSize = 2, accumulate = 4'))
   end)

   of_four('have the same rows, and decide by them alike, whatever the order of sums', [[
      local inputs = torch.randn(16, 2):sign()                  -- equal scores: order matters
      local targets = torch.Tensor(16, 2):bernoulli(0.5)
      distributed.broadcast(inputs) distributed.broadcast(targets)
      local calls = 0
      local Mine = torch.class 'XSpecSpread'
      function Mine:__init() self:reset() end
      function Mine:reset() self.sum = 0 end
      function Mine:add(output) self.sum = self.sum + output:sum() / 3 end
      function Mine:share() return self.sum end
      function Mine:merge(other) self.sum = self.sum + other:share() end -- it has its methods
      function Mine:value() return self.sum end
      local made = trainer { model = nn.Sequential():add(nn.Linear(2, 2))
            :add(nn.Sigmoid()), criterion = nn.BCECriterion(),
         metrics = { 'mAP', mine = XSpecSpread() },
         data = { input = inputs, target = targets }, batchSize = 8, epochs = 10,
         validation = { input = inputs, target = targets },
         schedule = optim.schedule.plateau { patience = 0, mode = 'max' },
         scheduleMetric = 'validation.mAP', options = { learningRate = 0.1 },
         hooks = { onEndEpoch = function() calls = calls + 1 end } }
      parameters(made)
      local all = distributed.gatherObjects(made.history)
      assert(#all[1] == 10 and calls == 10)
      for r = 2, size do
         for e, row in ipairs(all[1]) do
            for name, value in pairs(row) do
               assert(all[r][e][name] == value, name)
            end
         end
      end
      local values = distributed.gatherObjects(made:evaluate { input = inputs, target = targets })
      for r = 2, size do
         for name, value in pairs(values[1]) do assert(values[r][name] == value, name) end
      end
   ]])

   of_two('leave the loaders of the script whole', [[
      local dataset = require 'torch.dataset'
      for _, loader in ipairs { dataset.Loader { dataset = dataset.Tensors { input = x,
            target = y }, batchSize = 10 }, train.Batches({ input = x, target = y },
            { batchSize = 10, shuffle = false }) } do
         local made = trainer { data = loader, batchSize = 'none', epochs = 1 }
         made:run()
         local seen = 0
         for batch in loader() do seen = seen + batch.input:size(1) end
         assert(seen == 30, seen)
         made:evaluate(loader)
         seen = 0
         trainer { data = loader, batchSize = 'none', epochs = 1, workers = false,
            hooks = { onSample = function(state)
               seen = seen + state.sample.input:size(1)
            end } }:run()
         assert(seen == 30, seen)
      end
   ]])

   of_two('skip a batch together that a criterion refuses in one of them', [[
      local factor = nn.MulConstant(1)
      local made = trainer { criterion = nn.BCECriterion(), metrics = {}, epochs = 1,
         model = nn.Sequential():add(nn.Linear(4, 1)):add(nn.Sigmoid()):add(factor),
         data = { input = x, target = y:double():view(-1, 1):add(-1) }, notFinite = 'skip',
         hooks = { onSample = function(state)
            factor.constant_scalar = rank == 2 and state.batch == 2 and 50 or 1
         end } }
      made:run()
      assert(made.state.t == 3 and made.state.skipped == 1)
   ]])

   of_four('have the names of their rows, where those are a list in a batch', [[
      local names, seen = {}, 0
      for i = 1, 30 do names[i] = tostring(y[i]) end
      local made = trainer { criterion = 'none', batchSize = 'none', epochs = 1, metrics = {},
         data = function() local at = 0 return function()
            at = at + 1
            return at == 1 and { input = x, target = y, names = names, kinds = { 'a', 'b' } } or nil
         end end,
         loss = function(model, batch)
            assert(#batch.names == batch.target:size(1) and #batch.kinds == 2)
            for i, name in ipairs(batch.names) do
               assert(name == tostring(batch.target[i]))
               seen = seen + 1
            end
            return nn.ClassNLLCriterion():forward(model:forward(batch.input), batch.target)
         end }
      made:run()
      assert(distributed.allReduce(torch.Tensor { seen })[1] == 30)
   ]])

   of_two('tell that they have other data', [[
      local function differ(text, data)
         raises('train.Trainer: workers: the processes have other data: ' .. text, function()
            trainer { data = data, batchSize = 'none', epochs = 1 }:run()
         end)
      end
      local own = x * rank
      differ('the first sample is (sizes, sums) 8x4 ', { input = own, target = y, batchSize = 8 })
      local dataset = require 'torch.dataset'
      differ('the first sample is', dataset.Loader { dataset = dataset.Tensors { input = own,
         target = y }, batchSize = 10 })
      differ('the first batch is', function()
         local batch = { input = own, target = y }
         return function() return batch end
      end)
   ]])

   of_two('normalise over all in mixed precision as layers of one process do', [[
      local images = torch.randn(16, 4, 6, 6):float():add(3)
      local wanted = torch.randn(16, 1):float()
      local function made(own)
         torch.manualSeed(3)
         local model = nn.Sequential():add(nn.SpatialConvolution(4, 3, 3, 3)):add(nn.Tanh())
            :add(nn.SpatialBatchNormalization(3)):add(nn.Reshape(48)):add(nn.Linear(48, 1))
         local t = trainer { model = model, criterion = nn.MSECriterion(), metrics = 'none',
            data = { input = images, target = wanted }, batchSize = 16, epochs = 6,
            options = { learningRate = 1e-3 }, device = 'cpu', precision = 'bfloat16',
            workers = own }
         t:run()
         return t.model:get(3)
      end
      local sync, alone = made { syncBatchNormalization = true }, made(false)
      assert(torch.type(sync) == 'nn.SyncSpatialBatchNormalization')
      near(sync.running_mean, alone.running_mean, 0.01)
      near(sync.running_var, alone.running_var, 0.01)
      assert(alone.running_mean:norm() > 0.1)
   ]])

   of_two('draw numbers of their own in layers, and share the order of samples', [[
      local dataset = require 'torch.dataset'
      local seen = {}
      local made = trainer { model = net(function(m) m:insert(nn.Dropout(), 2) return m end),
         batchSize = 'none', seed = 'none', data = dataset.Loader {
            dataset = dataset.Tensors { input = x, target = y }, batchSize = 10,
            shuffle = true }, epochs = 1,
         hooks = { onBackward = function(state)
            seen[#seen + 1] = torch.cat(state.sample.input:sum(1):view(-1),
               state.network:get(2).noise:contiguous():view(-1):narrow(1, 1, 20), 1)
         end } }
      parameters(made)
      local all = distributed.gatherObjects(seen)
      assert(all[1][1]:ne(all[2][1]):sum() > 4)
      local total = torch.zeros(4)
      for r = 1, 2 do
         for i = 1, 3 do total:add(all[r][i]:narrow(1, 1, 4)) end
      end
      near(total, x:sum(1):view(-1), 1e-12)                -- every sample once
   ]])

   of_two('keep the state of the optimiser in parts, and normalise over all', [[
      local function normalised(m) m:insert(nn.BatchNormalization(8), 2) return m end
      local function made(workers) return trainer { model = net(normalised), workers = workers,
         batchSize = 10 } end
      local alone = made(false)
      alone:run()
      local both = made { syncBatchNormalization = true, shardOptimizer = true }
      near(parameters(both), alone.state.parameters, 1e-9)  -- Adam divides by small roots
      assert(both.optimState.m:nElement() <= 39)
      near(both.model:get(2).running_mean, alone.model:get(2).running_mean, 1e-9)
      local apart = made(true)                              -- each its own, averaged
      parameters(apart)
      local all = distributed.allGather(apart.model:get(2).running_mean)
      near(all[1], all[2], 0)
   ]])

   of_four('keep the state of groups in parts, with the bits that it has whole', [[
      local folder = distributed.broadcastObject(os.tmpname()) .. '-g'
      local groups = { { parameters = '*.bias', learningRate = 0.01 } }
      local function made(sharded, steps, path)
         local four = { model = net(), groups = groups, clip = 0.5, epochs = 'none', steps = steps,
            workers = { deterministic = true, shardOptimizer = sharded } }
         four.checkpoint = path
         return trainer(four)
      end
      local wanted = parameters(made(false, 7))
      near(parameters(made(true, 7)), wanted, 0)
      parameters(made(true, 4, folder))
      local second = made(true, 7, folder)
      assert(second:resume() and second.state.t == 4)
      assert(#second.optimState.groups == 4)
      near(parameters(second), wanted, 0)
      local other = made(false, 7, folder)                  -- a whole state, of as many vectors
      assert(other:resume(4))
      near(parameters(other), wanted, 0)
      raises("give optimizer = 'adam' and the option groups", trainer,
         { optimizer = optim.groups { optim.adam }, workers = { shardOptimizer = true } })
      distributed.barrier()
      if rank == 1 then os.execute('rm -r ' .. folder) end
   ]])

   of_two('name a meter that cannot be merged, and stop when one of them says so', [[
      raises('the meter mine has no merge(other)', trainer, { metrics = { mine = {
         add = function() end, value = function() return 1 end, reset = function() end } } })
      local made = trainer { hooks = { onUpdate = function(state)
         if state.t == 2 and rank == 2 then state.trainer:stop() end
      end } }
      made:run()
      assert(made.state.t == 2)
   ]])

   of_two('go on from a checkpoint with the bits of a run that was not interrupted', [[
      local function made(folder, steps)
         return trainer { model = net(function(m) m:insert(nn.Dropout(0.3), 2) return m end),
            epochs = 'none', steps = steps, checkpoint = { folder = folder, every = 3 },
            workers = { shardOptimizer = true } }
      end
      local folder = distributed.broadcastObject(os.tmpname())
      parameters(made(folder .. '-a', 5))
      local second = made(folder .. '-a', 11)
      assert(second:resume() and second.state.t == 5)
      local ended = parameters(second):clone()
      local straight = made(folder .. '-b', 11)                -- seeds anew
      near(parameters(straight), ended, 0)
      assert(second.history[1].loss == straight.history[1].loss)
      distributed.barrier()
      if rank == 1 then os.execute(('rm -r %s %s-a %s-b'):format(folder, folder, folder)) end
   ]])

   local RESUME = SETUP .. [[
      local folder, steps = FOLDER, STEPS
      local made = trainer { model = net(function(m) m:insert(nn.Dropout(DROPPED), 2) return m end),
         batchSize = 8, epochs = 'none', steps = steps, checkpoint = { folder = folder, every = 3 },
         log = { console = false, csv = folder .. '/log.csv' }, workers = WORKERS }
      made:resume()
      local begun = made.state.t
      if begun > 0 then                                         -- generators are apart
         local all = distributed.gatherObjects(torch.randperm(1000)[1])
         for r = 2, size do assert(all[r] ~= all[r - 1]) end
      end
      parameters(made)
      if rank == 1 then
         print(begun, ('%.17g'):format(made.state.parameters:sum()), #made.checkpoints:steps())
      end
   ]]

   local function resumed(n, steps, option, dropped)
      local output = workers.passes(n, (RESUME:gsub('%u%u%u%u%u+', {
         FOLDER = ("'%s'"):format(scratch.folder), STEPS = steps, WORKERS = option or 'true',
         DROPPED = dropped or '0.3' })))
      return output:match '(%d+)\t(%S+)\t(%d+)'
   end

   of_two('keep the means of figures in a checkpoint', [[
      local folder = distributed.broadcastObject(os.tmpname()) .. '-c'
      local function made(steps)
         return trainer { epochs = 'none', steps = steps, checkpoint = folder, hooks = {
            onUpdate = function(state) state.trainer:log('own', rank * state.t) end } }
      end
      made(2):run()
      local second = made(4)
      assert(second:resume())
      assert(second:run().own == 1.5 * 2.5)
      distributed.barrier()
      if rank == 1 then os.execute('rm -r ' .. folder) end
   ]])

   it('go on with another number of processes', function()
      resumed(2, 4)
      assert.equal('4', (resumed(3, 8)))
   end)

   it('take the same steps then', function()
      resumed(2, 4, nil, '0')
      local begun, sum = resumed(3, 8, nil, '0')
      assert.equal('4', begun)
      scratch.remove()
      scratch.make()
      local _, straight = resumed(1, 8, 'false', '0')
      assert.near(tonumber(straight), tonumber(sum), 1e-12)
   end)

   it('leave checkpoints that a process alone goes on from, normalised over all or not', function()
      local text = SETUP .. ([[
         local made = trainer { model = net(function(m) m:insert(nn.BatchNormalization(8), 2)
            return m end), epochs = 'none', steps = STEPS, checkpoint = '%s',
            workers = size > 1 and { syncBatchNormalization = true } or nil }
         local resumed = made:resume()
         print(resumed, made.state.t)
         made:run()
      ]]):format(scratch.folder)
      workers.passes(2, (text:gsub('STEPS', '4')))
      local alone = "torch.setdefaulttensortype 'torch.DoubleTensor' local size = 1 " -- no more
      local path = scratch.folder .. '/alone.lua'
      local file = assert(io.open(path, 'w'))
      file:write(alone, (text:gsub('STEPS', '6'):gsub('distributed', 'nobody')))
      file:close()
      assert.equal('true\t4\n', (shell.run(shell.quoted(os.getenv 'TH_EXECUTABLE') .. ' '
         .. path)))
   end)

   it('start at the beginning again where the run has left no checkpoint, but others have',
      function()
         local text = SETUP .. ([[
            local environment = require 'distributed.environment'
            trainer { epochs = 'none', steps = 9, checkpoint = { folder = '%s', every = 4 },
               hooks = { onUpdate = function(state)
                  if state.t == 3 and environment.run() and environment.restarts() == 0
                     and rank == 2 then os.exit(9) end
               end, onStart = function(state)
                  if rank == 1 then print('at ' .. state.t) end
               end } }:run()
         ]]):format(scratch.folder)
         workers.passes(2, text)
         assert.matches('restart 1 of 1\n.*at 0\n$', workers.passes(2, text, '--restarts 1'))
      end)

   it('go on by themselves where the run is started again', function()
      local output = workers.passes(2, SETUP .. ([[
         local environment = require 'distributed.environment'
         local made = trainer { epochs = 'none', steps = 9,
            checkpoint = { folder = '%s', every = 4 },
            hooks = { onUpdate = function(state)
               if state.t == 6 and environment.restarts() == 0 and rank == 2 then os.exit(9) end
            end, onStart = function(state) if rank == 1 then print('at ' .. state.t) end end } }
         made:run()
         if rank == 1 then print('ends at ' .. made.state.t) end
      ]]):format(scratch.folder), '--restarts 1')
      -- What rank 1 printed before it was ended may be lost with it.
      assert.matches('restart 1 of 1\n.*at 4\nends at 9\n$', output)
   end)
end)
