-- Networks in stages, against the same micro-batches one after the other.
local torch = require 'torch'
local distributed = require 'distributed'
local nn = require 'nn'
local optim = require 'optim'
local batches = require 'distributed.pipeline.batches'
local schedule = require 'distributed.pipeline.schedule'
local joined = require 'test.support.joined'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'
local workers = require 'test.support.workers'

-- Stages that take as long forward as backward: when all are done, and how many micro-batches each
-- has under way at most.
local function simulated(stages, count)
   local ended, queues, free, most = {}, {}, {}, {}
   for s = 1, stages do
      queues[s], free[s], most[s] = schedule.passes(s, stages, count), 0, 0
   end
   local function key(s, pass)
      return ('%d %s %d'):format(s, pass.forward and 'F' or 'B', pass.at)
   end
   local at, underway = {}, {}
   repeat
      local moved = false
      for s, queue in ipairs(queues) do
         at[s], underway[s] = at[s] or 1, underway[s] or 0
         local pass = queue[at[s]]
         local other = pass and (pass.forward and s - 1 or s + 1)
         local needs = 0
         if pass and other >= 1 and other <= stages then
            needs = ended[key(other, pass)]
         end
         if pass and needs then
            underway[s] = underway[s] + (pass.forward and 1 or -1)
            most[s] = math.max(most[s], underway[s])
            free[s] = math.max(free[s], needs) + 1
            ended[key(s, pass)], at[s], moved = free[s], at[s] + 1, true
         end
      end
   until not moved
   for s, queue in ipairs(queues) do
      assert.equal(#queue + 1, at[s])
   end
   return math.max(unpack(free)), most
end

describe('the schedule of a pipeline', function()
   it('takes each micro-batch forward and back, in the time that the fill of the pipe costs',
      function()
         for stages = 1, 6 do
            for count = 1, 9 do
               local time, most = simulated(stages, count)
               assert.equal(2 * (count + stages - 1), time)
               for s = 1, stages do
                  assert.equal(schedule.underway(s, stages, count), most[s])
               end
            end
         end
      end)

   it('cuts batches into rows that differ by one at most', function()
      assert.same({ { 1, 3 }, { 4, 3 }, { 7, 2 }, { 9, 2 } }, batches.ranges(10, 4))
      local parts = batches.cut({ torch.range(1, 5), mask = torch.range(6, 10) },
         batches.ranges(5, 2))
      assert.same({ 4, 5 }, parts[2][1]:totable())
      assert.same({ 6, 7, 8 }, parts[1].mask:totable())
      assert.same({ 6, 7, 8, 9, 10 }, batches.join(parts).mask:totable())
      local names, boxes = { 'a', 'b', 'c' }, { torch.ones(2), torch.ones(3), torch.ones(1) }
      local three = { torch.range(1, 3), torch.range(4, 6), torch.range(7, 9) } -- no list of rows
      local cut = batches.part({ names = names, boxes = boxes, three = three, more = { 1, 2 },
         mixed = { 1, 2, 3, n = 3 } }, 2, 2, 3)
      assert.same({ 'b', 'c' }, cut.names)
      assert.is_true(#cut.boxes == 2 and rawequal(cut.boxes[1], boxes[2]))
      assert.is_true(#cut.three == 3 and cut.three[3]:equal(torch.Tensor { 8, 9 }))
      assert.same({ more = { 1, 2 }, mixed = { 1, 2, 3, n = 3 } }, { more = cut.more,
         mixed = cut.mixed })
   end)
end)

-- The micro-batches of a batch, one after the other; the loss.
local function accumulated(net, x, t, criterion, count)
   local rows, loss = x:size(1), 0
   for _, range in ipairs(batches.ranges(rows, count)) do
      local part, target = x:narrow(1, range[1], range[2]), t:narrow(1, range[1], range[2])
      local weight = criterion.sizeAverage == false and 1 or range[2] / rows
      loss = loss + weight * criterion:forward(net:forward(part), target)
      net:backward(part, criterion:backward(net.output, target):mul(weight))
   end
   return loss
end

local function make()
   torch.manualSeed(3)
   return nn.Sequential():add(nn.Linear(4, 6)):add(nn.BatchNormalization(6)):add(nn.Dropout(0.3))
      :add(nn.Sequential():add(nn.Tanh()):add(nn.Linear(6, 5))):add(nn.ReLU()):add(nn.Linear(5, 2))
end

describe('copies on the host', function()
   local host_copy = require 'distributed.host_copy'

   it('are of a tensor alone or of tables, and share memory where the sources do', function()
      local x = torch.randn(4, 3)
      local copy = host_copy.nest(x)
      assert.is_true(copy:equal(x) and copy:storage() ~= x:storage())
      x[1]:fill(7)
      assert.is_true(copy[1]:ne(7):all())
      local both = host_copy.nest { a = x, { b = x[2], n = 3 } }
      assert.is_true(both.a:equal(x) and both[1].b:isSetTo(both.a[2]) and both[1].n == 3)
      assert.is_false(both.a:isSetTo(x))
      assert.equal(5, host_copy.nest(5))
   end)
end)

describe('distributed.Pipeline in one process', function()
   local x, t
   before_each(function()
      torch.manualSeed(1)
      x, t = torch.randn(10, 4), torch.randn(10, 2)
   end)

   it('gives the bits of its micro-batches one after the other', function()
      for _, count in ipairs { 1, 2, 4, 10 } do
         for _, average in ipairs { true, false } do
            local criterion = nn.MSECriterion(average)
            local plain, model = make(), make()
            local net = distributed.Pipeline(model, { devices = { 1, 2, 3 }, microBatches = count,
               layers = { 3, 1, 3 } })
            for step = 1, 3 do
               plain:zeroGradParameters()
               net:zeroGradParameters()
               torch.manualSeed(step)
               local wanted = accumulated(plain, x, t, criterion, count)
               torch.manualSeed(step)
               assert.equal(wanted, net:forwardBackward(x, t, criterion))
               local p, g = plain:parameters()
               local q, h = net:parameters()
               assert.equal(#p, #q)
               numbers.same(joined(g), joined(h), 0)
               plain:updateParameters(0.1)
               net:updateParameters(0.1)
               numbers.same(joined(p), joined(q), 0)
               if step == 1 then -- parameters move: copies follow
                  net:getParameters()
               end
            end
            numbers.same(plain:get(2).running_var, model:get(2).running_var, 0)
            plain:evaluate()
            net:evaluate()
            numbers.same(plain:forward(x), net:forward(x), 1e-15)
            numbers.same(plain:forward(x:narrow(1, 1, 1)), net:forward(x:narrow(1, 1, 1)), 1e-15)
         end
      end
   end)

   it('gives the gradient of the batch, where layers treat samples alike', function()
      torch.manualSeed(5)
      local plain = nn.Sequential():add(nn.Linear(4, 6)):add(nn.Tanh()):add(nn.Linear(6, 2))
      local net = distributed.Pipeline(plain:clone(), { devices = { 1, 2 }, microBatches = 4 })
      local criterion = nn.MSECriterion()
      plain:zeroGradParameters()
      net:zeroGradParameters()
      local loss = criterion:forward(plain:forward(x), t)
      plain:backward(x, criterion:backward(plain.output, t))
      assert.near(loss, net:forwardBackward(x, t, criterion), 1e-14)
      local _, g = plain:parameters()
      local _, h = net:parameters()
      numbers.same(joined(g), joined(h), 1e-14)
   end)

   it('counts criterions without a sizeAverage of their own by what they do', function()
      local crossed = nn.CrossEntropyCriterion()
      crossed.nll.sizeAverage = false
      local classes = torch.LongTensor(10):random(2)
      for _, case in ipairs {
         { nn.MultiCriterion():add(nn.MSECriterion(false)):add(nn.AbsCriterion(false), 0.5), t },
         { nn.MultiCriterion():add(nn.MSECriterion()):add(nn.AbsCriterion()), t },
         { nn.L1Cost(), t }, { crossed, classes }, { nn.CrossEntropyCriterion(), classes },
         { nn.CrossEntropyCriterion(nil, false), classes } } do
         local criterion, target = unpack(case)
         local function small()
            torch.manualSeed(2)
            return nn.Sequential():add(nn.Linear(4, 3)):add(nn.Tanh()):add(nn.Linear(3, 2))
         end
         local plain = small()
         local net = distributed.Pipeline(small(), { devices = { 1, 2 }, microBatches = 4 })
         local loss = criterion:forward(plain:forward(x), target)
         plain:zeroGradParameters()
         plain:backward(x, criterion:backward(plain.output, target))
         net:zeroGradParameters()
         assert.near(loss, net:forwardBackward(x, target, criterion), 1e-12)
         local _, g = plain:parameters()
         local _, own = net:parameters()
         assert.is_true((joined(own) - joined(g)):abs():max() < 1e-12)
      end
      local net = distributed.Pipeline(make(), { devices = { 1, 2 } })
      raises('parts of the nn.MultiCriterion disagree: a sum over samples and a mean',
         net.forwardBackward, net, x, t,
         nn.MultiCriterion():add(nn.MSECriterion()):add(nn.L1Cost()))
   end)

   it('weighs the losses of micro-batches as each criterion of nn has it', function()
      local losses = require 'distributed.pipeline.losses'
      local count = 0
      for name, list in pairs(require('test.support.samples').criterions) do
         for _, sample in ipairs(list) do
            torch.manualSeed(3)
            local criterion = sample.new()
            local input, target = sample.input()
            local ok, rows = pcall(batches.rows, 'x', input)
            local weighted = criterion.weights or criterion.nll and criterion.nll.weights
            if ok and rows > 1 and target ~= nil and pcall(batches.rows, 't', target)
               and not (weighted and criterion.sizeAverage ~= false) then -- a mean of each part
               local ranges, sum = batches.ranges(rows, 2), 0
               local own = losses.of(criterion, ranges, rows, 1)
               local inputs, targets = batches.cut(input, ranges), batches.cut(target, ranges)
               local whole = criterion:forward(input, target)
               for m = 1, 2 do
                  sum = sum + own:of(inputs[m], targets[m], m)
               end
               assert.near(whole, sum, 1e-12, name)
               count = count + 1
            end
         end
      end
      assert.is_true(count > 30, count)
   end)

   it('takes a function of Variables for a criterion, and any target then', function()
      local plain = make()
      plain:evaluate()
      local net = distributed.Pipeline(plain:clone(), { devices = { 1, 2 }, microBatches = 4 })
      net:evaluate()
      local criterion, seen = nn.MSECriterion(), 0
      plain:zeroGradParameters()
      local loss = criterion:forward(plain:forward(x), t)
      plain:backward(x, criterion:backward(plain.output, t))
      for _, scale in ipairs { 1, 3 } do
         net:zeroGradParameters()
         local found = net:forwardBackward(x, { y = t, factor = torch.ones(1), name = 'mse' },
            function(y, target)
               seen = seen + y:size(1)
               assert.equal('mse', target.name)
               return torch.pow(y - target.y, 2):mean() * target.factor, torch.tanh(y)
            end, { keep = true, scale = scale })
         assert.near(loss, found, 1e-13)
         numbers.same(joined((select(2, plain:parameters()))) * scale,
            joined((select(2, net:parameters()))), 1e-13)
         numbers.same(torch.tanh(plain.output), net.output, 1e-14)
         assert.is_false(net.output:isVariable())
      end
      assert.equal(20, seen)
      for text, f in pairs {
         ['the loss is 3, expected a Variable of one element'] = function() return 3 end,
         ['of 1 that requires no gradient'] = function() return torch.ones(1) end,
         ['that is no scalar: reduce it, as by loss:mean()'] = function(y) return y end,
         ['expected a criterion, or a function of output and target, got 5'] = 5,
      } do
         raises(text, net.forwardBackward, net, x, t, f)
      end
   end)

   it('hands tables from stage to stage, and takes tables', function()
      local plain = nn.Sequential()
         :add(nn.ParallelTable():add(nn.Linear(4, 3)):add(nn.Linear(4, 3)))
         :add(nn.ParallelTable():add(nn.Tanh()):add(nn.Sigmoid())):add(nn.CMulTable())
         :add(nn.Linear(3, 2))
      local net = distributed.Pipeline(plain:clone(), { devices = { 1, 2, 3, 4 },
         microBatches = 5 })
      local criterion, given = nn.MSECriterion(), { x, torch.randn(10, 4) }
      plain:zeroGradParameters()
      net:zeroGradParameters()
      local loss = criterion:forward(plain:forward(given), t)
      plain:backward(given, criterion:backward(plain.output, t))
      assert.near(loss, net:forwardBackward(given, t, criterion), 1e-14)
      numbers.same(joined((select(2, plain:parameters()))), joined((select(2, net:parameters()))),
         1e-14)
      numbers.same(plain:forward(given), net:forward(given), 1e-14)
   end)

   it('trains by an optimiser that steps on each stage', function()
      local plain = make()
      plain:evaluate() -- without noise
      local net = distributed.Pipeline(plain:clone(), { devices = { 1, 2 }, microBatches = 2 })
      net:evaluate()
      local criterion = nn.MSECriterion()
      local p, g = plain:getParameters()
      local parameters, gradients = net:getParameters()
      assert.equal(2, #parameters)
      local adam, state, shared = optim.groups { optim.adam }, {}, {}
      for _ = 1, 5 do
         optim.adam(function()
            plain:zeroGradParameters()
            return accumulated(plain, x, t, criterion, 2), g
         end, p, { learningRate = 0.05 }, state)
         adam(function()
            net:zeroGradParameters()
            return net:forwardBackward(x, t, criterion), gradients
         end, parameters, { learningRate = 0.05 }, shared)
      end
      numbers.same(p, torch.cat(parameters, 1), 0)
      local whole = distributed.whole(net)
      assert.equal('nn.Sequential', torch.type(whole))
      assert.equal(7, whole:size())
      whole:evaluate()
      numbers.same(plain:forward(x), whole:forward(x), 1e-15)
      local again = torch.deserialize(torch.serialize(net))
      numbers.same(plain:forward(x), again:forward(x), 1e-15)
      numbers.same(plain:forward(x):float(), net:float():forward(x:float()), 1e-5)
      assert.matches('distributed.Pipeline { stages 1 to 2 of 2, 2 micro-batches', tostring(net), 1,
         true)
   end)

   it('refuses what it cannot do', function()
      local criterion = nn.MSECriterion()
      local function net(settings)
         return distributed.Pipeline(nn.Sequential():add(nn.Linear(4, 2)):add(nn.Tanh()), settings)
      end
      raises('distributed.Pipeline: expected an nn.Sequential, whose layers can be parted, got a '
         .. 'nn.Linear', distributed.Pipeline, nn.Linear(1, 1))
      raises('nn.Placed: the net has 2 layers, and there are 3 devices', net,
         { devices = { 1, 2, 3 } })
      raises('layers is { 1, 2 }, expected 2 numbers with the sum 2', net,
         { devices = { 1, 2 }, layers = { 1, 2 } })
      raises("distributed.Pipeline: there is no option 'chunks'", net, { chunks = 3 })
      local p = net { devices = { 1, 2 }, microBatches = 4 }
      raises('4 micro-batches of 3 rows: microBatches is at most the rows of a batch',
         p.forwardBackward, p, torch.ones(3, 4), torch.ones(3, 2), criterion)
      raises('x has 8 rows (on the first rank), the target has 7 (on the last)', p.forwardBackward,
         p, torch.ones(8, 4), torch.ones(7, 2), criterion)
      raises('the target is nil on the last rank', p.forwardBackward, p, torch.ones(8, 4), nil,
         criterion)
      raises('expected a criterion, or a function of output and target, got nil', p.forwardBackward,
         p, torch.ones(8, 4), torch.ones(8, 2))
      raises('tensors of 8 and 7 rows', p.forward, p, { torch.ones(8, 4), torch.ones(7, 4) })
      raises('nn.Linear: input is 2x5, expected N x 4', p.forwardBackward, p, torch.ones(8, 5),
         torch.ones(8, 2), criterion)
      raises('forwardBackward(x, target, criterion) computes gradients', p.backward, p)
      assert.is_true(p:forwardBackward(torch.ones(8, 4), torch.ones(8, 2), criterion) > 0)
      local Own = torch.class('nn.PipelineSpecSequential', 'nn.Sequential', {})
      function Own.updateOutput(self, input)
         return nn.Sequential.updateOutput(self, input):mul(2)
      end
      raises('the nn.PipelineSpecSequential has a method updateOutput of its own',
         distributed.Pipeline, Own.new():add(nn.Tanh()):add(nn.Tanh()), { devices = { 1, 2 } })
      local shared = nn.Linear(4, 4)
      raises('parts 1 and 2 share parameters', distributed.Pipeline, nn.Sequential():add(shared)
         :add(shared:clone('weight', 'bias', 'gradWeight', 'gradBias')), { devices = { 1, 2 } })
   end)
end)

if not workers.available then
   return
end

local SETUP = [[
   local nn, optim = require 'nn', require 'optim'
   local batches = require 'distributed.pipeline.batches'
   local function make()
      torch.manualSeed(3)
      return nn.Sequential():add(nn.Linear(4, 6)):add(nn.BatchNormalization(6)):add(nn.Tanh())
         :add(nn.ConcatTable():add(nn.Linear(6, 5)):add(nn.Linear(6, 5)))
         :add(nn.ParallelTable():add(nn.Tanh()):add(nn.Sigmoid())):add(nn.CMulTable())
         :add(nn.Linear(5, 2))
   end
   local function accumulated(net, x, t, criterion, count)
      local rows, loss = x:size(1), 0
      for _, range in ipairs(batches.ranges(rows, count)) do
         local part, target = x:narrow(1, range[1], range[2]), t:narrow(1, range[1], range[2])
         loss = loss + range[2] / rows * criterion:forward(net:forward(part), target)
         net:backward(part, criterion:backward(net.output, target):mul(range[2] / rows))
      end
      return loss
   end
   torch.manualSeed(9)
   local x, t, criterion = torch.randn(10, 4), torch.randn(10, 2), nn.MSECriterion()
]]

describe('distributed.Pipeline over ranks', function()
   local of_three = workers.blocks(it, 3, SETUP)

   of_three('trains with the bits of its micro-batches one after the other', [[
      for _, layers in ipairs { { 3, 2, 2 }, { 1, 3, 3 }, false } do
         for _, count in ipairs { 1, 2, 4, 10 } do
            local plain, model = make(), make()
            if rank == 2 then model:get(1).weight:fill(9) end        -- becomes rank 1's
            local net = distributed.Pipeline(model, { microBatches = count,
               layers = layers or nil })
            local p, g = plain:getParameters()
            local parameters, gradients = net:getParameters()
            assert(#parameters == 1 and #net.modules == 1)
            local adam, state, shared = optim.groups { optim.adam }, {}, {}
            for _ = 1, 3 do
               local wanted, loss
               optim.adam(function()
                  plain:zeroGradParameters()
                  wanted = accumulated(plain, x, t, criterion, count)
                  return wanted, g
               end, p, { learningRate = 0.05 }, state)
               adam(function()
                  net:zeroGradParameters()
                  loss = net:forwardBackward(rank == 1 and x or nil, rank == 3 and t or nil,
                     criterion)
                  return loss, gradients
               end, parameters, { learningRate = 0.05 }, shared)
               assert(loss == wanted, ('%.17g, wanted %.17g'):format(loss, wanted))
            end
            local whole = distributed.whole(net)
            same((whole:getParameters()), p, 'parameters')
            same(whole:get(2).running_mean, plain:get(2).running_mean, 'statistics')
            plain:evaluate() net:evaluate() whole:evaluate()
            local y = net:forward(rank == 1 and x or nil)
            assert((y - plain:forward(x)):abs():max() < 1e-15)
            same(whole:forward(x), plain.output, 'the whole')
         end
      end
   ]])

   of_three('hands large tensors and other types on', [[
      local plain = nn.Sequential():add(nn.LookupTable(50, 300)):add(nn.Mean(2))
         :add(nn.Linear(300, 400)):add(nn.Tanh()):add(nn.Linear(400, 300)):float()
      local net = distributed.Pipeline(plain:clone(), { microBatches = 4, layers = { 2, 1, 2 } })
      local words = torch.LongTensor(200, 7):random(50)
      local wanted = torch.FloatTensor(200, 300):normal()
      local criterion = nn.MSECriterion():float()
      plain:zeroGradParameters() net:zeroGradParameters()
      local loss = accumulated(plain, words, wanted, criterion, 4)
      assert(net:forwardBackward(words, wanted, criterion) == loss)
      local stage = net:get(1)
      local own = select(2, (rank == 1 and plain:get(1) or rank == 2 and plain:get(3)
         or plain:get(5)):parameters())
      same(select(2, stage:parameters())[1], own[1], 'gradient')
   ]])

   -- Large enough that a message is still on its way when the next comes in.
   of_three('sends outputs and gradients that lie in the memory of what came', [[
      local n = 200000
      local function viewed()
         return nn.Sequential():add(nn.CMul(n)):add(nn.View(-1, n)):add(nn.MulConstant(1))
      end
      local plain, model = viewed(), viewed()
      plain:get(1).weight:fill(1) model:get(1).weight:fill(1)
      local net = distributed.Pipeline(model, { microBatches = 6, layers = { 1, 1, 1 } })
      local rows = torch.range(1, 12):view(12, 1):expand(12, n):clone()
      local wanted = rows * 2
      for _ = 1, 3 do
         same(net:forward(rows), rows, 'outputs')
         plain:zeroGradParameters() net:zeroGradParameters()
         local loss = net:forwardBackward(rows, wanted, criterion)
         assert(loss == accumulated(plain, rows, wanted, criterion, 6))
         if rank == 1 then same(net:get(1):get(1).gradWeight, plain:get(1).gradWeight, 'slopes') end
      end
   ]])

   of_three('says who disagrees, and what is wrong, on all ranks', [[
      raises('the net has 2 layers, and there are 3 ranks', distributed.Pipeline,
         nn.Sequential():add(nn.Linear(1, 1)):add(nn.Tanh()))
      raises('the ranks disagree: parameter 1 is 6x4 DoubleTensor on rank 1 (of 2), 5x4 '
         .. 'DoubleTensor on rank 3 (of 2)', distributed.Pipeline, nn.Sequential()
         :add(nn.Linear(4, rank == 3 and 5 or 6)):add(nn.Tanh()):add(nn.Tanh()),
         { layers = { 1, 1, 1 } })
      raises('4 micro-batches and stages of', distributed.Pipeline, make(),
         { microBatches = rank == 2 and 4 or 2 })
      raises('devices are those of one process, and there are 3', distributed.Pipeline, make(),
         { devices = { 1, 2 } })
      local net = distributed.Pipeline(make(), { microBatches = 4 })
      raises('4 micro-batches of 3 rows', net.forwardBackward, net, x:narrow(1, 1, 3),
         t:narrow(1, 1, 3), criterion)
      raises('x has 10 rows (on the first rank), the target has 9', net.forwardBackward, net, x,
         t:narrow(1, 1, 9), criterion)
      raises('x is nil on the first rank', net.forwardBackward, net, nil, t, criterion)
      raises('rank 1 is at forward, rank 2 at forwardBackward of 4 micro-batches', function()
         if rank == 1 then net:forward(x) else net:forwardBackward(x, t, criterion) end
      end)
      net.microBatches = rank == 3 and 2 or 4
      raises('rank 1 is at forwardBackward of 4 micro-batches, rank 3 at forwardBackward of 2',
         net.forwardBackward, net, x, t, criterion)
      net.microBatches = 4
      local loss = net:forwardBackward(x, t, criterion)              -- and goes on
      same(distributed.allGather(torch.Tensor { loss }):view(3), { loss, loss, loss })
   ]])

   of_three('has stages without parameters', [[
      local plain = nn.Sequential():add(nn.Linear(4, 2)):add(nn.Tanh()):add(nn.MulConstant(2))
      local net = distributed.Pipeline(plain:clone(), { microBatches = 2, layers = { 1, 1, 1 } })
      local parameters, gradients = net:getParameters()
      local adam, state = optim.groups { optim.adam }, {}
      assert(#parameters == 1 and parameters[1]:nElement() == (rank == 1 and 10 or 0))
      local p, g = plain:getParameters()
      for _ = 1, 2 do
         adam(function()
            net:zeroGradParameters()
            return net:forwardBackward(x, t, criterion), gradients
         end, parameters, { learningRate = 0.1 }, state)
      end
      local own = {}
      for _ = 1, 2 do
         optim.adam(function()
            g:zero()
            return accumulated(plain, x, t, criterion, 2), g
         end, p, { learningRate = 0.1 }, own)
      end
      same((distributed.whole(net):getParameters()), p)
   ]])

   of_three('works in groups of ranks', [[
      if rank < 3 then
         local group = distributed.group { 1, 2 }
         local plain = make()
         local net = distributed.Pipeline(make(), { group = group, microBatches = 3 })
         plain:zeroGradParameters() net:zeroGradParameters()
         local wanted = accumulated(plain, x, t, criterion, 3)
         assert(net:forwardBackward(x, t, criterion) == wanted)
         local whole = distributed.whole(net)
         same((whole:getParameters()), (plain:getParameters()))
      end
   ]])

   of_three('keeps the memory of its own layers alone, once the net is given away', [[
      local function resident() -- MiB
         collectgarbage() collectgarbage()
         require('torch.ffi').C.TH_emptyCache()
         local status = io.open('/proc/self/status'):read '*a'
         return tonumber(status:match 'VmRSS:%s*(%d+)') / 1024
      end
      local function large()
         local net = nn.Sequential()
         for _ = 1, 3 do
            local layer = nn.Linear(1000, 1000) -- 8 MB of weights, as many of gradients
            layer.gradWeight:fill(1)
            net:add(layer)
         end
         return net
      end
      local before = resident()
      local net = large()
      local whole = resident() - before
      assert(whole > 40, whole)
      net = distributed.Pipeline(net, { microBatches = 2, layers = { 1, 1, 1 } })
      local own = resident() - before
      assert(own < whole / 3 + 4, ('%g MiB of %g'):format(own, whole))
      assert(distributed.whole(net):getParameters():nElement() == 3 * 1001000)
   ]])

   for what, row in pairs {
      ['fails'] = { "error 'my mistake'", 'my mistake', 20 },
      ['is killed'] = { 'ffi.C.raise(9)', 'exited on signal 9', 20 },
      ['hangs'] = { 'ffi.C.raise(19)', 'rank 2 has not come within 3 s', 3 },
   } do
      it('ends on all ranks when a stage ' .. what, function()
         local output, status = workers.run(3, SETUP:gsub('\n', ' ') .. ([[
            local ffi = require 'ffi'
            ffi.cdef 'int raise(int signal);'
            local net = distributed.Pipeline(make(), { microBatches = 2 })
            net:forwardBackward(x, t, criterion)
            if rank == 2 then net:get(1):get(1).updateOutput = function() %s end end
            net:forwardBackward(x, t, criterion)
         ]]):format(row[1]), '--timeout ' .. row[3])
         assert.not_equal(0, status)
         assert.matches(row[2], output, 1, true)
      end)
   end
end)
