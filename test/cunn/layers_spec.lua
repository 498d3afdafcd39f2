-- Every layer and criterion on CUDA types against the CPU: outputs, gradients, parameter gradients.
local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local nn = require 'nn'
local nests = require 'test.support.nests'
local samples = require 'test.support.samples'

local CONVERSIONS = {
   Float = { 'cuda', 'torch.CudaTensor', 1e-5 },
   Double = { 'cudaDouble', 'torch.CudaDoubleTensor', 1e-12 },
   -- Both sides compute in float and round results to 11 or 8 bits, perhaps to neighbours.
   Half = { 'cudaHalf', 'torch.CudaHalfTensor', 4e-3 },
   BFloat16 = { 'cudaBFloat16', 'torch.CudaBFloat16Tensor', 3e-2 },
}

local function random(...)
   return torch.rand(...):mul(2):add(-1)
end

local LAYERS = {
   { 'Linear', function() return nn.Linear(5, 3), random(4, 5) end },
   { 'Linear of one sample', function() return nn.Linear(5, 3), random(5) end },
   { 'SpatialConvolution', function()
      return nn.SpatialConvolution(2, 3, 3, 2, 2, 1, 1, 0), random(2, 2, 6, 5)
   end },
   { 'SpatialMaxPooling', function() return nn.SpatialMaxPooling(2, 2), random(2, 3, 5, 6) end },
   { 'SpatialMaxPooling:ceil()', function()
      return nn.SpatialMaxPooling(3, 3, 2, 2, 1, 1):ceil(), random(2, 3, 6, 6)
   end },
   { 'SpatialFullConvolution', function()
      return nn.SpatialFullConvolution(2, 3, 3, 2, 2, 1, 1, 0, 1, 0), random(2, 2, 6, 5)
   end },
   { 'SpatialAveragePooling', function()
      return nn.SpatialAveragePooling(3, 3, 2, 2, 1, 1):ceil(), random(2, 3, 6, 6)
   end },
   { 'BatchNormalization', function() return nn.BatchNormalization(3), random(5, 3) end },
   { 'SpatialBatchNormalization in evaluation', function()
      local layer = nn.SpatialBatchNormalization(3)
      layer.running_mean:uniform(-1, 1)
      layer.running_var:uniform(0.5, 2)
      layer:evaluate()
      return layer, random(2, 3, 4, 5)
   end },
   { 'ReLU', function() return nn.ReLU(), random(3, 4) end },
   { 'Threshold', function() return nn.Threshold(0.25, -1), random(3, 4) end },
   { 'Tanh', function() return nn.Tanh(), random(3, 4) end },
   { 'Sigmoid', function() return nn.Sigmoid(), random(3, 4) end },
   { 'Abs', function() return nn.Abs(), random(3, 4) end },
   { 'Exp', function() return nn.Exp(), random(3, 4) end },
   { 'Log', function() return nn.Log(), random(3, 4):abs():add(0.1) end },
   { 'Square', function() return nn.Square(), random(3, 4) end },
   { 'SoftMax', function() return nn.SoftMax(), random(3, 4) end },
   { 'LogSoftMax', function() return nn.LogSoftMax(), random(3, 4) end },
   { 'LogSoftMax of images', function() return nn.LogSoftMax(), random(2, 3, 4, 4) end },
   { 'View and Reshape', function()
      return nn.Sequential():add(nn.View(20)):add(nn.Reshape(5, 4)), random(2, 4, 5)
   end },
   { 'SoftPlus', function() return nn.SoftPlus(2), random(3, 4) end },
   { 'Mul', function() return nn.Mul(), random(3, 4) end },
   { 'Add', function() return nn.Add(4), random(3, 4) end },
   { 'CMul', function() return nn.CMul(1, 3, 1), random(2, 3, 4) end },
   { 'a residual block', function()
      return nn.Sequential():add(nn.ConcatTable():add(nn.Identity()):add(nn.Linear(4, 4)))
         :add(nn.CAddTable()):add(nn.Concat(2):add(nn.Linear(4, 2)):add(nn.Linear(4, 3))),
         random(3, 4)
   end },
   { 'Dropout in evaluation', function()
      local layer = nn.Dropout(0.4)
      layer:evaluate()
      return layer, random(3, 4)
   end },
   { 'LeNet', function()
      return nn.Sequential():add(nn.SpatialConvolution(1, 3, 5, 5)):add(nn.ReLU())
         :add(nn.SpatialMaxPooling(2, 2)):add(nn.View(3 * 4 * 4)):add(nn.Linear(48, 4))
         :add(nn.LogSoftMax()), random(3, 1, 12, 12)
   end },
}

