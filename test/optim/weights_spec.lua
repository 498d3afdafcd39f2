-- Parameter groups, and averages of weights.

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local function network()
   torch.manualSeed(5)
   return nn.Sequential():add(nn.Linear(3, 4)):add(nn.Tanh()):add(nn.Linear(4, 2)):float()
end

local function opfunc(x) return x:sum(), torch.cos(x) end

describe('optim.groups', function()
   it('takes other options for some parameters of a flat tensor', function()
      local net = network()
      local x = net:getParameters()
      local biases = optim.vectors(net)
      assert.equal(2, #biases)
      local adamw = optim.groups { optim.adamw, { parameters = biases, weightDecay = 0 } }
      local config = { learningRate = 0.1, weightDecay = 0.5 }
      -- By hand: all of x with each of the two options, and each parameter from its own.
      local decayed, plain, states = x:clone(), x:clone(), { {}, {} }
      local state = {}
      for _ = 1, 4 do
         local _, losses = adamw(opfunc, x, config, state)
         assert.equal(1, #losses)
         optim.adamw(opfunc, decayed, config, states[1])
         optim.adamw(opfunc, plain, { learningRate = 0.1, weightDecay = 0 }, states[2])
      end
      local wanted = torch.cat({
         decayed:narrow(1, 1, 12), plain:narrow(1, 13, 4), decayed:narrow(1, 17, 8),
         plain:narrow(1, 25, 2),
      }, 1)
      assert.is_true(x:equal(wanted))
      assert.is_false(x:equal(decayed))
      assert.equal(4, #state.groups)
   end)

   it('does the same to the list of net:parameters()', function()
      local flat, net = network(), network()
      local x, list = flat:getParameters(), net:parameters()
      local function listed(tensors)
         local g = {}
         for i, p in ipairs(tensors) do
            g[i] = torch.cos(p)
         end
         return 0, g
      end
      local function made(n)
         return optim.groups { optim.adam, { parameters = optim.vectors(n), learningRate = 0.5 } }
      end
      local one, two = made(flat), made(net)
      local states = { {}, {} }
      for _ = 1, 3 do
         one(opfunc, x, { learningRate = 0.1 }, states[1])
         two(listed, list, { learningRate = 0.1 }, states[2])
      end
      for i, p in ipairs(flat:parameters()) do
         assert.is_true(p:equal(list[i]), 'parameter ' .. i)
      end
   end)

   it('takes parts of several vectors', function()
      local flat, net = network(), network()
      local x, whole = (flat:getParameters()), (network():getParameters())
      local half = math.floor(x:nElement() / 2)
      local list = { whole:narrow(1, 1, half):clone(),
         whole:narrow(1, half + 1, x:nElement() - half):clone() }
      assert.is_true(torch.cat(list, 1):equal(x))
      local function made(a, b)
         return optim.groups { optim.adam, { parameters = { a }, learningRate = 0.5 },
            { parameters = b, weightDecay = 0.1 } }
      end
      local one = made(x:narrow(1, 2, 2), x:narrow(1, half + 1, 3))
      local two = made(list[1]:narrow(1, 2, 2), list[2]:narrow(1, 1, 3))
      local at = { {}, {} }
      for _ = 1, 3 do
         one(opfunc, x, { learningRate = 0.1 }, at[1])
         two(function(tensors)
            local _, first = opfunc(tensors[1])
            local _, second = opfunc(tensors[2])
            return 0, { first, second }
         end, list, { learningRate = 0.1 }, at[2])
      end
      assert.is_true(torch.cat(list, 1):equal(x))
      assert.equal(5, #at[2].groups)
      local sizes = {}
      for i, part in ipairs(two:parts(list)) do
         sizes[i] = part:nElement()
      end
      assert.same({ 1, 2, half - 3, 3, x:nElement() - half - 3 }, sizes)
      raises('parameter 1 of group 1 does not lie in x', made(net:getParameters(), {}),
         function() return 0, list end, list, {})
   end)

   it('takes parameters that layers share', function()
      local first = nn.Linear(2, 3):noBias()
      local net = nn.Sequential():add(first):add(first:clone('weight', 'gradWeight'))
         :add(nn.Linear(3, 3))
      net:zeroGradParameters()
      local function decayed(x, g, parameters) -- of ones without a gradient, the others by half
         first.weight:fill(1)
         net:get(3).bias:fill(1)
         optim.groups { optim.sgd, { parameters = parameters, weightDecay = 0 } }(
            function() return 0, g end, x, { learningRate = 0.5, weightDecay = 1 })
         return first.weight[1][1], net:get(3).bias[1]
      end
      local x, g = net:parameters()
      assert.same({ 1, 0.5 }, { decayed(x, g, { first.weight }) }) -- is in x twice
      local both = nn.Sequential():add(net:get(1)):add(net:get(2))
      assert.same({ 1, 0.5 }, { decayed(x, g, both) })
      x, g = net:getParameters()
      assert.same({ 1, 0.5 }, { decayed(x, g, both) })
   end)

   it('hears of changes in config, schedules among them, and keeps its state in it', function()
      local x = torch.zeros(4)
      local sgd = optim.groups { optim.sgd, { parameters = x:narrow(1, 2, 2), learningRate = 10 } }
      local function slope() return 0, torch.ones(4) end
      local config = { learningRate = 1 }
      sgd(slope, x, config)
      numbers.equal({ -1, -10, -10, -1 }, x)
      config.learningRate = 2
      sgd(slope, x, config)
      numbers.equal({ -3, -20, -20, -3 }, x)
      optim.schedule.attach(config, optim.schedule.constant(0.5))
      sgd(slope, x, config)
      numbers.equal({ -4, -25, -25, -4 }, x)
      assert.equal(3, #config.groups)
   end)

   it('goes on after its state was saved', function()
      local x = torch.ones(4)
      local function made(p)
         return optim.groups { optim.adam, { parameters = p:narrow(1, 1, 2) } }
      end
      local adam, state = made(x), {}
      adam(opfunc, x, {}, state)
      local y, other = x:clone(), torch.deserialize(torch.serialize(state))
      adam(opfunc, x, {}, state)
      made(y)(opfunc, y, {}, other)
      assert.is_true(x:equal(y))
   end)

   it('says what is wrong', function()
      local x = torch.ones(4)
      raises('optim.groups: parameter 1 of group 1 does not lie in x', function()
         optim.groups { optim.sgd, { parameters = torch.ones(2) } }(opfunc, x)
      end)
      raises('optim.groups: a parameter is in two groups', function()
         optim.groups {
            optim.sgd, { parameters = x }, { parameters = x:narrow(1, 2, 1) },
         }(opfunc, x)
      end)
      raises('optim.groups: group 1 has nothing as parameters', optim.groups, { optim.sgd, {} })
      raises('optim.groups: the first entry is nil, expected an optimiser', optim.groups, {})
      raises('optim.groups: optim.lbfgs cannot go group by group', optim.groups, { optim.lbfgs })
      raises('optim.groups: opfunc returned no gradient for parameter 2', function()
         optim.groups { optim.sgd }(function() return 0, { torch.ones(4) } end,
            { x, torch.ones(2) })
      end)
      raises('optim.groups: opfunc returned nothing as gradient', function()
         optim.groups { optim.sgd }(function() return 0 end, x)
      end)
   end)
end)

describe('optim.EMA', function()
   it('follows the weights with its decay', function()
      local x, wanted = torch.DoubleTensor { 1, -1 }, { 1, -1 }
      local ema = optim.EMA(x, 0.9)
      for t = 1, 5 do
         x:add(t)
         ema:update()
         for i = 1, 2 do
            wanted[i] = 0.9 * wanted[i] + 0.1 * x[i]
         end
      end
      numbers.equal(wanted, ema.average[1], 1e-12)
      assert.equal('optim.EMA(1 tensors, decay 0.9, 5 updates)', tostring(ema))
   end)

   it('may begin with a smaller decay', function()
      local x = torch.DoubleTensor { 0 }
      local ema = optim.EMA(x, 0.9, true)
      x:fill(11)
      ema:update()
      assert.near(9, ema.average[1][1], 1e-12) -- decay 2/11
   end)

   it('exchanges, copies and is saved', function()
      local net = network()
      local before = net:clone():parameters()
      local ema = optim.EMA(net, 0.5)
      for _, p in ipairs((net:parameters())) do
         p:add(1)
      end
      ema:swap()
      for i, p in ipairs((net:parameters())) do
         assert.is_true(p:equal(before[i]))
         assert.is_true(ema.average[i]:equal(before[i] + 1))
      end
      ema:swap():update()
      local copy = torch.deserialize(torch.serialize(ema))
      for i, a in ipairs(copy.average) do
         numbers.same(before[i] + 0.5, a, 1e-6)
      end
      ema:copyTo()
      for i, p in ipairs((net:parameters())) do
         assert.is_true(p:equal(copy.average[i]))
      end
   end)

   it('says what is wrong', function()
      raises('optim.EMA: decay is 1.5, expected a number from 0 to 1', optim.EMA, torch.ones(1),
         1.5)
      raises('optim.EMA: parameters is a number, expected a tensor', optim.EMA, 7)
      local x = torch.ones(2)
      local ema = optim.EMA(x)
      x:resize(3)
      raises('optim.EMA: parameter 1 has 3 elements, its average 2', ema.update, ema)
   end)

   it('exchanges what layers share once', function()
      local layer = nn.Linear(2, 2)
      local net = nn.Sequential():add(layer):add(layer:clone('weight', 'bias'))
      local before = layer.weight:clone()
      local ema = optim.EMA(net, 0.5)
      layer.weight:add(1)
      ema:update()
      ema:swap()
      numbers.same(before + 0.5, layer.weight, 1e-15)
      ema:swap()
      numbers.same(before + 1, layer.weight, 1e-15)
      local other = nn.Sequential():add(nn.Linear(2, 2)):add(nn.Linear(2, 2)) -- shares nothing
      raises('optim.EMA: tensor 1 is 3x2 DoubleTensor', ema.copyTo, ema,
         { torch.Tensor(3, 2), 1, 1, 1 })
      ema:copyTo(other)
      numbers.same(before + 0.5, other:get(2).weight, 1e-15)
   end)

   it('has one average of weights that are tied, transposed', function()
      local encoder, decoder = nn.Linear(3, 2), nn.Linear(2, 3)
      decoder.weight, decoder.gradWeight = encoder.weight:t(), encoder.gradWeight:t()
      local net = nn.Sequential():add(encoder):add(decoder)
      local before = encoder.weight:clone()
      local ema = optim.EMA(net, 0.5)
      ema:copyTo()
      numbers.same(before, encoder.weight, 0)
      encoder.weight:add(1)
      ema:update()
      numbers.same((before + 0.5):t(), ema.average[3], 1e-15)
      local other = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Linear(2, 3)) -- shares nothing
      ema:copyTo(other)
      numbers.same(before + 0.5, other:get(1).weight, 1e-15)
      numbers.same((before + 0.5):t(), other:get(2).weight, 1e-15)
   end)

   it('has one average of a tensor and its parts', function()
      local w = torch.range(1, 16):double():view(4, 4)
      local before = w:clone()
      for _, list in ipairs { { w, w:narrow(1, 2, 2) }, { w:narrow(1, 2, 2), w },
         { w:t(), w:narrow(1, 2, 2) } } do
         w:copy(before)
         local ema = optim.EMA(list, 0.5)
         w:add(2)
         ema:update():swap()
         numbers.same(before + 1, w, 1e-12)
         ema:swap()
         numbers.same(before + 2, w, 1e-12)
         ema:copyTo()
         numbers.same(before + 1, w, 1e-12)
         local others = { list[1]:clone():zero(), list[2]:clone():zero() }
         ema:copyTo(others)
         numbers.same(list[1], others[1], 1e-12)
         numbers.same(list[2], others[2], 1e-12)
      end
   end)

   it('takes averages that were saved with one for each that shares', function()
      local a, b = nn.Linear(2, 2, false), nn.Linear(2, 2, false)
      b:share(a, 'weight', 'gradWeight')
      local net = nn.Sequential():add(a):add(b)
      local ema = optim.EMA(net, 0.5)
      ema.average[2] = ema.average[1]:clone() -- as it was in such a file
      local wanted = a.weight + 2
      a.weight:add(4)
      ema:update()
      local other = nn.Sequential():add(nn.Linear(2, 2, false)):add(nn.Linear(2, 2, false))
      ema:copyTo(other)
      numbers.same(wanted, other:get(2).weight, 1e-15)
      ema:copyTo()
      numbers.same(wanted, a.weight, 1e-15)
   end)

   it('writes nothing into a net of fewer tensors, or of others', function()
      local map = nn.MapTable(nn.Linear(2, 2))
      map:forward { torch.randn(2), torch.randn(2) }
      local ema = optim.EMA(map)
      map:clearState()
      map.module.weight:fill(7)
      raises('optim.EMA: there are averages of 4 tensors, but 2 to write them into', ema.copyTo,
         ema, map)
      assert.equal(7, map.module.weight:min())
      ema:copyTo()
      assert.is_true(map.module.weight:max() < 7)
      local list = { torch.zeros(2, 2), torch.zeros(2), torch.zeros(2, 2), torch.zeros(3) }
      raises('optim.EMA: tensor 4 is 3 DoubleTensor, but the average 2 DoubleTensor', ema.copyTo,
         ema, list)
      assert.equal(0, list[1]:abs():max())
   end)
end)

describe('optim.SWA', function()
   it('is the mean of the weights at its updates', function()
      local x = torch.DoubleTensor { 100 }
      local swa = optim.SWA { x }
      for _, value in ipairs { 1, 2, 6 } do
         x:fill(value)
         swa:update()
      end
      assert.near(3, swa.average[1][1], 1e-12)
      assert.equal('optim.SWA(1 tensors, 3 updates)', tostring(swa))
   end)
end)
