-- How kernels are called: by layers written for Torch7, with what, and what errors say.
local ffi = require 'ffi'
local torch = require 'torch'
local nn = require 'nn'
local THNN = require 'nn.THNN'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

-- A layer as people wrote them: its own buffers, kernels for the arithmetic.
local mine = {}
local Block, parent = torch.class('mine.ConvolutionReLUPool', 'nn.Module', mine)

function Block:__init(nInputPlane, nOutputPlane, kW, kH)
   parent.__init(self)
   self.nInputPlane, self.nOutputPlane, self.kW, self.kH = nInputPlane, nOutputPlane, kW, kH
   self.weight = torch.Tensor(nOutputPlane, nInputPlane * kH * kW):uniform(-1, 1)
   self.bias = torch.Tensor(nOutputPlane):uniform(-1, 1)
   self.gradWeight, self.gradBias = torch.zeros(self.weight:size()), torch.zeros(nOutputPlane)
   self.finput, self.fgradInput = torch.Tensor(), torch.Tensor()
   self.convolved, self.positive = torch.Tensor(), torch.Tensor()
   self.gradPositive, self.gradConvolved = torch.Tensor(), torch.Tensor()
   self.indices = torch.LongTensor()
end

function Block:updateOutput(input)
   input.THNN.SpatialConvolutionMM_updateOutput(input:cdata(), self.convolved:cdata(),
      self.weight:cdata(), THNN.optionalTensor(self.bias), self.finput:cdata(),
      self.fgradInput:cdata(), self.kW, self.kH, 1, 1, 0, 0)
   input.THNN.Threshold_updateOutput(self.convolved:cdata(), self.positive:cdata(), 0, 0, false)
   input.THNN.SpatialMaxPooling_updateOutput(self.positive:cdata(), self.output:cdata(),
      self.indices:cdata(), 2, 2, 2, 2, 0, 0, false)
   return self.output
end

function Block:updateGradInput(input, gradOutput)
   input.THNN.SpatialMaxPooling_updateGradInput(self.positive:cdata(), gradOutput:cdata(),
      self.gradPositive:cdata(), self.indices:cdata(), 2, 2, 2, 2, 0, 0, false)
   input.THNN.Threshold_updateGradInput(self.convolved:cdata(), self.gradPositive:cdata(),
      self.gradConvolved:cdata(), 0, 0, false)
   input.THNN.SpatialConvolutionMM_updateGradInput(input:cdata(), self.gradConvolved:cdata(),
      self.gradInput:cdata(), self.weight:cdata(), self.finput:cdata(), self.fgradInput:cdata(),
      self.kW, self.kH, 1, 1, 0, 0)
   return self.gradInput
end

function Block:accGradParameters(input, _, scale)
   input.THNN.SpatialConvolutionMM_accGradParameters(input:cdata(), self.gradConvolved:cdata(),
      self.gradWeight:cdata(), THNN.optionalTensor(self.gradBias), self.finput:cdata(),
      self.fgradInput:cdata(), self.kW, self.kH, 1, 1, 0, 0, scale or 1)
end