local CRITERIONS = {
   { 'MSECriterion', function()
      return nn.MSECriterion(), random(4, 3), random(4, 3)
   end },
   { 'AbsCriterion', function()
      return nn.AbsCriterion(), random(4, 3), random(4, 3)
   end },
   { 'ClassNLLCriterion', function()
      return nn.ClassNLLCriterion(), random(4, 3), torch.DoubleTensor { 1, 3, 2, 2 }
   end },
   { 'CrossEntropyCriterion', function()
      return nn.CrossEntropyCriterion(), random(4, 3), torch.DoubleTensor { 1, 3, 2, 2 }
   end },
}

local function near(expected, got, tolerance, what)
   assert.same(expected:size():totable(), got:size():totable(), what)
   local difference = (expected:double() - got:double()):abs():max()
   assert.is_true(difference <= tolerance, ('%s differs by %g'):format(what, difference))
end

describe('a layer on a device #cuda', function()
   for element, conversion in pairs(CONVERSIONS) do
      local method, typename, tolerance = unpack(conversion)
      for _, case in ipairs(LAYERS) do
         it(('%s as %s gives what it gives on the CPU'):format(case[1], typename), function()
            torch.manualSeed(1)
            local layer, input = case[2]()
            local host = 'torch.' .. element .. 'Tensor'
            layer:type(host)
            local x = input:type(host)
            local y = layer:forward(x)
            local g = random(y:size()):type(host)
            local there = layer:clone()
            layer:zeroGradParameters()
            local gx = layer:backward(x, g, 0.5)
            there[method](there)
            assert.equal(typename, there:type())
            there:zeroGradParameters()
            local output = there:forward(x[method](x))
            assert.equal(typename, torch.typename(output))
            near(y, output, tolerance, 'output')
            near(gx, there:backward(x[method](x), g[method](g), 0.5), tolerance, 'gradInput')
            local _, expected = layer:parameters()
            local _, got = there:parameters()
            for i, gradient in ipairs(expected or {}) do
               near(gradient, got[i], 10 * tolerance, 'gradient ' .. i)
            end
            -- and back
            there:type(host)
            near(y, there:forward(x), 0, 'output after the return')
         end)
      end

      for _, case in ipairs(CRITERIONS) do
         it(('%s as %s gives what it gives on the CPU'):format(case[1], typename), function()
            torch.manualSeed(2)
            local criterion, input, target = case[2]()
            local host = 'torch.' .. element .. 'Tensor'
            criterion:type(host)
            local x, t = input:type(host), target:type(host)
            local loss, g = criterion:forward(x, t), criterion:backward(x, t):clone()
            local there = criterion:clone()
            there[method](there)
            local xd, td = x[method](x), t[method](t)
            assert.near(loss, there:forward(xd, td), tolerance)
            near(g, there:backward(xd, td), tolerance, 'gradInput')
         end)
      end
   end

   -- Each sample once, with the types that scripts use: the other specs of layers run on devices
   -- with classes that have changed their names, where x:long() stays on the device.
   local function on_device(nest, integers)
      return nests.map(function(x)
         return nests.is_integer(x) and x[integers or (torch.typename(x):match 'Byte' and 'cudaByte'
            or 'cudaLong')](x) or x:cuda()
      end, nest)
   end

   local function float(nest)
      return nests.to_type(nest, 'torch.FloatTensor')
   end

   local function quietly(f)
      local print = _G.print
      _G.print = function() end
      local ok, err = pcall(f)
      _G.print = print
      if not ok then
         error(err, 0)
      end
   end

   -- A device draws other numbers.
   local function draw_nothing(layer, x)
      local y = nests.clone(layer:forward(nests.clone(x)))
      if not pcall(nests.same, y, layer:forward(nests.clone(x)), '') then
         layer:evaluate()
         if layer.fixPoolingRegions then
            layer:fixPoolingRegions()
         end
      end
   end

   for name, list in pairs(samples.layers) do
      it(('nn.%s: its samples'):format(name), function()
         quietly(function()
            for _, sample in ipairs(list) do
               torch.manualSeed(3)
               local layer, x = sample.new():float(), float(sample.input())
               draw_nothing(layer, x)
               local there, xd = layer:clone():cuda(), on_device(x)
               local y = nests.clone(layer:forward(nests.clone(x)))
               nests.same(y, there:forward(nests.clone(xd)), 'the output', 1e-4)
               layer:zeroGradParameters()
               there:zeroGradParameters()
               local g = nests.clone(y)
               local gx = layer:backward(nests.clone(x), nests.clone(g))
               nests.same(gx, there:backward(nests.clone(xd), on_device(g)), 'gradInput', 1e-3)
               local _, expected = layer:parameters()
               local _, got = there:parameters()
               nests.same(expected or {}, got or {}, 'the gradients', 1e-3)
            end
         end)
      end)
   end

   for name, list in pairs(samples.criterions) do
      it(('nn.%s: its samples'):format(name), function()
         for _, sample in ipairs(list) do
            for _, make in pairs { sample.input, sample.single } do
               torch.manualSeed(3)
               local criterion = sample.new():float()
               local input, target = make()
               local x, t = float(input), float(target)
               local loss = criterion:forward(x, t)
               local g = nests.clone(criterion:backward(x, t))
               for _, integers in ipairs { 'cudaLong', 'cuda' } do
                  local there = criterion:clone():cuda()
                  local xd, td = on_device(x), on_device(t, integers)
                  assert.near(loss, (there:forward(xd, td)), 1e-4)
                  nests.same(g, there:backward(xd, td), 'gradInput', 1e-4)
               end
            end
         end
      end)
   end

   it('has its loss beside the input, on whatever device that is', function()
      local cutorch = require 'cutorch'
      if cutorch.getDeviceCount() < 2 then
         return pending 'needs two devices'
      end
      for _, case in ipairs(CRITERIONS) do
         local criterion, x, t = case[2]()
         if case[1] ~= 'CrossEntropyCriterion' then -- has a module, which stays where it is
            local expected, g = criterion:forward(x, t), criterion:backward(x, t):clone()
            local there = criterion:clone():cuda()
            for device = 1, 2 do
               cutorch.withDevice(device, function()
                  assert.near(expected, (there:forward(x:cuda(), t:cuda())), 1e-5)
                  near(g, there:backward(x:cuda(), t:cuda()), 1e-5, 'gradInput')
               end)
            end
         end
      end
   end)

   it('joins a convolution and its normalisation where they lie', function()
      local cutorch, net = require 'cutorch'
      if cutorch.getDeviceCount() < 2 then
         return pending 'needs two devices'
      end
      cutorch.withDevice(2, function()
         net = nn.Sequential():add(nn.SpatialConvolution(3, 4, 3, 3))
            :add(nn.SpatialBatchNormalization(4)):cuda()
         net:evaluate()
      end)
      local x = cutorch.withDevice(2, function() return torch.CudaTensor(2, 3, 5, 5):normal() end)
      for _, method in ipairs { 'forward', 'updateOutput' } do -- the device stays as it is
         net:get(2).running_var:add(1)
         net.joined = false
         local expected = net:forward(x):float()
         net.joined = true
         near(expected, net[method](net, x), 1e-5, method)
         assert.equal(2, net.output:getDevice())
      end
   end)

   it('refuses input of another place by name', function()
      local layer = nn.Linear(2, 2):cuda()
      local ok, message = pcall(layer.forward, layer, torch.FloatTensor(1, 2))
      assert.is_false(ok)
      assert.matches('input is a torch.FloatTensor, but the layer is of type torch.CudaTensor',
         message, 1, true)
   end)

   it('shares memory after conversion as before', function()
      local a = nn.Linear(2, 2)
      local b = a:clone('weight')
      local net = nn.Sequential():add(a):add(b):cuda()
      net:get(1).weight[{ 1, 1 }] = 5
      assert.equal(5, net:get(2).weight[{ 1, 1 }])
   end)
end)
