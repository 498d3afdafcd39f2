-- How sequences are cut into parts; test/cunn/larger_spec.lua has the parts on devices.
local torch = require 'torch'
local nn = require 'nn'
local balance = require 'nn.containers.balance'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

-- The largest part of the best cut, by trying all.
local function best(costs, parts, first)
   first = first or 1
   if parts == 1 then
      local sum = 0
      for i = first, #costs do
         sum = sum + costs[i]
      end
      return sum
   end
   local least, own = math.huge, 0
   for last = first, #costs - parts + 1 do
      own = own + costs[last]
      least = math.min(least, math.max(own, best(costs, parts - 1, last + 1)))
   end
   return least
end

local function chain(...)
   local net, widths = nn.Sequential(), { ... }
   for i = 2, #widths do
      net:add(nn.Linear(widths[i - 1], widths[i])):add(nn.Tanh())
   end
   return net
end

describe('nn.Placed', function()
   it('cuts where the largest part is smallest', function()
      assert.same({ 1, 3 }, balance.cut({ 10, 1, 1, 1 }, 2))
      assert.same({ 2, 1, 1 }, balance.cut({ 1, 1, 5, 5 }, 3))
      assert.same({ 1, 1, 1 }, balance.cut({ 0, 0, 0 }, 3))
      torch.manualSeed(2)
      for n = 1, 9 do
         for parts = 1, math.min(n, 4) do
            local costs = {}
            for i = 1, n do
               costs[i] = torch.random(20)
            end
            local largest, at, counts = 0, 0, balance.cut(costs, parts)
            assert.equal(parts, #counts)
            for _, count in ipairs(counts) do
               assert.is_true(count >= 1)
               local sum = 0
               for i = at + 1, at + count do
                  sum = sum + costs[i]
               end
               largest, at = math.max(largest, sum), at + count
            end
            assert.equal(n, at)
            assert.equal(best(costs, parts), largest)
         end
      end
   end)

   it('counts parameters, and outputs where there is an input', function()
      local net = nn.Sequential():add(nn.Linear(3, 5)):add(nn.Dropout(0.5))
         :add(nn.BatchNormalization(5)):add(nn.Linear(5, 2))
      local layers = balance.layers(net)
      -- doubles: weight and bias with a gradient and two moments
      assert.same({ 20 * 32, 0, 10 * 32, 12 * 32 }, balance.costs(layers))
      local x = torch.randn(7, 3)
      local before = torch.getRNGState()
      assert.same({ 20 * 32 + 2 * 40 * 7, 2 * 40 * 7, 10 * 32 + 2 * 40 * 7, 12 * 32 + 2 * 16 * 7 },
         balance.costs(layers, x))
      assert.is_true(torch.getRNGState():equal(before))
      assert.is_true(net:get(2).train)                    -- as it was, and nothing was learnt
      assert.equal(0, net:get(3).running_mean:abs():max())
      assert.equal(0, net:get(1).output:nElement())
   end)

   it('takes the layers of sequences within, and a cut by hand', function()
      local net = nn.Sequential():add(chain(4, 5, 6)):add(nn.Linear(6, 2))
      local placed = nn.Placed(net:clone(), { 2, 1 }, { layers = { 1, 4 } })
      assert.equal(1, placed:get(1):get(1):size())
      assert.equal(4, placed:get(2):get(1):size())
      assert.equal(2, placed:get(1).device)
      assert.equal(2, placed:get(2).outdevice)            -- where the input came from
      local x = torch.randn(3, 4)
      numbers.same(net:forward(x), nn.Placed(net:clone(), { 1, 1 }):forward(x), 0)
      local by_memory = nn.Placed(chain(100, 100, 2, 2), { 1, 2 })
      assert.equal(2, by_memory:get(1):get(1):size())     -- the activation stays with its layer
      local by_outputs = nn.Placed(chain(2, 300, 2, 2), { 1, 2 }, { input = torch.randn(500, 2) })
      assert.equal(1, by_outputs:get(1):get(1):size())
   end)

   it('has a vector for each part, whatever memory they had', function()
      local net = chain(4, 5, 6, 2)
      local flat = net:getParameters()
      local placed = nn.Placed(net, { 1, 2 }, { layers = { 2, 4 } })
      local parameters, gradients = placed:getParameters()
      assert.same({ 25, 50 }, { parameters[1]:nElement(), parameters[2]:nElement() })
      numbers.same(flat, torch.cat(parameters, 1), 0)
      assert.not_equal(torch.pointer(parameters[1]:storage()),
         torch.pointer(parameters[2]:storage()))
      gradients[2]:fill(3)
      assert.equal(3, placed:get(2):get(1):get(1).gradWeight:min())
   end)

   it('says what is wrong with devices and cuts', function()
      local net = chain(4, 5, 6)
      raises('nn.Placed: the net has 4 layers, and there are 5 devices', nn.Placed, net,
         { 1, 2, 3, 4, 5 })
      raises('nn.Placed: layers is { 1, 1 }, expected 2 numbers with the sum 4: the net has 4 '
         .. 'layers', nn.Placed, net, { 1, 2 }, { layers = { 1, 1 } })
      raises('nn.Placed: layers[2] is 0, expected a whole number from 1 on', nn.Placed, net,
         { 1, 2 }, { layers = { 4, 0 } })
      raises('nn.Placed: device 1 of the list is 0, expected a whole number from 1 on', nn.Placed,
         net, { 0 })
      raises('nn.Placed: expected a list of devices such as { 1, 2 }', nn.Placed, net, {})
      raises("nn.Placed: there is no option 'layer'; near: layers", nn.Placed, net, { 1 },
         { layer = { 4 } })
      raises('nn.Placed: expected an nn.Sequential, whose layers can be parted, got a nn.Tanh',
         nn.Placed, nn.Tanh(), { 1 })
   end)
end)