describe('a layer that calls kernels', function()
   it('is differentiated as its formula says', function()
      torch.manualSeed(1)
      local layer, x = mine.ConvolutionReLUPool(2, 3, 3, 2), torch.rand(2, 2, 7, 6)
      local net = nn.Sequential():add(nn.SpatialConvolutionMM(2, 3, 3, 2)):add(nn.ReLU())
         :add(nn.SpatialMaxPooling(2, 2))
      net:get(1).weight:copy(layer.weight)
      net:get(1).bias:copy(layer.bias)
      net:zeroGradParameters()
      numbers.same(net:forward(x), layer:forward(x), 1e-12)
      local g = net.output:clone():uniform(-1, 1)
      numbers.same(net:backward(x, g, 2), layer:backward(x, g, 2), 1e-12)
      numbers.same(net:get(1).gradWeight, layer.gradWeight, 1e-12)
      numbers.same(net:get(1).gradBias, layer.gradBias, 1e-12)
   end)

   it('trains in a net, in floats, and is saved', function()
      torch.manualSeed(2)
      local net = nn.Sequential():add(mine.ConvolutionReLUPool(1, 4, 3, 3))
         :add(nn.View(-1)):add(nn.Linear(16, 1)):float()
      local x = torch.rand(8, 1, 6, 6):float()
      net:get(2):resetSize(8, -1)
      local target = x:view(8, -1):mean(2)
      local criterion, first, last = nn.MSECriterion():float(), nil, nil
      for _ = 1, 30 do
         last = criterion:forward(net:forward(x), target)
         first = first or last
         net:zeroGradParameters()
         net:backward(x, criterion:backward(net.output, target))
         net:updateParameters(0.1)
      end
      assert.is_true(last < first / 4, ('from %g to %g'):format(first, last))
      local file = torch.MemoryFile()
      file:writeObject(net)
      file:seek(1)
      numbers.same(net:forward(x), file:readObject():forward(x), 0)
   end)
end)

