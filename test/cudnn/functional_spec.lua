local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local ffi = require 'ffi'
local torch = require 'torch'
local nn = require 'nn'
local cudnn = require 'cudnn'
local cutorch = require 'cutorch'
local raises = require 'test.support.raises'

local F, handle = cudnn.functional, cudnn.getHandle()

local function near(expected, x)
   assert.same(expected:size():totable(), x:size():totable())
   assert.is_true((expected:double() - x:double()):abs():max() < 1e-5)
end

local function images(...)
   return torch.Tensor(...):uniform(-1, 1):cuda()
end

describe('cudnn.functional #cuda', function()
   it('adds biases', function()
      local y, bias = images(2, 3, 4, 5), images(3)
      local expected = y + bias:view(1, 3, 1, 1):expandAs(y)
      F.bias2D_updateOutput(handle, bias, y)
      near(expected, y)
      local single = y[1]:clone()
      F.bias2D_updateOutput(handle, bias, single)
      near(y[1] + bias:view(3, 1, 1):expandAs(single), single)
      local gradBias, sums = images(3), y:sum(4):sum(3):sum(1):view(-1)
      expected = gradBias + sums * 0.5
      F.bias2D_accGradParameters(handle, y, gradBias, 0.5)
      near(expected, gradBias)
      F.bias2D_accGradParameters(handle, y, gradBias, 2, 0)
      near(sums * 2, gradBias)
   end)

   it('convolves', function()
      local layer = cudnn.SpatialConvolution(2, 3, 3, 2, 2, 1, 1, 0):noBias():cuda()
      local x = images(2, 2, 7, 6)
      local y = layer:forward(x)
      local g, weight = images(y:size()), layer.weight
      layer:zeroGradParameters()
      local gx = layer:backward(x, g, 0.5)
      local r, gradWeight = torch.CudaTensor(), weight:clone():zero()
      F.Convolution2D_updateOutput(handle, x, weight, r, layer.dH, layer.dW, layer.padH, layer.padW)
      near(y, r)
      F.Convolution2D_updateGradInput(handle, x, weight, y, g, r, layer.dH, layer.dW, layer.padH,
         layer.padW)
      near(gx, r)
      F.Convolution2D_accGradParameters(handle, x, gradWeight, g, layer.dH, layer.dW, layer.padH,
         layer.padW, 0.5)
      near(layer.gradWeight, gradWeight)
   end)

   it('pools', function()
      local x = images(2, 3, 7, 6)
      for _, case in ipairs {
         { 'Max', nn.SpatialMaxPooling(3, 2, 2, 1, 1, 0):ceil() },
         { 'Average', nn.SpatialAveragePooling(3, 2, 2, 1, 1, 0):ceil() },
         { 'CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING',
            nn.SpatialAveragePooling(3, 2, 2, 1, 1, 0):ceil():setCountExcludePad() },
      } do
         local name, layer = case[1], case[2]:cuda()
         local y = layer:forward(x)
         local g, r, gr = images(y:size()), torch.CudaTensor(), torch.CudaTensor()
         local list = { 2, 3, 1, 2, 0, 1, true }
         if name:match 'CUDNN' then
            F.Pooling_updateOutput(handle, name, x, r, unpack(list))
            F.Pooling_updateGradInput(handle, name, x, r, g, gr, unpack(list))
         else
            F[name .. 'Pooling2D_updateOutput'](handle, x, r, unpack(list))
            F[name .. 'Pooling2D_updateGradInput'](handle, x, r, g, gr, unpack(list))
         end
         near(y, r)
         near(layer:backward(x, g), gr)
      end
      raises("cudnn.functional: mode is 'max', expected CUDNN_POOLING_MAX", F.Pooling_updateOutput,
         handle, 'max', x, x, 2, 2, 2, 2)
   end)

   it('has the functions of elements and classes', function()
      for _, name in ipairs { 'ReLU', 'Tanh', 'Sigmoid', 'SoftMax', 'LogSoftMax' } do
         local layer, x = nn[name]():cuda(), images(2, 3, 4, 5)
         local y = layer:forward(x)
         local g, r, gr = images(y:size()), torch.CudaTensor(), torch.CudaTensor()
         F[name .. '_updateOutput'](handle, x, r)
         F[name .. '_updateGradInput'](handle, x, r, g, gr)
         near(y, r)
         near(layer:backward(x, g), gr)
      end
   end)
end)

