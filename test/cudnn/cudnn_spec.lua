local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local nn = require 'nn'
local cudnn = require 'cudnn'
local cutorch = require 'cutorch'

local function messageOf(f, ...)
   local ok, message = pcall(f, ...)
   assert.is_false(ok)
   return message
end

local function net()
   return nn.Sequential():add(nn.SpatialConvolution(2, 4, 3, 3)):add(nn.ReLU(true))
      :add(nn.Sequential():add(nn.SpatialMaxPooling(2, 2):ceil()):add(nn.Tanh()))
      :add(nn.View(4 * 4)):add(nn.Linear(16, 3)):add(nn.LogSoftMax())
end

local function classes(model)
   local names = {}
   for _, module in ipairs(model:listModules()) do
      names[#names + 1] = torch.typename(module)
   end
   return names
end

describe('cudnn.convert #cuda', function()
   it('swaps classes both ways, in place, and keeps everything else', function()
      local model = net():float()
      local before, x = classes(model), torch.rand(2, 2, 6, 6):float()
      local y = model:forward(x):clone()
      assert.equal(model, cudnn.convert(model, cudnn))
      assert.same({
         'nn.Sequential', 'cudnn.SpatialConvolution', 'cudnn.ReLU', 'nn.Sequential',
         'cudnn.SpatialMaxPooling', 'cudnn.Tanh', 'nn.View', 'nn.Linear', 'cudnn.LogSoftMax',
      }, classes(model))
      assert.is_true(model:forward(x):equal(y))
      assert.is_true(model:get(3):get(1).ceil_mode)
      cudnn.convert(model, nn)
      assert.same(before, classes(model))
      assert.is_true(model:forward(x):equal(y))
   end)

   it('leaves out what it is told to', function()
      local model = cudnn.convert(net(), cudnn, function(module)
         return torch.typename(module):find 'ReLU' ~= nil
      end)
      assert.equal('nn.ReLU', torch.typename(model:get(2)))
      assert.equal('cudnn.SpatialConvolution', torch.typename(model:get(1)))
   end)

   it('tells what is wrong', function()
      assert.matches('the package cudnn or nn', messageOf(cudnn.convert, net(), 'cudnn'), 1, true)
      assert.matches('expected a net', messageOf(cudnn.convert, 3, cudnn), 1, true)
   end)

   it('keeps groups', function()
      local model = nn.Sequential():add(cudnn.ReLU())
         :add(cudnn.SpatialConvolution(4, 4, 3, 3, 1, 1, 0, 0, 2)):float()
      local x = torch.rand(1, 4, 5, 5):float()
      local y = model:forward(x):clone()
      cudnn.convert(model, nn)
      assert.same({ 'nn.Sequential', 'nn.ReLU', 'nn.SpatialConvolution' }, classes(model))
      assert.is_true(model:forward(x):equal(y))
      assert.is_true(model:clone():forward(x):equal(y))
   end)

   it('leaves a net as it was where a layer cannot be converted', function()
      local model = net()
      local broken = nn.SpatialConvolution(2, 1, 2, 2)
      broken.padding, broken.weight = 1, torch.ones(1, 3) -- 8 elements are wanted
      model:add(broken)
      local before = classes(model)
      assert.matches('cudnn.SpatialConvolution: a field is missing, or not what its files have',
         messageOf(cudnn.convert, model, cudnn), 1, true)
      assert.same(before, classes(model))
      assert.equal(1, broken.padding)
      assert.is_nil(rawget(broken, 'groups'))
   end)
end)

describe('cudnn.SpatialConvolution #cuda', function()
   -- Groups are convolutions side by side.
   it('with groups is that many convolutions', function()
      torch.manualSeed(3)
      local layer = cudnn.SpatialConvolution(4, 6, 3, 2, 1, 2, 1, 0, 2):double()
      assert.same({ 6, 2, 2, 3 }, layer.weight:size():totable())
      local x = torch.rand(3, 4, 7, 6)
      local y = layer:forward(x)
      local g = torch.rand(y:size())
      layer:zeroGradParameters()
      local gx = layer:backward(x, g, 0.5)
      for group = 1, 2 do
         local part = nn.SpatialConvolution(2, 3, 3, 2, 1, 2, 1, 0):double()
         local first = 3 * (group - 1) + 1
         part.weight:copy(layer.weight:narrow(1, first, 3))
         part.bias:copy(layer.bias:narrow(1, first, 3))
         part:zeroGradParameters()
         local xp, gp = x:narrow(2, 2 * group - 1, 2):clone(), g:narrow(2, first, 3):clone()
         assert.is_true((part:forward(xp) - y:narrow(2, first, 3)):abs():max() < 1e-12)
         assert.is_true((part:backward(xp, gp, 0.5) - gx:narrow(2, 2 * group - 1, 2)):abs():max()
            < 1e-12)
         assert.is_true(
            (part.gradWeight - layer.gradWeight:narrow(1, first, 3)):abs():max() < 1e-12)
      end
   end)

   it('prints its groups, and checks its sizes', function()
      assert.equal('cudnn.SpatialConvolution(4 -> 4, 3x3), 2 groups',
         tostring(cudnn.SpatialConvolution(4, 4, 3, 3, 1, 1, 0, 0, 2)))
      assert.equal('cudnn.SpatialConvolution(4 -> 4, 3x3)',
         tostring(cudnn.SpatialConvolution(4, 4, 3, 3)))
      assert.matches('cudnn.SpatialConvolution: kW is nil, expected a number from 1 on',
         messageOf(cudnn.SpatialConvolution, 4, 4), 1, true)
   end)

   it('refuses groups that do not divide the planes, and other inputs', function()
      local message = messageOf(cudnn.SpatialConvolution, 4, 6, 3, 3, 1, 1, 0, 0, 3)
      assert.matches('3 groups do not divide 4', message, 1, true)
      local layer = cudnn.SpatialConvolution(4, 6, 3, 3, 1, 1, 0, 0, 2)
      message = messageOf(layer.forward, layer, torch.rand(1, 2, 5, 5))
      assert.matches('expected N x 4 x H x W', message, 1, true)
   end)

   it('keeps the modes it is given', function()
      local layer = cudnn.SpatialConvolution(1, 1, 1, 1)
      assert.equal(layer, layer:setMode(1, 2, 3))
      assert.same({ 1, 2, 3 }, { layer.fmode, layer.bdmode, layer.bwmode })
      assert.is_nil(layer:resetMode().fmode)
      assert.equal(layer, layer:fastest())
      assert.is_true(cudnn.fastest)
      cudnn.reset()
      assert.is_false(cudnn.fastest)
   end)
end)

describe('cudnn\'s layers that nn has too #cuda', function()
   before_each(function()
      torch.manualSeed(4)
   end)

   local function images(...)
      return torch.rand(...):mul(2):add(-1):cuda()
   end

   -- A cudnn layer on a device against nn's layer on the CPU, forwards and backwards.
   local function agrees(layer, host, x)
      layer:cuda()
      host:float()
      local theirs, ours = layer:parameters(), host:parameters()
      for i, p in ipairs(ours or {}) do
         p:copy(theirs[i])
      end
      layer:zeroGradParameters()
      host:zeroGradParameters()
      local y = layer:forward(x)
      local g = images(y:size())
      local gx = layer:backward(x, g, 0.5)
      local function near(a, b)
         assert.same(b:size():totable(), a:size():totable())
         assert.is_true((a:float() - b):abs():max() < 1e-5)
      end
      near(y, host:forward(x:float()))
      near(gx, host:backward(x:float(), g:float(), 0.5))
      local _, gradients = layer:parameters()
      local _, expected = host:parameters()
      for i, p in ipairs(expected or {}) do
         near(gradients[i], p)
      end
   end

   it('convolve as nn does, with cuDNN and without', function()
      for _, on in ipairs { true, false } do
         cutorch.setOptions { cudnn = on }
         agrees(cudnn.SpatialConvolution(2, 3, 3, 2, 2, 1, 1, 0),
            nn.SpatialConvolution(2, 3, 3, 2, 2, 1, 1, 0), images(2, 2, 6, 5))
         agrees(cudnn.SpatialFullConvolution(2, 3, 3, 2, 2, 1, 1, 0, 1, 0),
            nn.SpatialFullConvolution(2, 3, 3, 2, 2, 1, 1, 0, 1, 0), images(2, 2, 6, 5))
      end
      cutorch.setOptions { cudnn = true }
   end)

   it('pool, with windows side by side unless told otherwise', function()
      agrees(cudnn.SpatialMaxPooling(2, 2), nn.SpatialMaxPooling(2, 2), images(2, 3, 5, 6))
      agrees(cudnn.SpatialAveragePooling(3, 2), nn.SpatialAveragePooling(3, 2, 3, 2),
         images(2, 3, 5, 6))
      agrees(cudnn.SpatialAveragePooling(3, 3, 1, 2, 1, 1):ceil(),
         nn.SpatialAveragePooling(3, 3, 1, 2, 1, 1):ceil(), images(2, 3, 6, 6))
   end)

   it('normalise batches', function()
      agrees(cudnn.BatchNormalization(3), nn.BatchNormalization(3), images(6, 3))
      agrees(cudnn.SpatialBatchNormalization(3, 1e-3), nn.SpatialBatchNormalization(3, 1e-3),
         images(2, 3, 4, 5))
      agrees(cudnn.VolumetricBatchNormalization(2, nil, nil, false),
         nn.VolumetricBatchNormalization(2, nil, nil, false), images(2, 2, 3, 2, 2))
      assert.equal(2, torch.version(cudnn.SpatialBatchNormalization(3)))
   end)

   it('are converted both ways with what they learned', function()
      local model = nn.Sequential():add(nn.SpatialFullConvolution(2, 3, 3, 3))
         :add(nn.SpatialBatchNormalization(3)):add(nn.SpatialAveragePooling(2, 2, 1, 1):ceil())
         :cuda()
      local x = images(2, 2, 5, 5)
      model:forward(x)
      model:evaluate()
      local y, before = model:forward(x):clone(), classes(model)
      cudnn.convert(model, cudnn)
      assert.same({
         'nn.Sequential', 'cudnn.SpatialFullConvolution', 'cudnn.SpatialBatchNormalization',
         'cudnn.SpatialAveragePooling',
      }, classes(model))
      assert.is_true(model:forward(x):equal(y))
      assert.equal(model:get(1), model:get(1):setMode(1, 0, 0))
      assert.same(before, classes(cudnn.convert(model, nn)))
      assert.is_true(model:forward(x):equal(y))
   end)

   it('take softmax at each place of an image', function()
      local x = images(2, 3, 4, 5)
      local y = cudnn.SpatialSoftMax():cuda():forward(x)
      assert.is_true((y:sum(2) - 1):abs():max() < 1e-6)
      local log = cudnn.SpatialLogSoftMax():cuda():forward(x)
      assert.is_true((torch.exp(log) - y):abs():max() < 1e-6)
   end)
end)

describe('cudnn.SpatialCrossEntropyCriterion #cuda', function()
   it('is the cross entropy of all places as samples', function()
      torch.manualSeed(2)
      local weights = torch.rand(3):add(0.5)
      local criterion = cudnn.SpatialCrossEntropyCriterion(weights):cuda()
      local reference = nn.CrossEntropyCriterion(weights:clone()):double()
      local x, t = torch.randn(2, 3, 4, 5), torch.rand(2, 4, 5):mul(3):floor():add(1)
      local rows = x:permute(1, 3, 4, 2):contiguous():view(-1, 3)
      local loss = criterion:forward(x:cuda(), t:cuda())
      assert.near(reference:forward(rows, t:view(-1)), loss, 1e-6)
      local g = reference:backward(rows, t:view(-1)):view(2, 4, 5, 3):permute(1, 4, 2, 3)
      assert.is_true((criterion:backward(x:cuda(), t:cuda()):double() - g):abs():max() < 1e-6)
      local message = messageOf(criterion.forward, criterion, torch.CudaTensor(2, 3), t)
      assert.matches('input is 2x3, expected N x C x H x W', message, 1, true)
   end)
end)

describe('cudnn\'s flags #cuda', function()
   after_each(cudnn.reset)

   it('are options of the library', function()
      assert.is_false(cudnn.benchmark)
      cudnn.benchmark = true
      assert.is_true(cudnn.benchmark)
      assert.is_true(cutorch.getOptions().benchmark)
      local workspace = cutorch.getOptions().workspace
      cudnn.fastest = true
      assert.is_true(cudnn.fastest)
      assert.is_true(cutorch.getOptions().workspace > workspace)
      cudnn.fastest = false
      assert.equal(workspace, cutorch.getOptions().workspace)
      assert.matches('true or false', messageOf(function() cudnn.benchmark = 1 end), 1, true)
   end)
end)

describe('cudnn\'s pointwise layers #cuda', function()
   it('compute in place when asked to', function()
      for _, name in ipairs { 'Tanh', 'Sigmoid', 'ReLU' } do
         local x, g = torch.rand(3, 4):add(-0.5), torch.rand(3, 4)
         local plain = nn[name]()
         local y, gx = plain:forward(x):clone(), plain:backward(x, g):clone()
         local layer = cudnn[name](true)
         local work, gradient = x:clone(), g:clone()
         assert.is_true(layer:forward(work):isSetTo(work))
         assert.is_true(work:equal(y))
         layer:backward(work, gradient)
         assert.is_true(gradient:equal(gx))
      end
   end)
end)

describe('cudnn.ClippedReLU #cuda', function()
   it('keeps values between 0 and its ceiling, and their gradients', function()
      for _, inplace in ipairs { false, true } do
         local layer = cudnn.ClippedReLU(2, inplace)
         assert.same({ 0, 0.5, 2, 0 }, layer:forward(torch.Tensor { -1, 0.5, 3, 0 }):totable())
         local g = torch.Tensor { 5, 6, 7, 8 }
         assert.same({ 0, 6, 0, 0 }, layer:backward(torch.Tensor(4), g):totable())
         layer:clearState():cuda()
         local x = torch.CudaTensor { -1, 0.5, 3, 0 }
         assert.same({ 0, 0.5, 2, 0 }, layer:forward(x):totable())
         assert.same({ 0, 6, 0, 0 }, layer:backward(x, g:cuda()):totable())
      end
      assert.matches('above 0, got -1', messageOf(cudnn.ClippedReLU, -1), 1, true)
   end)
end)