describe('kernels of a user\'s layer', function()
   it('are no calls of layers to what hangs on nn.seam', function()
      local seen = {}
      local off = nn.seam.attach(function(call, module, method, ...)
         seen[#seen + 1] = torch.type(module) .. '.' .. method
         return call(module, ...)
      end)
      mine.ConvolutionReLUPool(1, 2, 2, 2):forward(torch.rand(1, 3, 3))
      off()
      assert.same({ 'mine.ConvolutionReLUPool.forward',
         'mine.ConvolutionReLUPool.updateOutput' }, seen)
   end)
end)

describe('full convolutions with dilation', function()
   -- <conv(x), y> = <x, full(y)>
   it('are dilated convolutions transposed', function()
      torch.manualSeed(4)
      local layer = nn.SpatialDilatedConvolution(3, 2, 3, 2, 2, 3, 1, 0, 2, 3):noBias()
      local x = torch.rand(2, 3, 9, 8)
      local y = torch.rand(layer:forward(x):size())
      local r = torch.Tensor()
      -- What the steps leave over of x is the output's: 1 column and 2 rows.
      x.THNN.SpatialFullDilatedConvolution_updateOutput(y, r, layer.weight, nil, nil, nil, 3, 2, 2,
         3, 1, 0, 2, 3, 1, 2)
      numbers.same(layer:backward(x, y), r, 1e-12)

      layer = nn.VolumetricDilatedConvolution(3, 2, 2, 3, 2, 2, 2, 3, 0, 1, 0, 2, 2, 3):noBias()
      x = torch.rand(1, 3, 5, 9, 8)
      y = torch.rand(layer:forward(x):size())
      x.THNN.VolumetricFullDilatedConvolution_updateOutput(y, r, layer.weight, nil, nil, nil, 2, 2,
         3, 0, 1, 0, 2, 2, 3, 0, 1, 2)
      numbers.same(layer:backward(x, y), r, 1e-12)
   end)
end)

describe('arguments of kernels', function()
   local x = torch.Tensor { -1, 0.5, 2 }
   local kernels = x.THNN

   it('are tensors, their cdata, or pointers from elsewhere', function()
      local y = torch.Tensor(5)
      kernels.HardTanh_updateOutput(x, y, -1, 1, false)
      numbers.equal({ -1, 0.5, 1 }, y)
      kernels.HardTanh_updateOutput(x:cdata(), y:cdata(), 0, 1, 0)
      numbers.equal({ 0, 0.5, 1 }, y)
      local pointer = ffi.typeof(x:cdata())
      kernels.Abs_updateOutput(ffi.cast(pointer, torch.pointer(x)), ffi.cast(pointer,
         torch.pointer(y)))
      numbers.equal({ 1, 0.5, 2 }, y)
   end)

   it('may be nil or a null pointer where the header says so', function()
      local y, weight = torch.Tensor(), torch.Tensor { { 1, 2, 4 } }
      for _, none in ipairs { ffi.new 'void *', ffi.cast(ffi.typeof(x:cdata()), nil) } do
         kernels.Linear_updateOutput(x:view(1, 3), y, weight, none, none)
         numbers.equal({ { 8 } }, y)
         raises('argument 3 (weight) is nil', kernels.Linear_updateOutput, x:view(1, 3), y, none)
      end
   end)

   it('live as long as their cdata', function()
      local y = torch.Tensor()
      local pointers = {}
      for i = 1, 50 do
         pointers[i] = torch.Tensor(100):fill(i):cdata()
      end
      collectgarbage()
      collectgarbage()
      for i = 1, 50 do
         kernels.Square_updateOutput(pointers[i], y:cdata())
         assert.equal(i * i, y[100])
      end
   end)

   it('may share memory with the result where a kernel works in place', function()
      local y, g, gx = torch.Tensor(), torch.Tensor { 1, 2, 3 }, torch.Tensor()
      local own = x:clone()
      kernels.LeakyReLU_updateOutput(own:cdata(), y:cdata(), 0.5, true)
      numbers.equal({ -0.5, 0.5, 2 }, y)
      assert.is_true(y:isSetTo(own))
      kernels.LeakyReLU_updateGradInput(own:cdata(), g:cdata(), gx:cdata(), 0.5, true)
      numbers.equal({ 0.5, 2, 3 }, gx)
      assert.is_true(gx:isSetTo(g))
   end)

   it('hold positions of maxima in any element type', function()
      local images = torch.rand(1, 2, 4, 4)
      local y, floats, longs = torch.Tensor(), torch.Tensor(), torch.LongTensor()
      kernels.SpatialMaxPooling_updateOutput(images, y, floats, 2, 2, 2, 2, 0, 0, false)
      kernels.SpatialMaxPooling_updateOutput(images, y, longs, 2, 2, 2, 2, 0, 0, false)
      numbers.same(longs:double(), floats, 0)
      local g, a, b = y:clone():uniform(), torch.Tensor(), torch.Tensor()
      kernels.SpatialMaxPooling_updateGradInput(images, g, a, floats, 2, 2, 2, 2, 0, 0, false)
      kernels.SpatialMaxPooling_updateGradInput(images, g, b, longs, 2, 2, 2, 2, 0, 0, false)
      numbers.same(b, a, 0)
   end)

   it('draw from the generator that is named', function()
      local y, noise, negative = torch.Tensor(), torch.Tensor(), torch.Tensor(50):fill(-1)
      kernels.RReLU_updateOutput(negative, y, noise, 0.25, 0.75, true, false, torch._gen)
      numbers.same(-noise, y, 0)
      assert.is_true(noise:min() >= 0.25 and noise:max() <= 0.75 and noise:std() > 0.05)
      local gx = torch.Tensor()
      kernels.RReLU_updateGradInput(negative, negative, gx, noise, 0.25, 0.75, true, false)
      numbers.same(-noise, gx, 0)
   end)

   it('are what nn.SoftPlus does not have: a threshold', function()
      local y, gx, g = torch.Tensor(), torch.Tensor(), torch.ones(3)
      kernels.SoftPlus_updateOutput(x, y, 2, 1.5)
      numbers.equal({ math.log(1 + math.exp(-2)) / 2, math.log(1 + math.exp(1)) / 2, 2 }, y, 1e-12)
      kernels.SoftPlus_updateGradInput(x, g, gx, y, 2, 1.5)
      numbers.equal({ 1 / (1 + math.exp(2)), 1 / (1 + math.exp(-1)), 1 }, gx, 1e-12)
   end)
end)

describe('errors of kernels', function()
   local x, y = torch.rand(2, 3), torch.Tensor()
   local kernels = x.THNN

   it('name the kernel, what came and what was wanted', function()
      raises('THNN.Abs_updateOutput: argument 2 (output) is nil, expected a tensor or its cdata(); '
         .. 'call it as Abs_updateOutput(input, output)', kernels.Abs_updateOutput, x)
      raises('THNN.ELU_updateOutput: argument 3 (alpha) is a torch.DoubleTensor, expected a number'
         .. '; call it as ELU_updateOutput(input, output, alpha, inplace)',
         kernels.ELU_updateOutput, x, y, y, false)
      raises('argument 4 (inplace) is nil, expected true or false', kernels.ELU_updateOutput, x, y,
         1)
      raises('THNN.Tanh_updateOutput: got 3 arguments, expected 2', kernels.Tanh_updateOutput, x, y,
         y)
      raises('THNN.Tanh_updateOutput: argument 2 (output) is a torch.FloatTensor, expected a '
         .. 'torch.DoubleTensor, as the first tensor is', kernels.Tanh_updateOutput, x,
         torch.FloatTensor())
   end)

   it('of the layer behind name the kernel, and the line that called it', function()
      local message = raises('THNN.SpatialConvolutionMM_updateOutput: input is 2x3, expected N x 3 '
         .. 'x H x W or 3 x H x W', kernels.SpatialConvolutionMM_updateOutput, x, y,
         torch.rand(4, 12), nil, nil, nil, 2, 2, 1, 1, 0, 0)
      assert.is_nil(message:find 'nn.Spatial')
      local f = loadstring('local x, y = ...\n'
         .. 'x.THNN.SpatialMaxPooling_updateOutput(x, y, y, 2, 2, 2, 2, 0, 0, false)', '@user.lua')
      raises('user.lua:2: THNN.SpatialMaxPooling_updateOutput: input is 2x3', f, x, y)
   end)
end)

describe('kernels of other types', function()
   it('are the same', function()
      for _, name in ipairs { 'Half', 'BFloat16', 'Float', 'Double' } do
         local x = torch[name .. 'Tensor'] { { -1, 0.5 }, { 2, -3 } }
         local y, loss = x.new(), x.new()
         x.THNN.Abs_updateOutput(x:cdata(), y:cdata())
         numbers.equal({ { 1, 0.5 }, { 2, 3 } }, y)
         x.THNN.AbsCriterion_updateOutput(x, y, loss, false)
         numbers.equal({ 8 }, loss)
      end
      assert.is_nil(torch.LongTensor.THNN)
   end)
end)

describe("require 'nn.THNN'", function()
   it('has the kernels of each floating type by name', function()
      local r = torch.FloatTensor()
      THNN.runKernel('Abs_updateOutput', 'torch.FloatTensor', torch.FloatTensor { -2 }:cdata(),
         r:cdata())
      assert.equal(2, r[1])
      assert.equal(THNN.kernels['torch.FloatTensor'].Abs_updateOutput,
         torch.FloatTensor.THNN.Abs_updateOutput)
      assert.is_nil(THNN.optionalTensor(nil))
      raises('THNN: there is no kernel Abs_update of torch.FloatTensor', THNN.runKernel,
         'Abs_update', 'torch.FloatTensor')
      raises('THNN: there is no kernel Abs_updateOutput of torch.LongTensor', THNN.runKernel,
         'Abs_updateOutput', 'torch.LongTensor')
   end)

   it('binds functions that take a state', function()
      local library = { THNN_FloatTwice = function(state, n) return { state, 2 * n } end }
      local bound = THNN.bind(library, { 'Twice', 'Thrice' }, 'Float', THNN.getState)
      assert.equal(8, bound.Twice(4)[2])
      assert.is_true(bound.Twice(4)[1] == THNN.getState())
      assert.is_nil(bound.Thrice)
      assert.is_true(THNN.getState() == nil) -- a null pointer
   end)

   it('lets a script put a kernel of its own in the place of one', function()
      local list = torch.FloatTensor.THNN
      local before = list.Abs_updateOutput
      list.Abs_updateOutput = function() return 'mine' end
      assert.equal('mine', torch.FloatTensor(1).THNN.Abs_updateOutput())
      assert.is_nil((torch.DoubleTensor(1).THNN.Abs_updateOutput(torch.DoubleTensor(1),
         torch.DoubleTensor())))
      list.Abs_updateOutput = before
   end)
end)
