local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local function convolution(planes, outputs, size, step)
   local pad = (size - 1) / 2
   return nn.SpatialConvolution(planes, outputs, size, size, step, step, pad, pad)
end

local function normalised(...)
   local layer = convolution(...):noBias()
   return nn.Sequential():add(layer):add(nn.SpatialBatchNormalization(layer.nOutputPlane))
end

-- A residual block: two convolutions, and what goes past them.
local function block(step, inplace, short, first)
   local straight = short or step == 1 and nn.Identity() or normalised(4, 4, 1, step)
   local main = nn.Sequential():add(normalised(4, 4, 3, step)):add(nn.ReLU(inplace))
      :add(normalised(4, 4, 3, 1))
   local branches = first and nn.ConcatTable():add(straight):add(main)
      or nn.ConcatTable():add(main):add(straight)
   return nn.Sequential():add(branches):add(nn.CAddTable(inplace)):add(nn.ReLU(inplace))
end

-- Statistics as after some training, then evaluation.
local function settled(net)
   for _, norm in ipairs(net:findModules 'nn.SpatialBatchNormalization') do
      norm.running_mean:normal(0, 0.3)
      norm.running_var:uniform(0.5, 1.5)
      norm.weight:uniform(0.5, 1.5)
      norm.bias:normal(0, 0.3)
   end
   net:evaluate()
   return net
end

local function emptied(net)
   local count = 0
   for _, module in ipairs(net:listModules()) do
      if torch.isTensor(module.output) and module.output:dim() == 0 then
         count = count + 1
      end
   end
   return count
end

local NETS = {
   { 'convolution and ReLU', function(inplace)
      return nn.Sequential():add(convolution(4, 5, 3, 1)):add(nn.ReLU(inplace))
   end, 1 },
   { 'ReLU behind a sequence', function(inplace)
      return nn.Sequential():add(normalised(4, 5, 3, 2)):add(nn.ReLU(inplace))
         :add(nn.SpatialMaxPooling(2, 2, 2, 2))
   end, 3 },
   { 'ReLU behind sequences in sequences', function(inplace)
      return nn.Sequential():add(nn.Sequential():add(nn.Tanh())
         :add(nn.Sequential():add(nn.Sequential():add(convolution(4, 5, 3, 1)))))
         :add(nn.ReLU(inplace))
   end, 4 },
   { 'residual block', function(inplace) return block(1, inplace) end, 8 },
   { 'residual block with a step', function(inplace) return block(2, inplace) end, 9 },
   { 'short cut first', function() return block(1, false, nil, true) end, 8 },
   { 'short cut with a step first', function(inplace) return block(2, inplace, nil, true) end, 9 },
   { 'sum without ReLU', function(inplace)
      local net = block(1, inplace)
      net:remove(3)
      return net
   end, 7 },
   { 'residual blocks in a row', function(inplace)
      return nn.Sequential():add(normalised(4, 4, 3, 1)):add(nn.ReLU(inplace))
         :add(block(1, inplace)):add(block(2, inplace)):add(block(1, inplace))
   end, 28 },
   { 'one that is no short cut', function(inplace)
      return block(1, inplace, nn.Sequential():add(nn.Sigmoid()))
   end, 4 },
}

