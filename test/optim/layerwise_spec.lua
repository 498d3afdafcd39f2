-- LAMB and Adafactor, which look at each layer's tensor, against their papers in plain numbers.

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local SIZES = { { 2, 3 }, { 3 } }
local START = { 1, -2, 3, 0.5, -1.5, 2, 0.25, 4, -1 }

local function gradient(i, t) return math.sin(i * 1.7 + t * t * 0.3) * i / 3 end

local function run(name, x, config, steps)
   local state = {}
   for t = 1, steps do
      optim[name](function(p)
         local g = {}
         for i = 1, #START do
            g[i] = gradient(i, t)
         end
         return 0, p.new(torch.LongStorage { #g }):copy(torch.DoubleTensor(g))
      end, x, config, state)
   end
   return state
end

local function norm(list, first, last)
   local sum = 0
   for i = first, last do
      sum = sum + list[i] ^ 2
   end
   return math.sqrt(sum)
end

local function lamb(steps, options)
   local x, m, v = { unpack(START) }, {}, {}
   local b1, b2 = options.beta1 or 0.9, options.beta2 or 0.999
   local epsilon, decay = options.epsilon or 1e-6, options.weightDecay or 0.01
   for t = 1, steps do
      local u = {}
      for i = 1, #x do
         local g = gradient(i, t)
         m[i] = b1 * (m[i] or 0) + (1 - b1) * g
         v[i] = b2 * (v[i] or 0) + (1 - b2) * g * g
         u[i] = m[i] / (1 - b1 ^ t) / (math.sqrt(v[i] / (1 - b2 ^ t)) + epsilon) + decay * x[i]
      end
      for _, layer in ipairs { { 1, 6 }, { 7, 9 } } do
         local ratio = norm(x, unpack(layer)) / norm(u, unpack(layer))
         for i = layer[1], layer[2] do
            x[i] = x[i] - 0.1 * ratio * u[i]
         end
      end
   end
   return x
end

-- One 2 x 3 matrix, elements 1 to 6, and a vector of 3.
local function adafactor(steps, options)
   local x, rows, columns, variance = { unpack(START) }, { 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }
   local eps1, eps2, d = options.eps1 or 2 ^ -52, options.eps2 or 1e-3, options.d or 1
   local function mean(list)
      local sum = 0
      for _, value in ipairs(list) do
         sum = sum + value
      end
      return sum / #list
   end
   local function move(first, last, u, t)
      local count = last - first + 1
      local a = math.max(eps2, norm(x, first, last) / math.sqrt(count))
         * math.min(0.1, 1 / math.sqrt(t))
      local size = norm(u, first, last) / math.sqrt(count)
      for i = first, last do
         x[i] = (1 - 0.1 * (options.weightDecay or 0)) * x[i] - a / math.max(1, size / d) * u[i]
      end
   end
   for t = 1, steps do
      local r, u = t ^ (options.beta2Decay or -0.8), {}
      local function g2(i) return gradient(i, t) ^ 2 end
      for row = 1, 2 do
         local k = 3 * (row - 1)
         rows[row] = rows[row] + r * (mean { g2(k + 1), g2(k + 2), g2(k + 3) } - rows[row])
      end
      for column = 1, 3 do
         columns[column] = columns[column]
            + r * (mean { g2(column), g2(column + 3) } - columns[column])
      end
      for i = 1, 6 do
         local v = rows[math.ceil(i / 3)] * columns[(i - 1) % 3 + 1] / mean(rows)
         u[i] = gradient(i, t) / math.max(math.sqrt(v), eps1)
      end
      for i = 7, 9 do
         variance[i - 6] = variance[i - 6] + r * (g2(i) - variance[i - 6])
         u[i] = gradient(i, t) / math.max(math.sqrt(variance[i - 6]), eps1)
      end
      move(1, 6, u, t)
      move(7, 9, u, t)
   end
   return x
end

local options = {
   lamb = { { beta1 = 0.6 }, { beta2 = 0.9 }, { epsilon = 0.1 }, { weightDecay = 0.3 } },
   adafactor = {
      { beta2Decay = -0.3 }, { eps1 = 0.3 }, { eps2 = 3 }, { d = 0.5 }, { weightDecay = 0.2 },
   },
}

local cases = {
   lamb = { lamb, { learningRate = 0.1, weightDecay = 0.05 } },
   adafactor = { adafactor, { learningRate = 0.1 } },
}

describe('layer by layer:', function()
   it('layers that share parameters are one', function()
      local layer = nn.Linear(3, 3)
      local net = nn.Sequential():add(layer)
         :add(layer:clone('weight', 'bias', 'gradWeight', 'gradBias'))
      local x = net:getParameters()
      for _, name in ipairs { 'lamb', 'adafactor' } do
         local function step(list)
            local p = x:clone()
            optim[name](function() return 0, torch.range(1, 12) end, p, list)
            return p
         end
         numbers.same(step { shapes = { { 3, 3 }, { 3 } } }, step { parameters = net })
      end
   end)

   it('a layer that has a part of another one\'s parameters has none of its own', function()
      local large, small = nn.Linear(3, 4), nn.Linear(3, 2)
      small.weight = large.weight:narrow(1, 1, 2)
      small.gradWeight = large.gradWeight:narrow(1, 1, 2)
      local net = nn.ConcatTable():add(small):add(large)
      local x = net:getParameters()
      local function step(list)
         local p = x:clone()
         optim.lamb(function() return 0, torch.range(1, 18) end, p, list)
         return p
      end
      numbers.same(step { shapes = { { 4, 3 }, { 2 }, { 4 } } }, step { parameters = net })
   end)

   for name, case in pairs(cases) do
      local config = setmetatable({ shapes = SIZES }, { __index = case[2] })

      it(name .. ' follows its paper', function()
         local x = torch.DoubleTensor(START)
         run(name, x, config, 8)
         numbers.equal(case[1](8, case[2]), x, 1e-11)
         local y = torch.FloatTensor(START)
         run(name, y, config, 8)
         numbers.equal(case[1](8, case[2]), y, 1e-4)
      end)

      for _, given in ipairs(options[name]) do
         it(name .. ' takes ' .. next(given), function()
            local x = torch.DoubleTensor(START)
            given.learningRate, given.shapes = 0.1, SIZES
            run(name, x, given, 8)
            numbers.equal(case[1](8, given), x, 1e-11)
         end)
      end

      it(name .. ' takes the shapes from tensors or from the network', function()
         local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Linear(2, 1)):double()
         local x = net:getParameters():copy(torch.DoubleTensor(11):uniform(-1, 1))
         local y, z = x:clone(), x:clone()
         local function opfunc(p) return 0, torch.cos(p) end
         optim[name](opfunc, y, { shapes = { { 2, 3 }, { 2 }, { 1, 2 }, { 1 } } }, {})
         optim[name](opfunc, z, { parameters = net:parameters() }, {})
         optim[name](opfunc, x, { parameters = net }, {})
         assert.is_true(x:equal(y))
         assert.is_true(x:equal(z))
      end)

      it(name .. ' refuses shapes that are not those of x', function()
         local function opfunc(x) return 0, x:clone() end
         raises(name .. ': the 2 shapes have 9 elements, x has 4', optim[name], opfunc,
            torch.ones(4), config, {})
         raises(name .. ': shape 1 is a number', run, name, torch.ones(9), { shapes = { 9 } }, 1)
         raises(name .. ': x has gaps', optim[name], opfunc, torch.ones(4, 2):select(2, 1))
      end)

      it(name .. ' survives layers and gradients that are 0', function()
         local x = torch.zeros(9)
         local state = {}
         optim[name](function() return 0, torch.zeros(9) end, x, config, state)
         assert.same(torch.zeros(9):totable(), x:totable())
         optim[name](function() return 0, torch.ones(9) end, x, config, state)
         assert.is_true(x:max() < 0 and x:min() > -1)
      end)
   end

   it('finds the layers where they are in x, whatever the order of the list', function()
      for _, name in ipairs { 'lamb', 'adafactor' } do
         local function trained(flattened_before)
            torch.manualSeed(1)
            local net = nn.Sequential():add(nn.Linear(2, 3)):add(nn.Linear(3, 2))
            if flattened_before then
               net:getParameters()
            end
            torch.manualSeed(2)
            net:insert(nn.Linear(3, 3), 2)
            -- One whose dimensions are not in the order of memory.
            net:get(3).weight, net:get(3).gradWeight =
               net:get(3).weight:t():clone():t(), net:get(3).gradWeight:t():clone():t()
            local x, g = net:getParameters()
            for _, p in ipairs { net:get(1), net:get(2), net:get(3) } do
               p.gradWeight:copy(p.weight):cmul(p.weight)
               p.gradBias:copy(p.bias):mul(3)
            end
            local state = {}
            optim[name](function() return 0, g end, x, { parameters = net, learningRate = 0.1 },
               state)
            return net
         end
         local net, other = trained(false), trained(true)
         for i = 1, 3 do
            numbers.same(net:get(i).weight, other:get(i).weight, 1e-15)
            numbers.same(net:get(i).bias, other:get(i).bias, 1e-15)
         end
      end
   end)

   it('adafactor keeps rows and columns of a matrix, not a number for each weight', function()
      local state = run('adafactor', torch.Tensor(START), { shapes = SIZES }, 1)
      assert.equal(2, state.kept[1].rows:nElement())
      assert.equal(3, state.kept[1].columns:nElement())
      assert.is_nil(state.kept[1].variance)
   end)
end)
