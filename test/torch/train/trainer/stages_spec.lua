-- A Trainer whose network has stages, one in each of several processes, against one process.
local scratch = require 'test.support.scratch'
local workers = require 'test.support.workers'

if not workers.available then
   return
end

-- `both`: the same training in one process and in stages, the Trainers and their last rows.
local SETUP = workers.trainer .. [[
   local function deep(f)
      return net(function(m)
         m:insert(nn.Sequential():add(nn.Linear(8, 6)):add(nn.Tanh()):add(nn.Linear(6, 8)), 3)
         return f and f(m) or m
      end)
   end
   local function both(case, pipeline)
      local made, rows = {}, {}
      for k, stages in ipairs { false, pipeline or 4 } do
         local settings = { model = deep(case.f), workers = false }
         for name, value in pairs(case) do settings[name] = value end
         settings.f = nil
         if stages then settings.workers, settings.pipeline = case.workers, stages end
         made[k] = trainer(settings)
         rows[k] = made[k]:run()
      end
      return made[1], made[2], rows[1], rows[2]
   end
   local function same_model(a, b, limit, what)
      local p, q = a.model:parameters(), b.model:parameters()
      for i = 1, #p do near(q[i], p[i], limit, what .. ' parameter ' .. i) end
   end
]]

describe('train.Trainer: stages of several processes', function()
   before_each(scratch.make)
   after_each(scratch.remove)

   local of_three = workers.blocks(it, 3, SETUP)

   of_three('train as one process does, with what else a Trainer does', [[
      local sum = nn.ClassNLLCriterion(nil, false)
      local groups = { { parameters = '*.bias', learningRate = 0.01 } }
      for i, case in ipairs {
         { validation = { input = x, target = y }, stopEarly = { patience = 1 } },
         { clip = 0.1 }, { accumulate = 3, average = 'ema' }, { groups = groups, clip = 0.2 },
         { workers = { shardOptimizer = true }, groups = groups },
         { criterion = sum, optimizer = 'sgd', options = { learningRate = 0.01 } },
         { criterion = 'none', validation = { input = x, target = y }, loss = function(m, batch)
            local scores = m:forward(batch.input)
            return nn.ClassNLLCriterion():forward(scores, batch.target), scores
         end },
         { notFinite = 'skip', schedule = function(n) return 1 / (1 + n) end },
         { f = function(m) train.freeze(m, '1') return m end, cut = { layers = { 2, 2, 3 } } },
         { groups = groups, clip = 0.2, cut = { layers = { 5, 1, 1 } } }, -- the last has nothing
      } do
         local cut = case.cut
         case.cut = nil
         local one, three, row, found = both(case, cut)
         assert(torch.type(three.state.network) == 'distributed.Pipeline')
         same_model(one, three, 1e-9, 'case ' .. i)
         for name, value in pairs(row) do
            assert(name == 'seconds' or math.abs(found[name] - value) < 1e-9, i .. name)
         end
         local told = distributed.gatherObjects(found)
         for r = 2, size do
            for name, value in pairs(told[1]) do assert(told[r][name] == value, name) end
         end
         local a, b = one:evaluate { input = x, target = y }, three:evaluate { input = x,
            target = y }
         assert(math.abs(a.loss - b.loss) < 1e-9 and a.accuracy == b.accuracy)
      end
   ]])

   of_three('have the bits of one process where a batch is one micro-batch', [[
      for _, kind in ipairs { 'sgd', 'adam' } do
         local one, three, row, found = both({ optimizer = kind, batchSize = 10,
            f = function(m) m:insert(nn.BatchNormalization(8), 2) return m end },
            { microBatches = 1, layers = { 3, 3, 2 } })
         same_model(one, three, 0, kind)
         assert(row.loss == found.loss)
         near(three.model:get(2).running_var, one.model:get(2).running_var, 0)
      end
   ]])

   of_three('compute in lower precision', [[
      for i, precision in ipairs { 'bfloat16', 'half' } do
         local one, three, row, found = both { precision = precision, device = 'cpu',
            optimizer = 'sgd', options = { learningRate = 0.1 } }
         same_model(one, three, 0.02, precision)
         assert(math.abs(row.loss - found.loss) < 0.02)
      end
   ]])

   of_three('have the layers of all stages at the end, where one stands in several of them', [[
      for i, layers in ipairs { { 1, 2, 3 }, { 2, 2, 2 }, { 3, 2, 1 } } do
         local made = {}
         for k = 1, 2 do
            torch.manualSeed(3)
            local same, model = nn.Identity(), nn.Sequential():add(nn.Linear(4, 6))
            model:add(same):add(nn.Linear(6, 6)):add(k == 2 and same or nn.Identity())
               :add(nn.Linear(6, 2)):add(nn.LogSoftMax())
            local collect = require('torch.train.trainer.staged').collect
            made[k] = trainer { model = model, workers = k == 2 and nil,
               pipeline = k == 2 and { microBatches = 2, layers = layers } or nil,
               hooks = { onUpdate = function() collect(made[k]) end } } -- as a checkpoint does
            made[k]:run()
         end
         same_model(made[1], made[2], 1e-9, 'cut ' .. i)
      end
   ]])

   of_three('draw the same data everywhere, and numbers of their own in layers', [[
      local function mixed(state)
         local sample = state.sample
         if state.training then
            local order, share = torch.randperm(sample.input:size(1)):long(), torch.uniform()
            state.sample = { target = sample.target, input = sample.input * share
               + sample.input:index(1, order) * (1 - share) }
         end
      end
      local function drawn()
         local order, at = torch.randperm(30):long(), 1
         return function()
            local rows = at < 30 and order:narrow(1, at, 10)
            at = at + 10
            return rows and { input = x:index(1, rows), target = y:index(1, rows) } or nil
         end
      end
      for _, case in ipairs { { data = drawn, batchSize = 'none' },
         { hooks = { onSample = mixed } } } do
         for _, given in ipairs { 2, 'none' } do
            torch.manualSeed(10 * rank)
            local inputs, masks = {}, {}
            case.seed, case.pipeline = given, { microBatches = 2, layers = { 3, 3, 3 } }
            case.model = deep(function(m)
               m:insert(nn.Dropout(), 2)
               m:insert(nn.Dropout(), 5)
               return m
            end)
            case.hooks = case.hooks or {}
            case.hooks.onUpdate = function(state)
               inputs[#inputs + 1] = ('%.17g'):format(state.sample.input:sum())
               local dropout = state.network.modules[1]:findModules 'nn.Dropout'[1]
               local mask = dropout and dropout.noise:double():view(-1)
               masks[#masks + 1] = mask and mask:dot(torch.range(1, mask:nElement())) or nil
            end
            local made = trainer(case)
            made:run()
            local told = distributed.gatherObjects { table.concat(inputs, ' '), masks }
            for r = 2, size do
               assert(told[r][1] == told[1][1], told[r][1] .. '\n' .. told[1][1])
            end
            local first, last = told[1][2], told[3][2]
            assert(#first == #inputs and #last == #inputs and #inputs >= 9)
            for i = 1, #first do
               assert(first[i] ~= last[i] and first[i] ~= first[i + 1] and last[i] ~= last[i + 1])
            end
         end
      end
   ]])

   of_three('refuse batches that are not the same in all of them', [[
      local epoch = 0
      local function drawn()
         epoch = epoch + 1
         local own, done = epoch > 1 and rank or 0, false
         return function()
            if done then return nil end
            done = true
            return { input = x + own, target = y }
         end
      end
      raises('the processes have other data: the first batch of epoch 2 is', function()
         trainer { model = deep(), data = drawn, batchSize = 'none', pipeline = 2 }:run()
      end)
   ]])

   of_three('stop and skip together where one of them has to', [[
      local bad = nn.Identity()
      function bad:updateGradInput(input, g)
         self.gradInput = g:clone()
         if rank == 1 and self.broken then self.gradInput:fill(0 / 0) end
         return self.gradInput
      end
      local made = trainer { model = deep(function(m) m:insert(bad, 2) return m end),
         pipeline = { microBatches = 2, layers = { 3, 3, 2 } }, notFinite = 'skip', epochs = 1,
         hooks = { onSample = function(state) bad.broken = state.batch == 2 end } }
      made:run()
      assert(made.state.t == 3 and made.state.skipped == 1)
      assert(made.state.parameters[1]:eq(made.state.parameters[1]):all())
   ]])

   of_three('give a loss lists with the names of its rows, and keep what it tells', [[
      local names, rows = {}, { input = x, target = y }
      for i = 1, 30 do names[i] = ('%d %.17g'):format(y[i], x[i]:sum()) end
      rows.names = names
      local function batches() local at = 0 return function()
         at = at + 1
         return at == 1 and rows or nil
      end end
      for _, pipeline in ipairs { 4, false } do
         local seen = 0
         local made = trainer { criterion = 'none', batchSize = 'none', data = batches, epochs = 1,
            model = deep(), metrics = { told = function(output) return output.n end },
            pipeline = pipeline, loss = function(m, batch)
               assert(#batch.names == batch.target:size(1))
               for i, name in ipairs(batch.names) do
                  seen = seen + 1
                  assert(name:match '^%S+' == tostring(batch.target[i]))
               end
               local scores = m:forward(batch.input)
               return nn.ClassNLLCriterion():forward(scores, batch.target),
                  { scores = scores, n = 3, words = { 'a', good = true } }
            end }
         local row = made:run()
         local output = made.state.output
         assert(row.told == 3 and output.n == 3 and output.words[1] == 'a' and output.words.good)
         seen = distributed.allReduce(torch.Tensor { seen })[1]
         assert(seen == 30, seen)
         assert(not pipeline or output.scores:size(1) == 30)
      end
   ]])

   of_three('refuse what looks at the whole network', [[
      raises('pruning looks at all weights, of which each process has those of a stage', trainer,
         { model = deep(), pipeline = 2, pruning = { amount = 0.5 } })
   ]])

   local RUN = SETUP .. [[
      local made = trainer { model = deep(), epochs = 'none', steps = STEPS,
         pipeline = { microBatches = 2, layers = LAYERS }, clip = 0.5, average = 'ema',
         checkpoint = { folder = FOLDER, every = 3 } }
      local ok, resumed = pcall(made.resume, made)
      if not ok then
         if rank == 1 then print(resumed) end
         return
      end
      made:run()
      if rank == 1 then
         local text = {}
         for i, p in ipairs(made.model:parameters()) do text[i] = ('%.17g'):format(p:sum()) end
         print(table.concat(text, ' '))
      end
   ]]

   local function run(n, steps, folder, layers)
      return workers.passes(n, (RUN:gsub('%u%u%u%u%u+', { STEPS = steps, LAYERS = layers or 'nil',
         FOLDER = ("'%s/%s'"):format(scratch.folder, folder) })))
   end

   it('go on from a checkpoint with the bits of a run that was not interrupted', function()
      run(2, 4, 'a')
      assert.equal(run(2, 9, 'b'), run(2, 9, 'a'))
      run(2, 4, 'c', '{ 6, 1 }') -- the second has no parameters
      assert.equal(run(2, 9, 'd', '{ 6, 1 }'), run(2, 9, 'c', '{ 6, 1 }'))
      assert.matches('stages in 2 processes in the checkpoint, and in 3 in the Trainer',
         run(3, 12, 'a'), 1, true)
   end)
end)