describe('cudnn\'s helpers #cuda', function()
   it('speak of types as the library does', function()
      assert.equal(4, cudnn.sizeof(torch.CudaTensor(1)))
      assert.equal(8, cudnn.sizeof(torch.CudaDoubleTensor(1)))
      assert.equal('CUDNN_DATA_HALF', cudnn.typemap['torch.CudaHalfTensor'])
      local one = cudnn.scalar(torch.CudaDoubleTensor(1), 0.1)
      assert.is_true(ffi.istype('double[1]', one) and one[0] == 0.1)
      assert.is_true(ffi.istype('float[1]', cudnn.scalar('torch.CudaTensor', 1)))
      assert.equal('cudnn', ffi.string(cudnn.externalizeString 'cudnn'))
   end)

   it('tell what is computed in, which nothing changes', function()
      local function computed()
         return cudnn.configmap 'torch.CudaHalfTensor', cudnn.configmap 'torch.CudaTensor',
            cudnn.configmap 'torch.CudaDoubleTensor', cudnn.configmap 'torch.FloatTensor'
      end
      local expected = { 'CUDNN_DATA_FLOAT', 'CUDNN_DATA_FLOAT', 'CUDNN_DATA_DOUBLE' }
      assert.same(expected, { computed() })
      cudnn.configureMath()
      cudnn.configureMath { ['torch.CudaHalfTensor'] = 'CUDNN_DATA_HALF' }
      assert.same(expected, { computed() })
      raises('there is no type CUDNN_DATA_FLAOT; near: CUDNN_DATA_FLOAT', cudnn.configureMath,
         { ['torch.CudaTensor'] = 'CUDNN_DATA_FLAOT' })
      raises('there is no type torch.HalfTensor', cudnn.configureMath,
         { ['torch.HalfTensor'] = 'CUDNN_DATA_FLOAT' })
   end)

   it('have a handle for each device, as in older scripts', function()
      local x = torch.CudaTensor { -1, 2 }
      local y = torch.CudaTensor()
      F.ReLU_updateOutput(cudnn.handle[cutorch.getDevice() - 1], x, y)
      assert.same({ 0, 2 }, y:totable())
      assert.equal(cudnn.getHandle(), cudnn.handle[0])
   end)

   it('forget which algorithms were measured', function()
      local layer, x = cudnn.SpatialConvolution(1, 1, 3, 3):cuda(), images(1, 1, 5, 5)
      local y = layer:forward(x):clone()
      cudnn.find.reset()
      cudnn.find:resetAlgorithmCache()
      near(y, layer:forward(x))
      assert.equal(cudnn.find, cudnn.find.get())
   end)
end)

describe("cudnn's workspace #cuda", function()
   local before = cutorch.getOptions().workspace
   local function most()
      return cutorch.getOptions().workspace
   end

   after_each(function()
      cudnn.fastest = false
      cutorch.setOptions { workspace = before }
   end)

   it('is how many bytes an algorithm may take', function()
      cudnn.setSharedWorkspaceSize(1000)
      assert.equal(1000, most())
      cudnn.setSharedWorkspaceSize(10, true) -- not smaller
      assert.equal(1000, most())
      cudnn.setSharedWorkspaceSize(2000, true, cutorch.getDevice(), 0)
      assert.equal(2000, most())
      cudnn.adjustSharedWorkspaceSize(-500)
      assert.equal(1500, most())
      cudnn.adjustSharedWorkspaceSize(-9999)
      assert.equal(0, most())
      cudnn.setNextWorkspaceSize(700.5)
      local buffer, bytes = cudnn.getSharedWorkspace()
      assert.is_true(buffer == nil)
      assert.equal(700, bytes)
      cudnn.setSharedWorkspaceSize()
      assert.equal(cudnn.initialWorkspaceBytes, most())
      cutorch.setOptions { workspace = 33 }
      assert.equal(33, select(2, cudnn.getSharedWorkspace()))
   end)

   it('has a size', function()
      for _, name in ipairs {
         'setSharedWorkspaceSize', 'setNextWorkspaceSize', 'adjustSharedWorkspaceSize',
      } do
         for _, bytes in ipairs { math.huge, -math.huge, 1e300 } do
            raises(('cudnn.%s: bytes%s is a number below 2^52, got %g; without a limit: '
               .. 'cudnn.fastest = true'):format(name, name:find 'adjust' and 'Delta' or '', bytes),
               function() cudnn[name](bytes) end)
         end
      end
      raises('setOptions: workspace is at most 2^52 bytes, got inf', function()
         cutorch.setOptions { workspace = math.huge }
      end)
      raises('setOptions: workspace is at most 2^52 bytes, got', function()
         cutorch.setOptions { workspace = 0 / 0 }
      end)
      cudnn.setSharedWorkspaceSize(2 ^ 52 - 1)
      cudnn.adjustSharedWorkspaceSize(2 ^ 51)
      assert.is_false(cudnn.fastest)
      assert.equal(2 ^ 52 - 1, most())
   end)

   it('is calculated by methods', function()
      raises('cudnn.find:setCalculatedWorkspaceSize is called with a colon, got true in place of',
         function() cudnn.find.setCalculatedWorkspaceSize(true) end)
      raises('cudnn.find:calculateMaxWorkspaceSize is called with a colon, got 1000 in place of',
         function() cudnn.find.calculateMaxWorkspaceSize(1000, 50) end)
      raises('cudnn.find:calculateMaxWorkspaceSize: reserve is a number below 2^52, got inf',
         function() cudnn.find:calculateMaxWorkspaceSize(math.huge) end)
      cudnn.find.get():setCalculatedWorkspaceSize(true)
   end)

   it('is kept for later while fastest takes all that it likes', function()
      cudnn.fastest = true
      local unlimited = most()
      cudnn.setSharedWorkspaceSize(4000)
      assert.equal(unlimited, most())
      assert.equal(4000, select(2, cudnn.getSharedWorkspace()))
      cudnn.fastest = true -- once more
      cudnn.fastest = false
      assert.equal(4000, most())
   end)

   it('may be a share of the memory that is free', function()
      collectgarbage() -- what other specs left is freed now, and not in between
      collectgarbage()
      cutorch.emptyCache()
      local free = cutorch.getMemoryUsage(cutorch.getDevice())
      local half = cudnn.find:calculateMaxWorkspaceSize(0, 50)
      assert.near(free / 2, half, 2 ^ 21)
      torch.CudaTensor(2 ^ 24) -- 64 MiB that the pool keeps
      collectgarbage()
      collectgarbage()
      assert.near(free / 2, cudnn.find:calculateMaxWorkspaceSize(0, 50), 2 ^ 22)
      assert.is_true(cudnn.find:calculateMaxWorkspaceSize() > half)
      assert.equal(0, cudnn.find:calculateMaxWorkspaceSize(2 * free))
      cudnn.find:setCalculatedWorkspaceSize()
      assert.near(0.95 * free, most(), 2 ^ 22)
   end)

   it('is refused where it is no number', function()
      raises('cudnn.setSharedWorkspaceSize: bytes is a number, got 64M',
         cudnn.setSharedWorkspaceSize, '64M')
      raises('cudnn.setNextWorkspaceSize: bytes is a number, got nil', cudnn.setNextWorkspaceSize)
      raises('cudnn.adjustSharedWorkspaceSize: bytesDelta is a number, got nan',
         cudnn.adjustSharedWorkspaceSize, 0 / 0)
      assert.equal(before, most())
   end)
end)

