-- What a Trainer cannot do, said before or when it happens.
local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local raises = require 'test.support.raises'
local problem = require 'test.torch.train.problem'

local function trainer(settings)
   settings.log = settings.log or false
   local made = train.Trainer(settings)
   return made
end

describe('train.Trainer refuses', function()
   local net, x, t
   before_each(function()
      net, x, t = problem()
   end)

   local function refuses(text, settings)
      local message = raises(text, trainer, settings)
      assert.matches('^[^:]*_spec%.lua:%d+: ', message)
   end

   it('what makes no sense, and says what is near', function()
      local c = nn.MSECriterion()
      refuses("train.Trainer: there is no option 'optimzer'; near: optimizer",
         { model = net, criterion = c, data = {}, optimzer = 'sgd' })
      refuses("no option 'lr'; the optimizer's are apart: options = { learningRate = ... }",
         { model = net, criterion = c, data = {}, lr = 0.1 })
      refuses("there is no option 'beta1'; the optimizer's are apart: options = { beta1 = ... }",
         { model = net, criterion = c, data = {}, optimizer = 'adam', beta1 = 0.1 })
      refuses('optim.sgd has no option lr; here it is learningRate', { model = net, criterion = c,
         data = { input = x, target = t }, options = { lr = 0.1 } })
      refuses('loss is a nn.MSECriterion, which criterion = takes; loss is a function(model, ba',
         { model = net, data = {}, loss = c })
      refuses('criterion is the class nn.MSECriterion, expected an nn.Criterion; with brackets it '
         .. 'is one: nn.MSECriterion()', { model = net, criterion = nn.MSECriterion, data = {} })
      refuses('model is the class nn.Linear, expected a network (nn.Module); with brackets',
         { model = nn.Linear, criterion = c, data = {} })
      refuses('train.Trainer: model is missing', { criterion = c, data = {} })
      refuses("train.Trainer: model is 'net', expected a network",
         { model = 'net', criterion = c, data = {} })
      refuses('there is no criterion and no loss', { model = net, data = {} })
      refuses('criterion and loss are both there',
         { model = net, criterion = c, loss = print, data = {} })
      refuses('train.Trainer: data is missing', { model = net, criterion = c })
      refuses('data is 3, expected a loader', { model = net, criterion = c, data = 3 })
      refuses('there is no optimizer adma; near: adam',
         { model = net, criterion = c, data = { input = x, target = t }, optimizer = 'adma' })
      refuses('optim.sgd has no option learningrate; near: learningRate',
         { model = net, criterion = c, data = { input = x, target = t },
            options = { learningrate = 1 } })
      refuses("notFinite is 'stop', expected 'error', 'skip' or 'ignore'",
         { model = net, criterion = c, data = { input = x }, notFinite = 'stop' })
      refuses('epochs is 0, expected a whole number from 1 on',
         { model = net, criterion = c, data = { input = x }, epochs = 0 })
      refuses("there is no metric 'acuracy'; near: accuracy",
         { model = net, criterion = c, data = { input = x, target = t }, metrics = { 'acuracy' } })
      refuses('train.Engine: there is no hook onUpdat; near: onUpdate',
         { model = net, criterion = c, data = { input = x, target = t },
            hooks = { onUpdat = print } })
      refuses('device is \'gpu\', expected',
         { model = net, criterion = c, data = { input = x, target = t }, device = 'gpu' })
      refuses('the model has no parameters to train',
         { model = nn.Tanh(), criterion = c, data = { input = x, target = t } })
      local data = { input = x, target = t }
      refuses('train.Trainer: pipeline: device is nil, expected a list of devices such as { 1, 2 }',
         { model = net, criterion = c, data = data, pipeline = 4 })
      refuses("train.Trainer: pipeline: device is 'cpu', expected a list of devices",
         { model = net, criterion = c, data = data, pipeline = {}, device = 'cpu' })
      refuses("train.Trainer: pipeline: there is no option 'microBatch'; near: microBatches",
         { model = net, criterion = c, data = data, pipeline = { microBatch = 2 } })
      refuses("nn.Pruner: there is no option 'amuont'; near: amount",
         { model = net, criterion = c, data = data, pruning = { amuont = 0.5 } })
      refuses('train.Trainer: distillation: teacher is nil, expected a network (nn.Module)',
         { model = net, criterion = nn.CrossEntropyCriterion(), data = data, distillation = {} })
      refuses('distillation is for nn.CrossEntropyCriterion and nn.ClassNLLCriterion; the '
         .. 'criterion is a nn.MSECriterion',
         { model = net, criterion = c, data = data, distillation = { teacher = net } })
      refuses('has weights, sums or an ignoreIndex, expected the plain mean over samples',
         { model = net, criterion = nn.ClassNLLCriterion(torch.ones(2)), data = data,
            distillation = { teacher = net } })
      refuses('target has 23 samples, input 24', { model = net, criterion = c,
         data = { input = x, target = t:narrow(1, 1, 23) } })
   end)

   local function run(settings)
      settings.model, settings.criterion = net, settings.loss == nil and nn.MSECriterion() or nil
      return function()
         trainer(settings):run()
      end
   end

   it('batches without a target', function()
      raises('batch 1 has no target (it has input, label); a criterion needs input and target',
         run { data = { input = x, label = t } })
   end)

   it('batches that are no tables', function()
      raises('batch 1 is 24x3 DoubleTensor, expected a table',
         run { data = function() return function() return x end end })
   end)

   it('data of another type than the model', function()
      raises("input of batch 1 is a torch.FloatTensor, the model's parameters are a "
         .. "torch.DoubleTensor; device = 'cpu' (of floats) or 'cuda' moves both, or convert the "
         .. "model and the criterion: model:type('torch.FloatTensor')",
         run { data = { input = x:float(), target = t } })
   end)

   it('a loss that is no scalar', function()
      raises('the loss is a torch.DoubleTensor of 24x1, no scalar: reduce it', run {
         loss = function(model, batch) return model:forward(batch.input) - batch.target end,
         data = { input = x, target = t },
      })
      raises("the loss is 'low', expected a number or a tensor of one element",
         run { data = { input = x }, loss = function() return 'low' end })
   end)

   it('a loss written for tensors, and says what it is called with', function()
      local called = ' (the loss is called with the model and the batch: loss = function(model, '
         .. 'batch) ... end)'
      raises('no addition operator' .. called, run { data = { input = x, target = t },
         loss = function(a, b) return (a + b):norm() end })
      raises("attempt to call method 'sum' (a nil value)" .. called,
         run { data = { input = x, target = t }, loss = function(a) return a:sum() end })
      local message = raises('torn', run { data = { input = x, target = t },
         loss = function() error 'torn' end })
      assert.is_nil(message:find('is called with', 1, true))
   end)

   it('arguments of run', function()
      local made = trainer { model = net, criterion = nn.MSECriterion(),
         data = { input = x, target = t } }
      raises('train.Trainer: run takes nothing, got a table; epochs and steps are options',
         made.run, made, { epochs = 2 })
   end)

   it('a loss that is no Variable', function()
      raises('nothing that it was computed from requires a gradient',
         run { data = { input = x }, loss = function() return torch.ones(1) end })
   end)

   it('a loss that was not recorded', function()
      local was = torch.setGradEnabled(false)
      local ok, message = pcall(run { data = { input = x, target = t }, loss = function(m, batch)
         return (m:forward(batch.input) - batch.target):norm()
      end })
      torch.setGradEnabled(was)
      assert.is_false(ok)
      assert.matches('operations are not recorded: torch.setGradEnabled(true)', message, 1, true)
   end)

   it('a loss that is NaN, and names the step', function()
      t[20][1] = 0 / 0
      local data = { input = x, target = t, batchSize = 8, shuffle = false }
      raises('the loss is NaN at step 3 (epoch 1, batch 3); the parameters are those before the '
         .. 'step',
         run { data = data })
      net = problem()
      local made = trainer { model = net, criterion = nn.MSECriterion(), data = data, epochs = 2,
         notFinite = 'skip' }
      made:run()
      assert.equal(4, made.state.t)
      for _, value in ipairs { made.state.parameters:sum(), made.history[2].loss } do
         assert.equal(value, value)
      end
   end)

   it('what would be left out without a word', function()
      local c = nn.MSECriterion()
      local function stream() return function() end end
      refuses('shuffle is for datasets and tensors; data is a loader',
         { model = net, criterion = c, data = stream, shuffle = false })
      refuses('batchSize is for datasets and tensors; data is a loader',
         { model = net, criterion = c, data = stream, batchSize = 3 })
      trainer { model = net, criterion = c, data = stream, batchSize = 3,
         validation = { input = x, target = t } }
      refuses('optim.sgd has no option learningrate; near: learningRate',
         { model = net, criterion = c, data = { input = x, target = t },
            groups = { { parameters = '1', learningrate = 1 } } })
      refuses('train.Engine: there is no hook onupdate; near: onUpdate',
         { model = net, criterion = c, data = { input = x, target = t },
            hooks = { { onupdate = print } } })
      refuses('a metric cannot be called step', { model = net, criterion = c,
         data = { input = x, target = t }, metrics = { step = function() return 1 end } })
      raises('the data have no batches, so there is no loss',
         run { data = { input = x, target = t }, validation = stream, epochs = 1 })
   end)

   it('other things than its options take, and says what they take', function()
      local function with(name, value)
         return { model = net, criterion = nn.MSECriterion(), data = { input = x, target = t },
            [name] = value }
      end
      for _, case in ipairs {
         { 'stopEarly', true, "stopEarly is true, expected { patience = 3, metric = 'loss' }" },
         { 'stopEarly', { patience = -1 }, 'patience is -1, expected a whole number from 0 on' },
         { 'stopEarly', { metric = 5 }, 'stopEarly: metric is 5, expected a string' },
         { 'checkpoint', true, "checkpoint is true, expected a folder, or { folder = 'run'" },
         { 'clip', {}, 'clip is an empty table, expected { norm = 1 }, { value = 0.5 }, or a num' },
         { 'clip', '1', "clip is '1', expected { norm = 1 }, { value = 0.5 }, or a number" },
         { 'average', true, "average is true, expected 'ema', 'swa' or { kind = 'ema'" },
         { 'metrics', 'accuracy', "metrics is 'accuracy', expected a list: metrics = {" },
         { 'metrics', { right = train.Accuracy }, 'metric right is the class train.Accuracy, '
            .. 'expected a function of output and target, or a meter (add, value, reset); with '
            .. 'brackets it is one: train.Accuracy()' },
         { 'metrics', { 'accuracy', accuracy = function() return 1 end },
            'two metrics are called accuracy' },
         { 'hooks', { function() end }, 'train.Engine: a part is a function, expected a table' },
         { 'log', 'run.csv', "log is 'run.csv', expected true, false, or { csv = 'run.csv'" },
         { 'validation', 0.1, 'train.Trainer: validation is 0.1, expected a loader' },
         { 'groups', { parameters = '1', learningRate = 1 }, 'groups is one table, expected a ' },
         { 'schedule', 'cosine',
            "schedule is 'cosine', expected what optim.schedule.cosine gives when it is called" },
         { 'schedule', require('optim').schedule.step,
            'schedule is a function, expected what optim.schedule.step gives when it is called' },
         { 'data', { input = x, target = t, batchsize = 4 },
            'data has batchsize = 4, expected a tensor, or one of batchSize, shuffle, seed, '
            .. 'dropLast; near: batchSize' },
      } do
         refuses(case[3], with(case[1], case[2]))
      end
   end)

   it('a schedule that gives no number', function()
      raises('the schedule gave nil for 0.5, expected a number, a factor of the rate',
         run { data = { input = x, target = t, batchSize = 12 }, schedule = function(n)
            return n == 0 and 1 or nil
         end })
   end)

   it('an iteration function in the place of a loader', function()
      local function batches() return train.Batches({ input = x, target = t })() end
      local text = 'the data gave a table where an epoch begins, expected a function that gives '
         .. 'batch after batch'
      raises(text, run { data = batches() })
      raises(text, run { data = { input = x, target = t }, validation = batches() })
      local made = trainer { model = net, criterion = nn.MSECriterion(), data = batches() }
      raises(text, made.summary, made)
   end)

   it('a network that has changed since', function()
      for _, change in ipairs {
         function() train.freeze(net, '1') end,
         function() train.replace(net, '3', nn.Linear(5, 1)) end,
         function() net:float() end,
      } do
         net, x, t = problem()
         local made = trainer { model = net, criterion = nn.MSECriterion(), epochs = 1,
            data = { input = x, target = t } }
         made:run()
         change()
         raises("the model's parameters are others than when the Trainer was made", made.run, made)
      end
   end)

   it('epochs without batches', function()
      raises('epoch 1 has no batches', run { data = function() return function() end end })
   end)

   it('metrics that nobody measures, before the first epoch', function()
      refuses('checkpoint watches acc, and there is no such value; there are epoch, learningRate, '
         .. 'loss, mae, seconds, step', { model = net, criterion = nn.MSECriterion(),
         data = { input = x, target = t }, metrics = { mae = function() return 1 end },
         checkpoint = { folder = 'never', metric = 'acc' } })
      refuses('the schedule watches validation.loss, and there is no such value; there are ', {
         model = net, criterion = nn.MSECriterion(), data = { input = x, target = t },
         schedule = require('optim').schedule.plateau {}, scheduleMetric = 'validation.loss' })
      local row = trainer({ model = net, criterion = nn.MSECriterion(), epochs = 1,
         data = { input = x, target = t }, stopEarly = { metric = 'mine' },
         hooks = { onEndEpoch = function(state) state.row.mine = 3 end } }):run()
      assert.equal(3, row.mine)
      raises('stopEarly watches validation.los, and there is no such value; near: validation.loss',
         run { data = { input = x, target = t }, validation = { input = x, target = t },
            stopEarly = { metric = 'validation.los' } })
   end)
end)
