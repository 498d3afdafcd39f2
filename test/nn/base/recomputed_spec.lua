-- Walks nn: gradients of gradients through layers and criterions, against central differences of
-- the gradients along random directions, by inputs and by parameters.
local torch = require 'torch'
local nn = require 'nn'
local nests = require 'test.support.nests'
local raises = require 'test.support.raises'
local samples = require 'test.support.samples'

local leaves, map, is_integer, clone = nests.leaves, nests.map, nests.is_integer, nests.clone

local STEP, SEED = 1e-5, 7

local OTHER = 'does not give the gradient of its backward'

-- Without real inputs, or without a derivative at all.
local CONSTANT = { OneHot = true, Kmeans = true, LookupTable = true, LookupTableBag = true }

local function random(t)
   return torch.rand(t:nElement()):add(-0.5):typeAs(t):viewAs(t)
end

local function dot(list, others)
   local sum
   for i, t in ipairs(list) do
      local part = t and t:contiguous():dot(others[i])
      sum = part and (sum and sum + part or part) or sum
   end
   return sum
end

-- Variables in the places of an input's real tensors, moved by `step` along the directions.
local function variables_of(input, directions, step)
   local list = {}
   return map(function(x)
      if is_integer(x) then
         return x
      end
      local v = x:clone()
      if directions then
         v:add(step, directions[#list + 1])
      end
      list[#list + 1] = v:requiresGrad()
      return v
   end, clone(input)), list
end

-- u . (the gradient of w . f by the inputs), recorded, and the inputs.
local function slope(f, input, drawn, directions, step)
   local nest, list = variables_of(input, directions, step or 0)
   torch.manualSeed(SEED)
   local outputs = {}
   for _, y in ipairs(leaves(f(nest))) do
      if torch.isTensor(y) and y:isVariable() then
         outputs[#outputs + 1] = y
      end
   end
   drawn.w = drawn.w or map(random, outputs)
   local gradients = torch.grad(outputs, list,
      { gradOutputs = drawn.w, createGraph = true, allowUnused = true })
   drawn.u = drawn.u or map(random, list)
   return dot(gradients, drawn.u), list
end

local function number(x)
   return torch.isTensor(x) and x:item() or x
end

local function check(sample, object, f, input)
   local drawn = {}
   torch.manualSeed(SEED)
   local M, list = slope(f, input, drawn)
   local directions = map(random, list)
   if sample.still then
      map(sample.still, directions)
   end
   local parameters, gradients
   if object.parameters then
      object:zeroGradParameters()
      parameters, gradients = object:parameters()
   end
   if torch.isTensor(M) and M:isVariable() then
      M:backward()
   end
   local got = 0
   for i, x in ipairs(list) do
      got = got + (x.grad and x.grad:contiguous():dot(directions[i]) or 0)
   end
   local function near(found, wanted, what)
      assert.is_true(math.abs(found - wanted) <= 1e-5 * math.max(1, math.abs(wanted)),
         ('by %s: %.9g, by differences %.9g'):format(what, found, wanted))
   end
   near(got, (number(slope(f, input, drawn, directions, STEP))
      - number(slope(f, input, drawn, directions, -STEP))) / (2 * STEP), 'its inputs')
   if not parameters or #parameters == 0 then
      return
   end
   local along = map(random, parameters)
   local found = 0
   for i, g in ipairs(gradients) do
      found = found + g:dot(along[i])
   end
   local function moved(step)
      for i, p in ipairs(parameters) do
         p:add(step, along[i])
      end
      return number(slope(f, input, drawn))
   end
   local up = moved(STEP)
   local down = moved(-2 * STEP)
   moved(STEP)
   near(found, (up - down) / (2 * STEP), 'its parameters')
end

local function silently(quiet, f, ...)
   local original = print
   _G.print = quiet and function() end or original
   local ok, message = pcall(f, ...)
   _G.print = original
   if not ok then
      error(message, 0)
   end
end

local function walk(list, make)
   local names = {}
   for name in pairs(list) do
      names[#names + 1] = name
   end
   table.sort(names)
   for _, name in ipairs(names) do
      local entry = list[name]
      for i, sample in ipairs(CONSTANT[name] and {} or entry[1] and entry or { entry }) do
         it(('%s has second gradients (%d)'):format(name, i), function()
            torch.manualSeed(SEED)
            silently(sample.prints, function()
               check(sample, make(sample))
            end)
         end)
      end
   end
end

describe('of layers,', function()
   walk(samples.layers, function(sample)
      local layer, input = sample.new(), (sample.input())
      torch.manualSeed(SEED)
      layer:forward(clone(input)) -- containers may make modules
      return layer, function(x)
         return layer:forward(x)
      end, input
   end)
end)

describe('of criterions,', function()
   walk(samples.criterions, function(sample)
      local criterion = sample.new()
      local input, target = sample.input()
      return criterion, function(x)
         return { (criterion:forward(x, target)) }
      end, input
   end)
end)

describe('A gradient of gradients', function()
   it('leaves alone what is not to learn', function()
      local layer = nn.Linear(3, 2)
      layer:requiresGrad(false)
      layer:zeroGradParameters()
      local x = torch.randn(2, 3):requiresGrad()
      local g = torch.grad(torch.pow(layer:forward(x), 2):sum(), x, { createGraph = true })
      torch.pow(g, 2):sum():backward()
      assert.equal(0, layer.gradWeight:norm())
      -- |2 (x W' + b) W|^2 by x: 8 W'W W'(W x + b), a row for each sample
      local W, b = layer.weight, layer.bias
      local y = torch.mm(x:detach(), W:t()):add(b:view(1, 2):expand(2, 2))
      local wanted = torch.mm(torch.mm(torch.mm(y, W), W:t()), W) * 8
      assert.is_true((x.grad - wanted):abs():max() < 1e-12)
   end)

   it('goes through a penalty on the gradient, as a step takes it', function()
      local net = nn.Sequential():add(nn.Linear(3, 4)):add(nn.Tanh()):add(nn.Linear(4, 1))
      local x = torch.randn(5, 3)
      local function penalty()
         local v = x:clone():requiresGrad()
         return torch.pow(torch.grad(net:forward(v):sum(), v, { createGraph = true }), 2):sum()
      end
      net:zeroGradParameters()
      penalty():backward()
      collectgarbage()
      local weight, found = net:get(1).weight, net:get(1).gradWeight[2][3]
      local before = weight[2][3]
      weight[2][3] = before + 1e-5
      local up = penalty():item()
      weight[2][3] = before - 1e-5
      assert.near((up - penalty():item()) / 2e-5, found, 1e-7)
   end)

   -- |gradient of c . f by x|^2, and its derivative along a direction by central differences.
   local function check_slope(net, x)
      local c = torch.randn(net:forward(x):size())
      local function penalty(v)
         net:forward(v)
         return torch.pow(net:backward(v, c), 2):sum()
      end
      local v, direction = x:clone():requiresGrad(), torch.randn(x:size()):mul(1e-5)
      local g = torch.grad(torch.cmul(net:forward(v), c):sum(), v, { createGraph = true })
      torch.pow(g, 2):sum():backward()
      local difference = penalty(x + direction) - penalty(x - direction)
      assert.near(difference / 2, v.grad:dot(direction), 1e-8)
   end

   it('goes through layers within a net that write their output part by part', function()
      local function images(module)
         return nn.Sequential():add(nn.SpatialConvolution(2, 2, 2, 2)):add(module):add(nn.Tanh())
      end
      local x = torch.randn(2, 2, 4, 5)
      check_slope(images(nn.SpatialZeroPadding(1, 0, 2, 1)), x)
      check_slope(images(nn.Padding(3, 2)), x)
      check_slope(images(nn.DepthConcat(2):add(nn.SpatialConvolution(2, 1, 1, 1))
         :add(nn.SpatialConvolution(2, 2, 3, 3))), x)
      local attention = nn.MultiHeadAttention(4, 2)
      attention.rotary = nn.RotaryEmbedding(2)
      check_slope(nn.Sequential():add(nn.LayerNorm(4)):add(attention), torch.randn(2, 3, 4))
   end)

   it('goes by parameters of which the output is not made', function()
      local net = nn.Sequential():add(nn.ConcatTable():add(nn.Linear(3, 2)):add(nn.Linear(3, 4)))
         :add(nn.SelectTable(2)):add(nn.Tanh())
      check_slope(net, torch.randn(5, 3))
   end)

   -- c times the layer's output; its gradient with createGraph against that without.
   local function apart(layer, make, factor)
      local function gradient(options)
         torch.manualSeed(SEED)
         local x = make():requiresGrad()
         local y = torch.mul(layer:forward(x), factor)
         local g = torch.grad(y:sum(), x, options)
         return torch.isTensor(g) and g or g[1]
      end
      local plain, recorded = gradient(), gradient { createGraph = true }
      local distance = torch.abs(plain:detach() - recorded:detach()):max()
      return distance / torch.abs(plain:detach()):max(), recorded
   end

   for name, kind in pairs { Float = 1e-6, Double = 1e-10 } do
      local function random_input()
         return torch.randn(2, 3, 4):type(('torch.%sTensor'):format(name))
      end

      it(('is of the layer\'s own gradient however small that is: %s'):format(name), function()
         local Cube = torch.class('nn.SpecStraight' .. name, 'nn.Module', {})
         function Cube:updateOutput(x)
            self.output = torch.pow(x, 3)
            return self.output
         end
         function Cube:updateGradInput(x, g) -- straight through, or a little off
            self.gradInput = self.off and torch.pow(x, 2):mul(3 + self.off):cmul(g) or g:clone()
            return self.gradInput
         end
         local class = torch.factory('nn.SpecStraight' .. name)
         local straight, near = class(), class()
         straight.output, straight.gradInput = torch.Tensor(), torch.Tensor()
         near.output, near.gradInput, near.off = torch.Tensor(), torch.Tensor(), 1e4 * kind
         for _, layer in ipairs { straight, near } do
            layer:type(('torch.%sTensor'):format(name))
            for _, factor in ipairs { 1, kind, kind * kind } do
               local distance, g = apart(layer, random_input, factor)
               assert.equal(0, distance)
               raises(OTHER, function()
                  torch.pow(g, 2):sum():backward()
               end)
            end
         end
         -- And one that has a gradient of it keeps it.
         local tanh = nn.Tanh():type(('torch.%sTensor'):format(name))
         local distance, g = apart(tanh, random_input, kind)
         assert.is_true(distance < (name == 'Float' and 1e-6 or 1e-14))
         torch.sum(g):backward()
      end)

      it(('is not refused where all cancels: %s'):format(name), function()
         local net = nn.Sequential():add(nn.Linear(4, 5)):add(nn.SoftMax())
            :type(('torch.%sTensor'):format(name))
         local _, g = apart(net, function() -- its sum is 1, whatever the input
            return torch.randn(3, 4):type(('torch.%sTensor'):format(name))
         end, 1)
         torch.sum(g):backward()
      end)
   end

   it('is refused where an output is written past the record, its gradient 0 or not', function()
      local Square = torch.class('nn.SpecPointers', 'nn.Module', {})
      function Square:updateOutput(x)
         self.output:resizeAs(x)
         local from, to = x:contiguous():data(), self.output:data()
         for i = 0, x:nElement() - 1 do
            to[i] = from[i] ^ 2
         end
         return self.output
      end
      function Square:updateGradInput(x, g)
         self.gradInput:resizeAs(x):cmul(x, g):mul(2)
         return self.gradInput
      end
      local layer = torch.factory('nn.SpecPointers')()
      layer.output, layer.gradInput = torch.Tensor(), torch.Tensor()
      for _, value in ipairs { 0, 1e-9, 1 } do
         local x = torch.Tensor(3):fill(value):requiresGrad()
         local g = torch.grad(layer:forward(x):sum(), x, { createGraph = true })
         g = torch.isTensor(g) and g or g[1]
         assert.equal(2 * value, g:detach():max())
         raises('output 1 is written past the record', function()
            torch.pow(g, 2):sum():backward()
         end)
      end
   end)

   -- A part that is a node of its own goes back by its own recorded gradient; within a container it
   -- belongs to the container's.
   for name, make in pairs {
      GradientReversal = function() return nn.GradientReversal(0.3) end,
      ZeroGrad = function()
         return nn.ConcatTable():add(nn.ZeroGrad()):add(nn.Identity()), nn.CAddTable()
      end,
      Lambda = function() return nn.Lambda(function(x) return _G.torch.pow(x, 3) end) end,
      CMulTable = function()
         return nn.ConcatTable():add(nn.Tanh()):add(nn.Identity()), nn.CMulTable()
      end,
      CMaxTable = function()
         return nn.ConcatTable():add(nn.Linear(4, 4)):add(nn.Identity()), nn.CMaxTable()
      end,
      Dropout = function() return nn.Dropout(0.4) end,
      RNN = function()
         return nn.View(1, 5, 4), nn.RNN(4, 4, 2, true, false, 0.4), nn.View(5, 4)
      end,
      SpectralNorm = function() return nn.SpectralNorm(nn.Linear(4, 4)) end,
   } do
      it('is the same within a container as one by one: nn.' .. name, function()
         torch.manualSeed(SEED)
         local parts = { nn.Linear(3, 4), nn.Tanh(), make() }
         parts[#parts + 1] = nn.Linear(4, 1)
         local net = nn.Sequential(unpack(parts)):clone()
         local x = torch.randn(5, 3)
         local function penalty(f)
            torch.manualSeed(SEED)
            local v = x:clone():requiresGrad()
            local g = torch.grad(torch.pow(f(v), 2):sum(), v, { createGraph = true })
            torch.pow(g, 2):sum():backward()
            return v.grad
         end
         local whole = nn.Sequential(unpack(parts)) -- for its parameters
         whole:zeroGradParameters()
         net:zeroGradParameters()
         local wanted = penalty(function(v)
            for _, part in ipairs(parts) do
               v = part:forward(v)
            end
            return v
         end)
         local found = penalty(function(v) return net:forward(v) end)
         assert.is_true(wanted:norm() > 0)
         assert.is_true(torch.abs(wanted - found):max() < 1e-12 * math.max(1, wanted:norm()))
         local _, mine = net:parameters()
         for i, g in ipairs((select(2, whole:parameters()))) do
            assert.is_true(torch.abs(g - mine[i]):max() < 1e-12 * math.max(1, g:norm()))
         end
      end)
   end

   -- |d |f(x)|^2 / dx|^2 by the parameters, against central differences.
   local function check_penalty(net, x, weights)
      local function penalty()
         local v = x:clone():requiresGrad()
         local g = torch.grad(torch.pow(net:forward(v), 2):sum(), v, { createGraph = true })
         collectgarbage()
         collectgarbage() -- what the way back needs is held by the gradient alone
         return torch.pow(torch.isTensor(g) and g or g[1], 2):sum()
      end
      net:zeroGradParameters()
      penalty():backward()
      for name, pair in pairs(weights) do
         local weight, found = pair[1], pair[2]
         for i = 1, weight:size(1) do
            for j = 1, weight:size(2) do
               local before = weight[i][j]
               weight[i][j] = before + STEP
               local up = penalty():item()
               weight[i][j] = before - STEP
               local difference = (up - penalty():item()) / (2 * STEP)
               weight[i][j] = before
               assert.is_true(math.abs(difference - found[i][j])
                  <= 1e-6 * math.max(1, math.abs(difference)), ('%s[%d][%d]: %g, by differences %g')
                  :format(name, i, j, found[i][j], difference))
            end
         end
      end
   end

   it('reaches weights that two layers share, transposed', function()
      for outputs = 3, 4 do -- 3: square ones
         local encoder, decoder = nn.Linear(3, outputs, false), nn.Linear(outputs, 3, false)
         decoder.weight:set(encoder.weight:t())
         decoder.gradWeight:set(encoder.gradWeight:t())
         check_penalty(nn.Sequential():add(encoder):add(nn.Tanh()):add(decoder),
            torch.randn(5, 3), { weight = { encoder.weight, encoder.gradWeight } })
      end
   end)

   it('reaches a layer that is there twice, and one that shares its weights', function()
      local layer = nn.Linear(3, 3)
      local other = layer:clone('weight', 'gradWeight', 'bias', 'gradBias')
      check_penalty(nn.Sequential():add(layer):add(nn.Tanh()):add(layer):add(nn.Sigmoid())
         :add(other), torch.randn(4, 3), { weight = { layer.weight, layer.gradWeight } })
   end)

   it('adds to each layer\'s own gradients where weights alone are shared', function()
      local a, b = nn.Linear(3, 3, false), nn.Linear(3, 3, false)
      b.weight:set(a.weight)
      local net = nn.Sequential():add(a):add(nn.Tanh()):add(b)
      local apart_net = nn.Sequential():add(a:clone()):add(nn.Tanh()):add(b:clone())
      apart_net:get(3).weight = b.weight:clone()
      local x = torch.randn(4, 3)
      for _, each in ipairs { net, apart_net } do
         each:zeroGradParameters()
         local v = x:clone():requiresGrad()
         local g = torch.grad(torch.pow(each:forward(v), 2):sum(), v, { createGraph = true })
         torch.pow(torch.isTensor(g) and g or g[1], 2):sum():backward()
      end
      for i = 1, 3, 2 do
         local found, wanted = net:get(i).gradWeight, apart_net:get(i).gradWeight
         assert.is_true(wanted:norm() > 0)
         assert.is_true(torch.abs(found - wanted):max() < 1e-12)
      end
   end)
end)
