-- Walks nn: gradients of gradients through layers and criterions, against central differences of
-- the gradients along random directions, by inputs and by parameters. Those that have none are
-- listed, and say why when somebody goes through them.
local torch = require 'torch'
local nn = require 'nn'
local nests = require 'test.support.nests'
local raises = require 'test.support.raises'
local samples = require 'test.support.samples'

local leaves, map, is_integer, clone = nests.leaves, nests.map, nests.is_integer, nests.clone

local STEP, SEED = 1e-5, 7

local OTHER = 'does not give the gradient of its backward'
local FORWARD = 'its forward cannot be recorded'
local FORM = 'a form of its own'

-- Layers and criterions without second gradients, with a part of what is said.
local WITHOUT = {
   ['CTCCriterion 1'] = OTHER, ['CTCCriterion 2'] = OTHER, ['GRU 2'] = OTHER,
   ['GradientReversal 1'] = OTHER, ['IndexLinear 1'] = FORM, ['IndexLinear 2'] = FORM,
   ['IndexLinear 3'] = FORM, ['LSTM 2'] = OTHER, ['RNN 2'] = OTHER, ['SparseLinear 1'] = FORM,
   ['SparseLinear 2'] = FORM, ['SpatialConvolutionLocal 1'] = FORWARD,
   ['SpatialFractionalMaxPooling 2'] = OTHER, ['SpectralNorm 2'] = FORWARD,
   ['SyncBatchNormalization 1'] = FORWARD, ['SyncSpatialBatchNormalization 1'] = FORWARD,
   ['SyncVolumetricBatchNormalization 1'] = FORWARD, ['VolumetricFractionalMaxPooling 1'] = OTHER,
   ['WeightNorm 2'] = FORWARD, ['ZeroGrad 1'] = OTHER,
}

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

local function check(object, f, input)
   local drawn = {}
   torch.manualSeed(SEED)
   local M, list = slope(f, input, drawn)
   local directions = map(random, list)
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
         local why = WITHOUT[name .. ' ' .. i] or WITHOUT[name]
         it(('%s %s second gradients (%d)'):format(name, why and 'says that it has no' or 'has', i),
            function()
               torch.manualSeed(SEED)
               local function run()
                  check(make(sample))
               end
               if why then
                  raises(why, silently, sample.prints, run)
               else
                  silently(sample.prints, run)
               end
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
end)
