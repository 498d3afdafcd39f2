local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local train = require 'torch.train'
local raises = require 'test.support.raises'
local problem = require 'test.torch.train.problem'

local function trainer(settings)
   settings.log = settings.log or false
   local made = train.Trainer(settings)
   return made
end

-- The same by hand: batches as they come, one step each.
local function by_hand(optimiser, config, size, epochs)
   local net, x, t = problem()
   local criterion = nn.MSECriterion()
   local parameters, gradients = net:getParameters()
   for _ = 1, epochs do
      for first = 1, 24, size do
         local n = math.min(size, 24 - first + 1)
         local a, b = x:narrow(1, first, n), t:narrow(1, first, n)
         optimiser(function()
            gradients:zero()
            local loss = criterion:forward(net:forward(a), b)
            net:backward(a, criterion:backward(net.output, b))
            return loss, gradients
         end, parameters, config)
      end
   end
   return parameters
end

describe('train.Trainer', function()
   for _, name in ipairs { 'sgd', 'adam', 'nag', 'lbfgs', 'rprop' } do
      it('takes the steps of the loop written by hand, bit for bit: ' .. name, function()
         local net, x, t = problem()
         local rate = name == 'lbfgs' and 0.1 or 0.01
         local made = trainer {
            model = net, criterion = nn.MSECriterion(), optimizer = name,
            options = { learningRate = name ~= 'rprop' and rate or nil },
            data = { input = x, target = t, batchSize = 10, shuffle = false }, epochs = 3,
         }
         made:run()
         local wanted = by_hand(optim[name],
            { learningRate = name ~= 'rprop' and rate or nil }, 10, 3)
         assert.is_true(torch.equal(wanted, made.state.parameters))
         assert.equal(9, made.state.t)
      end)
   end

   it('adds up batches: 3 of 4 samples are a step of 12', function()
      local net, x, t = problem()
      local made = trainer {
         model = net, criterion = nn.MSECriterion(), options = { learningRate = 0.1 },
         data = { input = x, target = t, batchSize = 4, shuffle = false }, accumulate = 3,
         epochs = 2,
      }
      made:run()
      local wanted = by_hand(optim.sgd, { learningRate = 0.1 }, 12, 2)
      assert.is_true((wanted - made.state.parameters):abs():max() < 1e-14)
      assert.equal(4, made.state.t)
   end)

   it('refuses to add up for an optimiser that looks more than once', function()
      local net, x, t = problem()
      raises('accumulate cannot be used with this optimizer', function()
         trainer {
            model = net, criterion = nn.MSECriterion(), optimizer = 'lbfgs', accumulate = 2,
            data = { input = x, target = t, batchSize = 6 }, epochs = 1,
         }:run()
      end)
   end)

   it('takes a loss of Variables', function()
      local net, x, t = problem()
      local made = trainer {
         model = net, options = { learningRate = 0.1 },
         loss = function(model, batch)
            local y = model:forward(batch.x)
            return torch.pow(y - batch.t, 2):mean(), y
         end,
         data = { x = x, t = t, batchSize = 12, shuffle = false }, epochs = 2,
      }
      made:run()
      local wanted = by_hand(optim.sgd, { learningRate = 0.1 }, 12, 2)
      assert.is_true((wanted - made.state.parameters):abs():max() < 1e-12)
      local y = net:forward(x)
      assert.is_false(y:isVariable())
      assert.near((y - t):pow(2):mean(), made:evaluate({ x = x, t = t }).loss, 1e-12)
   end)

   it('calls the hooks in their order', function()
      local net, x, t = problem()
      local seen, hooks = {}, {}
      for _, name in ipairs { 'onStart', 'onStartEpoch', 'onSample', 'onForward',
         'onForwardCriterion', 'onBackwardCriterion', 'onBackward', 'onGradients', 'onUpdate',
         'onEndEpoch', 'onEnd' } do
         hooks[name] = function(state)
            seen[#seen + 1] = name .. (state.training and '' or ' test')
         end
      end
      trainer {
         model = net, criterion = nn.MSECriterion(), epochs = 1, hooks = hooks, batchSize = 24,
         data = { input = x, target = t }, validation = { input = x, target = t },
      }:run()
      assert.same({ 'onStart', 'onStartEpoch', 'onSample', 'onForward', 'onForwardCriterion',
         'onBackwardCriterion', 'onBackward', 'onGradients', 'onUpdate', 'onSample test',
         'onForward test', 'onForwardCriterion test', 'onEndEpoch', 'onEnd' }, seen)
   end)

   it('clips: a step of SGD is no longer than rate times norm', function()
      local net, x, t = problem()
      local before
      trainer {
         model = net, criterion = nn.MSECriterion(), options = { learningRate = 0.5 },
         clip = 1e-3, steps = 4, data = { input = x, target = t * 100, batchSize = 6 },
         hooks = {
            onGradients = function(state) before = state.parameters:clone() end,
            onUpdate = function(state)
               assert.near(0.5e-3, (state.parameters - before):norm(), 1e-8)
            end,
         },
      }:run()
      net = problem()
      trainer {
         model = net, criterion = nn.MSECriterion(), clip = { value = 1e-4 }, steps = 1,
         data = { input = x, target = t * 100 },
         hooks = { onUpdate = function(state)
            assert.near(1e-4, state.gradients:abs():max(), 1e-12)
         end },
      }:run()
   end)

   it('lets a schedule of epochs set the rate', function()
      local net, x, t = problem()
      local made = trainer {
         model = net, criterion = nn.MSECriterion(), options = { learningRate = 1 },
         schedule = optim.schedule.step(1, 0.5), epochs = 3, clip = 1e-3,
         data = { input = x, target = t, batchSize = 8, shuffle = false },
      }
      local lengths = {}
      local before = made.state.parameters:clone()
      made.engine:hook { onUpdate = function(state)
         lengths[#lengths + 1] = (state.parameters - before):norm()
         before:copy(state.parameters)
      end }
      made:run()
      for i, factor in ipairs { 1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25 } do
         assert.near(1e-3 * factor, lengths[i], 2e-6)
      end
      assert.same({ 0.5, 0.25, 0.125 }, { made.history[1].learningRate,
         made.history[2].learningRate, made.history[3].learningRate })
   end)

   it('lets a plateau watch a value of a hook', function()
      local net, x, t = problem()
      local made = trainer {
         model = net, criterion = nn.MSECriterion(), options = { learningRate = 1 }, epochs = 4,
         schedule = optim.schedule.plateau { patience = 0, gamma = 0.5 },
         scheduleMetric = 'mine', clip = 1e-3, data = { input = x, target = t },
         hooks = { onEndEpoch = function(state)
            state.row.mine = ({ 3, 2, 5, 6 })[state.epoch]
         end },
      }
      made:run()
      -- Halved after the third epoch, and after the fourth.
      assert.same({ 1, 1, 1, 0.5 }, { made.history[1].learningRate, made.history[2].learningRate,
         made.history[3].learningRate, made.history[4].learningRate })
      raises('scheduleMetric is for optim.schedule.plateau', trainer, {
         model = net, criterion = nn.MSECriterion(), data = { input = x, target = t },
         scheduleMetric = 'loss' })
   end)

   it('stops when the loss has not fallen for longer than its patience', function()
      local net, x, t = problem()
      local made = trainer {
         model = net, criterion = nn.MSECriterion(), options = { learningRate = 0 }, epochs = 50,
         data = { input = x, target = t }, stopEarly = { patience = 2 },
      }
      made:run()
      assert.equal(4, made.state.epoch) -- the first is the best, two may be no better
   end)

   it('leaves the average of the weights in the model', function()
      local net, x, t = problem()
      local sum, count, evaluated = nil, nil, {}
      local made = trainer {
         model = net, criterion = nn.MSECriterion(), options = { learningRate = 0.1 }, epochs = 5,
         data = { input = x, target = t, batchSize = 8 }, average = { kind = 'swa', from = 2 },
         validation = { input = x, target = t },
         hooks = { onEndEpoch = function(state)
            if state.epoch > 2 then
               sum = sum and sum + state.parameters or state.parameters:clone()
               count = (count or 0) + 1
               evaluated[count] = state.row['validation.loss']
            end
         end },
      }
      made:run()
      assert.equal(3, count)
      assert.is_true((sum / count - made.state.parameters):abs():max() < 1e-14)
      -- What the last epoch was evaluated with.
      assert.near(nn.MSECriterion():forward(net:forward(x), t), evaluated[3], 1e-12)
   end)

   it('gives groups of parameters rates of their own', function()
      local net, x, t = problem()
      local made = trainer {
         model = net, criterion = nn.MSECriterion(), options = { learningRate = 0.1 },
         groups = { { parameters = '1.*', learningRate = 0 } }, steps = 3,
         data = { input = x, target = t },
      }
      local first, last = net:get(1).weight:clone(), net:get(3).weight:clone()
      made:run()
      assert.is_true(torch.equal(first, net:get(1).weight))
      assert.is_true((last - net:get(3).weight):abs():max() > 1e-3)
   end)

   it('measures what it trains and what it does not', function()
      torch.manualSeed(2)
      local x, t = torch.randn(30, 4), torch.LongTensor(30):random(3)
      local net = nn.Sequential():add(nn.Linear(4, 3)):add(nn.LogSoftMax())
      local confusion = optim.ConfusionMatrix(3)
      local made = trainer {
         model = net, criterion = nn.ClassNLLCriterion(), options = { learningRate = 0 },
         epochs = 1, data = { input = x, target = t, batchSize = 7 },
         validation = { input = x, target = t },
         metrics = { 'accuracy', 'top5', counts = confusion,
            mean = function(y) return y:mean() end },
      }
      local row = made:run()
      local y = net:forward(x)
      local _, places = y:max(2)
      local right = places:view(-1):eq(t):sum() / 30
      for _, prefix in ipairs { '', 'validation.' } do
         assert.near(right, row[prefix .. 'accuracy'], 1e-12)
         assert.near(right, row[prefix .. 'counts'], 1e-12)
         assert.near(1, row[prefix .. 'top5'], 1e-12)
         assert.near(y:mean(), row[prefix .. 'mean'], 1e-12)
         assert.near(nn.ClassNLLCriterion():forward(y, t), row[prefix .. 'loss'], 1e-12)
      end
   end)

   it('leaves a network that was in evaluation there', function()
      local net, x, t = problem()
      local made = trainer { model = net, criterion = nn.MSECriterion(),
         data = { input = x, target = t }, epochs = 1 }
      net:evaluate()
      made:evaluate { input = x, target = t }
      assert.is_false(net:get(1).train)
      made:run()
      assert.is_true(net:get(1).train)
   end)

   it('names layer and line where data do not fit', function()
      local net, _, t = problem()
      local message = raises('net.1: nn.Linear: input is 24x2, expected N x 3 or 3', function()
         trainer { model = net, criterion = nn.MSECriterion(), epochs = 1,
            data = { input = torch.ones(24, 2), target = t } }:run()
      end)
      assert.matches('Trainer_spec.lua:%d+: net.1', message)
   end)

   it('takes whatever gives batches', function()
      local _, x, t = problem()
      local dataset = { size = function() return 24 end,
         get = function(_, i) return { input = x[i], target = t[i] } end }
      local function stream()
         local i = 0
         return function()
            i = i + 1
            return i <= 3 and { input = x:narrow(1, 8 * i - 7, 8), target = t:narrow(1,
               8 * i - 7, 8) }
               or nil
         end
      end
      local iterator = setmetatable({}, { __call = stream }) -- as torchnet's are
      local results = {}
      for i, data in ipairs { { input = x, target = t }, dataset, stream, iterator } do
         local net = problem()
         local cut, order = i <= 2 and 8, nil -- the others have batches and an order of their own
         if cut then
            order = false
         end
         local made = trainer { model = net, criterion = nn.MSECriterion(), data = data,
            batchSize = cut or nil, shuffle = order, epochs = 2 }
         made:run()
         results[i] = made.state.parameters
         assert.equal(6, made.state.t)
      end
      for i = 2, 4 do
         assert.is_true(torch.equal(results[1], results[i]))
      end
   end)

   it('ends within an epoch where steps say so, and goes on there', function()
      local net, x, t = problem()
      local made = trainer { model = net, criterion = nn.MSECriterion(), steps = 4, seed = 1,
         data = { input = x, target = t, batchSize = 8 } }
      local row = made:run()
      assert.same({ 1, 1, 4 }, { made.state.epoch, made.state.batch, row.step })
      made.steps = 7
      made:run()
      local whole = trainer { model = (problem()), criterion = nn.MSECriterion(), steps = 7,
         seed = 1,
         data = { input = x, target = t, batchSize = 8 } }
      whole:run()
      assert.is_true(torch.equal(whole.state.parameters, made.state.parameters))
   end)
end)