describe('cudnn\'s layers of volumes and sequences #cuda', function()
   it('take softmax and cross entropy at each place', function()
      torch.manualSeed(5)
      local x, weights = torch.randn(2, 3, 2, 4, 5), torch.rand(3):add(0.5)
      local y = cudnn.VolumetricSoftMax():double():forward(x)
      near(x.new(2, 2, 4, 5):fill(1), y:sum(2):select(2, 1))
      local log = cudnn.VolumetricLogSoftMax():double()
      near(y, torch.exp(log:forward(x)))
      near(y[2], cudnn.VolumetricSoftMax():double():forward(x[2]))
      local g = torch.randn(x:size())
      local rows = nn.LogSoftMax():double()
      local function flat(t)
         return t:permute(1, 3, 4, 5, 2):contiguous():view(-1, 3)
      end
      near(rows:forward(flat(x)), flat(log.output))
      near(rows:backward(flat(x), flat(g)), flat(log:backward(x, g)))

      local t = torch.rand(2, 2, 4, 5):mul(3):floor():add(1)
      local criterion = cudnn.VolumetricCrossEntropyCriterion(weights):double()
      local reference = nn.CrossEntropyCriterion(weights:clone()):double()
      assert.near(reference:forward(flat(x), t:view(-1)), criterion:forward(x, t), 1e-12)
      near(reference:backward(flat(x), t:view(-1)), flat(criterion:backward(x, t)))
      raises('cudnn.VolumetricCrossEntropyCriterion: target is 2x2x4, expected a class at each '
         .. 'place of the input, which is 2x3x2x4x5', criterion.forward, criterion, x,
         t:select(4, 1))
   end)

   it('convolve volumes in groups', function()
      local layer, x = cudnn.VolumetricConvolution(4, 6, 2, 3, 2, 1, 1, 1, 1, 0, 1, 2):double(),
         torch.rand(2, 4, 4, 5, 6)
      assert.same({ 6, 2, 2, 2, 3 }, layer.weight:size():totable())
      local y = layer:forward(x)
      for group = 1, 2 do
         local part = nn.VolumetricConvolution(2, 3, 2, 3, 2, 1, 1, 1, 1, 0, 1):double()
         part.weight:copy(layer.weight:narrow(1, 3 * group - 2, 3))
         part.bias:copy(layer.bias:narrow(1, 3 * group - 2, 3))
         near(part:forward(x:narrow(2, 2 * group - 1, 2):clone()), y:narrow(2, 3 * group - 2, 3))
      end
      raises('3 groups do not divide 4 input', cudnn.VolumetricConvolution, 4, 6, 1, 1, 1, 1, 1, 1,
         0, 0, 0, 3)
   end)

   it('convolve sequences with frames of zeros around them', function()
      torch.manualSeed(6)
      local layer, x = cudnn.TemporalConvolution(3, 4, 3, 2, 1):double(), torch.rand(2, 6, 3)
      local plain = nn.TemporalConvolution(3, 4, 3, 2):double()
      plain.weight:copy(layer.weight)
      plain.bias:copy(layer.bias)
      local padded = torch.zeros(2, 8, 3)
      padded:narrow(2, 2, 6):copy(x)
      local y = plain:forward(padded)
      near(y, layer:forward(x))
      local g = torch.rand(y:size())
      plain:zeroGradParameters()
      layer:zeroGradParameters()
      near(plain:backward(padded, g):narrow(2, 2, 6), layer:backward(x, g))
      near(plain.gradWeight, layer.gradWeight)
      near(plain.gradBias, layer.gradBias)
      near(y[1], layer:forward(x[1]))
      raises('3 frames with the padding, shorter than a kernel of 5', function()
         cudnn.TemporalConvolution(3, 4, 5, 1, 1):double():forward(torch.rand(1, 3))
      end)
      raises('padding of 1 frames has no counterpart in nn', cudnn.convert, layer, nn)
      assert.equal(layer, layer:setMode(1, 1, 1):resetMode():resetWeightDescriptors())
   end)

   it('are converted both ways', function()
      local net = nn.Sequential():add(nn.VolumetricConvolution(2, 3, 2, 2, 2))
         :add(nn.VolumetricMaxPooling(2, 2, 2)):double()
      local x = torch.rand(1, 2, 5, 5, 5)
      local y = net:forward(x):clone()
      cudnn.convert(net, cudnn)
      assert.equal('cudnn.VolumetricConvolution', torch.typename(net:get(1)))
      near(y, net:forward(x))
      assert.equal(1, net:get(1).groups)
      assert.equal('nn.VolumetricConvolution', torch.typename(cudnn.convert(net, nn):get(1)))
      near(y, net:forward(x))
   end)
end)

