-- Nets that get smaller while a Trainer trains them, and those that learn from larger ones.
local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local train = require 'torch.train'
local numbers = require 'test.support.numbers'
local shell = require 'test.support.shell'

local function make(width)
   torch.manualSeed(3)
   return nn.Sequential():add(nn.Linear(4, width or 8)):add(nn.Tanh()):add(nn.Linear(width or 8, 3))
end

local function data()
   torch.manualSeed(5)
   local x = torch.randn(20, 4)
   local _, classes = x:narrow(2, 1, 3):max(2)
   return { input = x, target = classes:view(-1), batchSize = 5, shuffle = false }
end

local function trainer(settings)
   local all = { model = make(), criterion = nn.CrossEntropyCriterion(), data = data(),
      optimizer = 'adam', options = { learningRate = 0.02 }, epochs = 3, log = false, seed = 2 }
   for name, value in pairs(settings) do
      all[name] = value
   end
   return train.Trainer(all)
end

-- The same steps in a loop by hand; each(net, x, classes) gives loss and slope.
local function by_hand(each, after)
   local net, all = make(), data()
   local p, g = net:getParameters()
   local config, state = { learningRate = 0.02 }, {}
   for _ = 1, 3 do
      for first = 1, 20, 5 do
         local x, t = all.input:narrow(1, first, 5), all.target:narrow(1, first, 5)
         optim.adam(function()
            g:zero()
            local loss, slope = each(net:forward(x), x, t)
            net:backward(x, slope)
            return loss, g
         end, p, config, state)
         if after then after(net) end
      end
   end
   return p
end

describe("a Trainer's option pruning", function()
   local SCHEDULE = { amount = 0.75, from = 2, to = 8, every = 2 }

   it('takes the steps of an nn.Pruner behind each of the optimiser', function()
      local criterion, pruner = nn.CrossEntropyCriterion(), nil
      local wanted = by_hand(function(y, _, t)
         return criterion:forward(y, t), criterion:backward(y, t)
      end, function(net)
         pruner = pruner or nn.Pruner(net, SCHEDULE)
         pruner:step()
      end)
      local made = trainer { pruning = SCHEDULE }
      local row = made:run()
      numbers.same(wanted, made.state.parameters, 0)
      assert.equal(0.75, pruner:sparsity())
      assert.equal(0.75, row.sparsity)
      assert.equal(0, made.history[1].sparsity)
      assert.is_true(made.history[2].sparsity > 0.3 and made.history[2].sparsity < 0.75)
   end)

   it('goes on from a checkpoint, with averages of what is left', function()
      shell.with_folder(function(folder)
         local function new(epochs)
            return trainer { pruning = SCHEDULE, average = 'ema', epochs = epochs,
               checkpoint = { folder = folder, every = 5, keep = 9 } }
         end
         local whole = new(3)
         whole:run()
         local again = new(3)
         assert.is_true(again:resume(5))
         assert.equal(5, again.pruner.count)
         again:run()
         numbers.same(whole.state.parameters, again.state.parameters, 0)
         assert.equal(0.75, again.history[3].sparsity)
      end)
   end)
end)

describe("a Trainer's option distillation", function()
   it('gives the steps of nn.DistillationCriterion, and evaluates by the criterion', function()
      local teacher = make(16)
      teacher:add(nn.Dropout(0.5))                        -- which a teacher leaves out
      local own = teacher:clone()
      own:evaluate()
      local criterion = nn.DistillationCriterion(3, 0.7)
      local wanted = by_hand(function(y, x, t)
         local target = { own:forward(x), t }
         return criterion:forward(y, target), criterion:backward(y, target)
      end)
      local before = teacher:clone():getParameters()
      local made = trainer { distillation = { teacher = teacher, temperature = 3, share = 0.7 },
         metrics = { 'accuracy' }, validation = data() }
      local row = made:run()
      numbers.same(wanted, made.state.parameters, 0)
      numbers.same(before, (teacher:getParameters()), 0)
      local plain, all = nn.CrossEntropyCriterion(), data()
      made.model:evaluate()
      assert.near(plain:forward(made.model:forward(all.input), all.target), row['validation.loss'],
         1e-12)
      assert.is_number(row['validation.accuracy'])
   end)

   it('takes log-probabilities for scores', function()
      local function run(log)
         local net, teacher = make(), make(16)
         if log then
            net:add(nn.LogSoftMax())
            teacher:add(nn.LogSoftMax())
         end
         local made = trainer { model = net, distillation = { teacher = teacher },
            criterion = log and nn.ClassNLLCriterion() or nil }
         made:run()
         return made.state.parameters
      end
      numbers.same(run(false), run(true), 1e-9)
   end)
end)