describe('Modules that are computed as one in evaluation', function()
   local x

   before_each(function()
      torch.manualSeed(12)
      x = torch.randn(2, 4, 9, 8)
      nn.Sequential.joined = true
   end)

   after_each(function()
      nn.Sequential.joined = false
   end)

   local function one_by_one(net, input)
      nn.Sequential.joined = false
      local y = net:clone():forward(input:clone()):clone()
      nn.Sequential.joined = true
      return y
   end

   for _, row in ipairs(NETS) do
      for _, inplace in ipairs { false, true } do
         it(('give what they give one by one: %s%s'):format(row[1], inplace and ', in place' or ''),
            function()
               local net = settled(row[2](inplace))
               local expected = one_by_one(net, x)
               local single = one_by_one(net, x[1])
               net:forward(x) -- whatever the outputs were before
               assert.equal(row[3], emptied(net))
               numbers.same(expected, net:forward(x), 1e-12)
               numbers.same(single, net:forward(x[1]), 1e-12)
               nn.Sequential.joined = false
               numbers.same(expected, net:forward(x), 1e-12)
               assert.equal(0, emptied(net))
               nn.Sequential.joined = true
               numbers.same(expected, net:forward(x), 1e-12)
               net:float()
               numbers.same(expected, net:forward(x:float()):double(), 1e-5)
            end)

         it(('give the gradients of one by one: %s%s'):format(row[1],
            inplace and ', in place' or ''), function()
               local net = settled(row[2](inplace))
               local apart = net:clone()
               local g = net:forward(x):clone():normal()
               for _, each in ipairs { net, apart } do
                  nn.Sequential.joined = each == net
                  each:zeroGradParameters()
                  each:forward(x)
                  each:backward(x, g:clone())
               end
               numbers.same(apart.gradInput, net.gradInput, 1e-12)
               local _, expected = apart:parameters()
               local _, gradients = net:parameters()
               for i = 1, #expected do
                  numbers.same(expected[i], gradients[i], 1e-12)
               end
            end)
      end
   end

   it('are run one by one in training', function()
      local net = settled(block(1, false))
      net:training()
      net:forward(x)
      assert.equal(0, emptied(net))
   end)

   it('are run one by one for other thresholds and for who looks on', function()
      local net = settled(nn.Sequential():add(convolution(4, 4, 3, 1)):add(nn.Threshold(0.1, 0)))
      net:forward(x)
      assert.equal(0, emptied(net))
      net = settled(block(1, false))
      local expected = one_by_one(net, x)
      local seen = {}
      local off = nn.seam.attach(function(call, module, _, ...)
         seen[torch.type(module)] = true
         return call(module, ...)
      end)
      local y = net:forward(x):clone()
      off()
      numbers.same(expected, y, 1e-12)
      assert.is_true(seen['nn.ReLU'] and seen['nn.CAddTable'] and seen['nn.Identity'])
   end)

   it('leave alone what modules in place were given before', function()
      for _, row in ipairs(NETS) do
         local net = settled(row[2](true))
         local before, other = x:clone(), torch.randn(2, 4, 9, 8)
         nn.Sequential.joined = false
         net:forward(before)
         nn.Sequential.joined = true
         before:fill(7)
         local expected = one_by_one(net, other)
         numbers.same(expected, net:forward(other), 1e-12)
         assert.is_true(before:eq(7):all())
      end
      local net = settled(block(1, true, nil, true)) -- here the sum lies where the input does
      nn.Sequential.joined = false
      local before = x:clone()
      net:forward(before)
      assert.is_false(before:equal(x))
      nn.Sequential.joined = true
      before:fill(7)
      net:forward(x)
      assert.is_true(before:eq(7):all())
   end)

   it('keep their memory from call to call, in place or not', function()
      for _, inplace in ipairs { false, true } do
         local net = settled(block(2, inplace))
         net:forward(x)
         local first = net.output.new():set(net.output)
         net:forward(x)
         assert.is_true(net.output:isSetTo(first))
      end
   end)

   it('give the gradients of their last input, the one before it run one by one', function()
      for _, inplace in ipairs { false, true } do
         local net = settled(block(2, inplace))
         local apart, before = net:clone(), torch.randn(2, 4, 9, 8)
         nn.Sequential.joined = false
         local g = net:forward(before):clone():normal()
         apart:forward(x)
         local expected = apart:backward(x, g:clone())
         nn.Sequential.joined = true
         net:forward(x)
         numbers.same(expected, net:backward(x, g:clone()), 1e-12)
      end
   end)

   -- The same result or error as one by one, and nothing left out.
   local function stays_apart(net)
      local results = {}
      for i, joined in ipairs { false, true } do
         nn.Sequential.joined = joined
         net:clearState()
         local ok, y = pcall(net.forward, net, x:clone())
         results[i] = { ok, ok and y:clone() or y }
      end
      assert.equal(results[1][1], results[2][1])
      if results[1][1] then
         numbers.same(results[1][2], results[2][2], 1e-12)
         assert.equal(0, emptied(net))
      else
         assert.equal(results[1][2], results[2][2])
      end
   end

   it('are run one by one where a module is another than it looks', function()
      local rectifier = nn.ReLU()
      rectifier.val = 0.5
      stays_apart(settled(nn.Sequential():add(convolution(4, 4, 3, 1)):add(rectifier)))
      local layer = convolution(4, 4, 3, 1)
      function layer.__computeOutput(_, y, input)
         return y:resizeAs(input):copy(input):mul(2)
      end
      stays_apart(settled(nn.Sequential():add(layer):add(nn.ReLU())))
      torch.class('nn.SpecBranches', 'nn.ConcatTable', {})
      local branches = torch.factory('nn.SpecBranches')()
      branches.modules = { nn.Sequential():add(convolution(4, 4, 3, 1)), nn.Identity() }
      branches.output = {}
      stays_apart(settled(nn.Sequential():add(branches):add(nn.CAddTable())))
   end)

   it('are run one by one where a short cut is a layer that writes', function()
      for _, first in ipairs { true, false } do
         local main, short = nn.Sequential():add(convolution(4, 4, 3, 1)), nn.ReLU(true)
         local branches = nn.ConcatTable():add(first and short or main):add(first and main or short)
         stays_apart(settled(nn.Sequential():add(branches):add(nn.CAddTable())))
      end
   end)

   it('say what they say one by one where a sum does not fit', function()
      local function residual(main, short)
         return settled(nn.Sequential():add(nn.ConcatTable():add(main):add(short))
            :add(nn.CAddTable()):add(nn.ReLU()))
      end
      local part = nn.Sequential():add(nn.Narrow(1, 1, 1)):add(convolution(4, 4, 3, 1))
      stays_apart(residual(part, nn.Identity())) -- another batch
      stays_apart(residual(nn.Sequential():add(convolution(4, 5, 3, 1)), nn.Identity())) -- planes
   end)

   it('say what they say one by one of statistics of another type', function()
      local net = settled(normalised(4, 4, 3, 1))
      net:get(2).running_mean = net:get(2).running_mean:float()
      stays_apart(net)
   end)

   it('have no gradients once their state is cleared', function()
      local net = settled(normalised(4, 4, 3, 1)):add(nn.MulConstant(2))
      net:evaluate()
      local g = net:forward(x):clone()
      local found = {}
      for i, joined in ipairs { false, true } do
         nn.Sequential.joined = joined
         net:forward(x)
         net:clearState()
         found[i] = { pcall(net.backward, net, x, g) }
      end
      assert.is_false(found[1][1])
      assert.same(found[1], found[2])
   end)

   it('have gradients as Variables', function()
      local net = settled(block(2, false))
      local apart = net:clone()
      local u, v = x:clone():requiresGrad(), x:clone():requiresGrad()
      net:forward(u):sum():backward()
      nn.Sequential.joined = false
      apart:forward(v):sum():backward()
      numbers.same(v.grad, u.grad, 1e-12)
   end)

   it('name the layer that an error comes from', function()
      local net = settled(block(1, false))
      net:forward(x)
      raises('net.1.1.1.1: nn.SpatialConvolution: input is 2x5x9x8, expected N x 4 x H x W',
         function()
            net:forward(torch.randn(2, 5, 9, 8))
         end)
      local uneven = settled(block(2, false, nn.Identity()))
      raises('net.2: nn.CAddTable: input 2 is 2x4x9x8, expected 2x4x5x4', function()
         uneven:forward(x)
      end)
      local types = settled(block(1, false))
      types:get(1):get(1):get(3):get(1):float()
      raises('net.1.1.3.1: nn.SpatialConvolution', function()
         types:forward(x)
      end)
   end)
end)
