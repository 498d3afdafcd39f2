-- Gradients by inputs share memory while a Trainer trains, and only then.
local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local raises = require 'test.support.raises'

local function network()
   torch.manualSeed(2)
   return nn.Sequential()
      :add(nn.Linear(3, 4)):add(nn.Tanh())
      :add(nn.ConcatTable():add(nn.Linear(4, 4)):add(nn.Identity()))
      :add(nn.CAddTable())
      :add(nn.Sequential():add(nn.Linear(4, 4)):add(nn.Sigmoid()))
      :add(nn.Linear(4, 1))
end

local x = torch.linspace(-1, 1, 24):view(8, 3)
local y = x:sum(2)

local function run(net, settings)
   local given = { model = net, criterion = nn.MSECriterion(), log = false, epochs = 3,
      data = { input = x, target = y, batchSize = 4, shuffle = false } }
   for key, value in pairs(settings) do
      given[key] = value
   end
   train.Trainer(given):run()
   return net
end

-- Elements of the gradInputs of the modules inside, but for the net's own.
local function kept(net)
   local count = 0
   net:apply(function(module)
      local g = module.gradInput
      if torch.isTensor(g) and not rawequal(g, net.gradInput) then
         count = count + g:nElement()
      end
   end)
   return count
end

local function by_hand(net)
   net:forward(x)
   net:backward(x, y)
   return kept(net)
end

describe('gradInputs while a Trainer trains', function()
   local function seen(settings)
      local net, counts = network(), {}
      settings.hooks = { onBackward = function() counts[#counts + 1] = kept(net) end }
      run(net, settings)
      return counts
   end

   it('are empty after each backward pass', function()
      assert.same({ 0, 0, 0, 0, 0, 0 }, seen {})
   end)

   it('are there where shareGradInput is false', function()
      for _, count in ipairs(seen { shareGradInput = false }) do
         assert.is_true(count >= 4 * 4)
      end
   end)

   it('have no say in what is learnt', function()
      local shared, plain = run(network(), {}), run(network(), { shareGradInput = false })
      assert.is_true(torch.equal(shared:getParameters(), plain:getParameters()))
      assert.is_false(torch.equal(shared:getParameters(), (network():getParameters())))
   end)

   it('are kept again afterwards, and by copies that are made meanwhile', function()
      local copy
      local net = run(network(), { hooks = { onUpdate = function(state)
         copy = state.network:clone()
      end } })
      local wanted = by_hand(network())
      assert.is_true(wanted > 0)
      assert.equal(wanted, by_hand(net))
      assert.equal(wanted, by_hand(copy))
   end)

   it('are kept again after an error', function()
      local net = network()
      raises('enough', run, net, { hooks = { onUpdate = function() error 'enough' end } })
      assert.equal(by_hand(network()), by_hand(net))
   end)

   it('stay shared where the script has said so', function()
      assert.equal(0, by_hand(run(network():shareGradInput(), {})))
      assert.equal(0, by_hand(run(network():shareGradInput(), { shareGradInput = false })))
   end)
end)