describe('cudnn\'s classes with a mode #cuda', function()
   local function agrees(layer, host, x)
      local y = host:forward(x)
      local g = images(y:size())
      near(y, layer:forward(x))
      near(host:backward(x, g), layer:backward(x, g))
   end

   it('pool by it', function()
      local layer, x = cudnn._Pooling(3, 2, 2, 1, 1, 0):ceil():cuda(), images(2, 3, 7, 6)
      raises('cudnn._Pooling: mode is nil, expected CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING, '
         .. 'CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING, CUDNN_POOLING_MAX', layer.forward, layer,
         x)
      layer.mode = 'CUDNN_POOLING_MAX'
      agrees(layer, nn.SpatialMaxPooling(3, 2, 2, 1, 1, 0):ceil():cuda(), x)
      layer.mode = 'CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING'
      local means = nn.SpatialAveragePooling(3, 2, 2, 1, 1, 0):ceil():cuda()
      agrees(layer, means:setCountExcludePad(), x)
      layer.mode = 'CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING'
      agrees(layer, means:setCountIncludePad(), x)
      layer:floor():resetPoolDescriptors()
      means:floor()
      agrees(layer, means, x)
      local volume = cudnn._Pooling3D(2, 2, 3, 1, 2, 1, 1, 0, 1):cuda()
      volume.mode = 'CUDNN_POOLING_MAX'
      agrees(volume, nn.VolumetricMaxPooling(2, 2, 3, 1, 2, 1, 1, 0, 1):cuda(),
         images(2, 2, 4, 5, 6))
      volume.mode = 'CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING'
      agrees(volume, nn.VolumetricAveragePooling(2, 2, 3, 1, 2, 1, 1, 0, 1):cuda()
         :setCountExcludePad(), images(2, 2, 4, 5, 6))
   end)

   it('are functions of elements by it', function()
      for mode, name in pairs { RELU = 'ReLU', TANH = 'Tanh', SIGMOID = 'Sigmoid' } do
         local layer = cudnn._Pointwise():cuda()
         layer.mode = 'CUDNN_ACTIVATION_' .. mode
         agrees(layer, nn[name]():cuda(), images(3, 4))
         local inplace, x = cudnn._Pointwise(true):cuda(), images(3, 4)
         inplace.mode = layer.mode
         local y = layer:forward(x):clone()
         assert.is_true(inplace:forward(x):isSetTo(x))
         near(y, x)
      end
   end)
end)
