-- onnx.Operator: values by definition, gradients by differences, saving, conversion.
local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local ffi = require 'ffi'
local protobuf = require 'onnx.protobuf'
local gradients = require 'test.onnx.gradients'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local function operator(name, attributes, ...)
   attributes = attributes or {}
   attributes.ranks = attributes.ranks or {}
   attributes.outputs = attributes.outputs or 1
   return onnx.Operator(name, attributes, { ... })
end

local function integers(...)
   return { constant = torch.LongTensor { ... } }
end

-- Gradients by differences; the result.
local function check(layer, ...)
   return gradients.check(layer, { ... })
end

describe('onnx.Operator in a file', function()
   local function written(layer, x, opset)
      local again, kinds = nil, {}
      shell.with_folder(function(folder)
         local path = folder .. '/x.onnx'
         onnx.export(layer, path, { input = x, opset = opset })
         local text = shell.read(path)
         local model = protobuf.decode(ffi.cast('const char *', text), #text)
         for _, node in ipairs(model.graph.node) do
            kinds[node.op_type] = node
         end
         again = onnx.import(path)
      end)
      return again, kinds
   end

   local function survives(layer, x, opset)
      local again, kinds = written(layer, x, opset)
      local y, wanted = again:forward(x), layer:forward(x)
      assert.same(wanted:size():totable(), y:size():totable())
      assert.is_true((y - wanted):abs():max() <= 1e-6)
      return kinds[layer.operator]
   end

   local x = torch.randn(2, 3, 4):float()

   it('has its axes where the opset wants them', function()
      for _, layer in ipairs {
         operator('ReduceMean', { axes = { 1 }, keepdims = 0 }, 1),
         operator('ReduceMean', { keepdims = 0 }, 1, integers(1)),
      } do
         assert.equal(1, #survives(layer, x, 17).input)
         assert.equal(2, #survives(layer, x, 18).input)
      end
      assert.equal(2, #survives(operator('Unsqueeze', { axes = { 0 } }, 1), x, 13).input)
      assert.equal(3, #survives(operator('Clip', { min = -0.5, max = 0.25 }, 1), x, 13).input)
      assert.equal(4, #survives(operator('Slice',
         { starts = { 0 }, ends = { 2 }, axes = { 1 } }, 1), x, 13).input)
      assert.equal(4, #survives(operator('Slice', -- to the end
         { starts = { 1 }, ends = { 2 ^ 63 }, axes = { 1 } }, 1), x, 13).input)
   end)

   it('keeps constants, numbers among them, and kinds of attributes', function()
      survives(operator('Add', {}, 1, { weight = torch.randn(3, 1):float() }), x)
      survives(operator('Gather', { axis = 2, ranks = { 3, 0 } }, 1, integers(2)), x)
      survives(operator('LeakyRelu', { alpha = 1 }, 1), x)
      survives(operator('Where', {}, { constant = torch.ByteTensor { 0, 1, 1, 0 } }, 1,
         { weight = torch.FloatTensor { 2 } }), x)
   end)

   it('is a Resize of today where it was one of scales alone', function()
      local layer = operator('Upsample', { opset = 7, scales = { 1, 2, 1.5 }, mode = 'nearest' }, 1)
      local again, kinds = written(layer, x, 17)
      assert.is_true(again:forward(x):equal(layer:forward(x)))
      assert.same({ 2, 6, 6 }, layer.output:size():totable())
      assert.equal(3, #kinds.Resize.input)
      layer = operator('Resize', { opset = 10, mode = 'linear' }, 1,
         { constant = torch.FloatTensor { 1, 2, 1 } })
      assert.is_true(written(layer, x, 17):forward(x):equal(layer:forward(x)))
      assert.is_true(layer.output[1][6]:equal(x[1][3]))
   end)

   it('is refused in an opset that has not got it', function()
      raises('GridSample is an operator of opset 16, this export has 13: give opset = 16',
         written, operator('GridSample', {}, 1, { weight = torch.zeros(1, 2, 2, 2):float() }),
         torch.randn(1, 2, 3, 4), 13)
      raises('ScatterND with reduction is an operator of opset 16', written,
         operator('ScatterND', { reduction = 'add' }, 1, { constant = torch.LongTensor { { 0 } } },
            { weight = torch.randn(1, 3, 4):float() }), x, 13)
      raises('ReduceMax with axes that are computed is an operator of opset 18', written,
         nn.Sequential():add(nn.ConcatTable():add(nn.Identity()):add(nn.Constant(
            torch.LongTensor { 1 }))):add(operator('ReduceMax', {}, 1, 2)), x, 17)
   end)
end)

describe('onnx.WithCells', function()
   it('has gradients of sequences, states and weights', function()
      torch.manualSeed(1)
      for _, both in ipairs { false, true } do
         local layer = onnx.WithCells(nn.LSTM(3, 2, 1, true, false, 0, both))
         local parts = nn.ParallelTable():add(nn.View(-1)):add(nn.View(-1))
         local net = nn.Sequential():add(layer):add(parts):add(nn.JoinTable(1))
         check(net, torch.randn(4, 2, 3))
         local states = both and 2 or 1
         check(net, torch.randn(4, 2, 3), torch.randn(states, 2, 2), torch.randn(states, 2, 2))
      end
   end)
end)

describe('onnx.Operator', function()
   before_each(function()
      torch.manualSeed(1)
   end)

   it('has gradients of inputs and of constants that are reals', function()
      check(operator('Add', {}, 1, { weight = torch.randn(3, 1) }), torch.randn(2, 3, 4))
      check(operator('MatMul', {}, 1, 2), torch.randn(2, 3, 4), torch.randn(4, 5))
      check(operator('Mul', {}, 1, 1), torch.randn(3))
      check(operator('Softmax', { axis = 1 }, 1), torch.randn(2, 3, 2))
      for _, equation in ipairs { 'i,i->', 'i,i', '...i,...i->...', 'a,a' } do -- one number
         check(operator('Einsum', { equation = equation }, 1, 2), torch.randn(3), torch.randn(3))
      end
      check(operator('Pow', {}, 1, 2), torch.rand(2, 3):add(0.5), torch.Tensor { 1.5 })
      check(operator('Clip', {}, 1, 2, 3), torch.linspace(-1, 1, 6), torch.Tensor { -0.3 },
         torch.Tensor { 0.5 })
      check(operator('GatherND', {}, 1,
         { constant = torch.LongTensor { { 0, 1 }, { 2, -1 } } }), torch.randn(3, 4))
      check(operator('ScatterND', {}, 1, { constant = torch.LongTensor { { 2 }, { 0 } } }, 2),
         torch.randn(3, 4), torch.randn(2, 4))
      for _, reduction in ipairs { 'none', 'add', 'mul', 'max' } do
         check(operator('ScatterElements', { axis = 1, reduction = reduction }, 1,
            { constant = torch.LongTensor { { 0, 3 }, { 1, 2 } } }, 2), torch.randn(3, 4),
            torch.randn(2, 2))
      end
      check(operator('GridSample', {}, 1, 2), torch.randn(2, 3, 4, 5),
         torch.rand(2, 3, 2, 2):mul(1.9):add(-1))
      check(operator('GridSample', { mode = 'cubic', padding_mode = 'reflection' }, 1, 2),
         torch.randn(1, 2, 4, 5), torch.rand(1, 2, 2, 2):mul(2.9):add(-1.4))
      check(operator('RoiAlign', { output_height = 2, output_width = 2 }, 1,
         { constant = torch.FloatTensor { { 0.5, 1, 3, 3.5 }, { 2, 1, 4, 2 } } },
         { constant = torch.LongTensor { 1, 0 } }), torch.randn(2, 2, 4, 5))
      check(operator('Resize', { mode = 'cubic' }, 1, false, false,
         { constant = torch.LongTensor { 1, 1, 5, 2 } }), torch.randn(1, 2, 3, 4))
      check(operator('Attention', { is_causal = 1 }, 1, 2, 3), torch.randn(1, 2, 3, 4),
         torch.randn(1, 2, 3, 4), torch.randn(1, 2, 3, 2))
      check(operator('RMSNormalization', {}, 1, { weight = torch.randn(4) }), torch.randn(3, 4))
      check(operator('Asinh', {}, 1), torch.randn(4))
      check(operator('Asinh', {}, 1), torch.Tensor { -2 ^ 28, 2 ^ 29 })
      check(operator('Acosh', {}, 1), torch.rand(4):add(1.5))
      check(operator('ThresholdedRelu', { alpha = 0.3 }, 1), torch.Tensor { -1, 0.2, 0.5, 2 })
      check(operator('Shrink', { lambd = 0.4, bias = 0.2 }, 1), torch.Tensor { -1, 0.2, 0.5, 2 })
      check(operator('PRelu', {}, 1, 2), torch.Tensor { { -1, 2 }, { 3, -4 } }, torch.rand(2))
      check(operator('CumSum', { exclusive = 1, reverse = 1 }, 1, integers(1)), torch.randn(2, 4))
      check(operator('LayerNormalization', { axis = -1 }, 1, { weight = torch.randn(4) },
         { weight = torch.randn(4) }), torch.randn(2, 4))
      local function weights(...)
         return { weight = torch.randn(...) }
      end
      local lengths = { constant = torch.IntTensor { 1, 3 } }
      check(operator('LSTM', { direction = 'reverse' }, 1, weights(1, 8, 2), weights(1, 8, 2),
         weights(1, 16), lengths, 2, 3, weights(1, 6)), torch.randn(3, 2, 2),
         torch.randn(1, 2, 2), torch.randn(1, 2, 2))
      check(operator('GRU', { direction = 'bidirectional' }, 1, weights(2, 6, 2), weights(2, 6, 2),
         weights(2, 12), lengths), torch.randn(3, 2, 2))
      check(operator('RNN', { layout = 1 }, 1, weights(1, 2, 2), weights(1, 2, 2)),
         torch.randn(2, 3, 2))
      check(operator('Conv', { auto_pad = 'SAME_LOWER', strides = { 2, 2 } }, 1, 2, 3),
         torch.randn(2, 2, 4, 3), torch.randn(2, 2, 2, 2), torch.randn(2))
      check(operator('ConvTranspose', { output_shape = { 5, 6 }, strides = { 2, 2 } }, 1, 2, 3),
         torch.randn(1, 2, 2, 3), torch.randn(2, 2, 2, 2), torch.randn(2))
      local pool = { auto_pad = 'SAME_UPPER', strides = { 2, 2 }, kernel_shape = { 2, 3 } }
      for _, name in ipairs { 'MaxPool', 'AveragePool', 'LpPool' } do
         check(operator(name, pool, 1), torch.randn(2, 1, 3, 4))
      end
      check(operator('Pad', { mode = 'reflect' }, 1, integers(0, 2, 0, 1)), torch.randn(2, 4))
      check(operator('Resize', { mode = 'linear' }, 1, false,
         { constant = torch.FloatTensor { 1, 1.5 } }), torch.randn(2, 4))
   end)

   it('has the same Asinh in all types, whose squares overflow early in 16 bits', function()
      local x = torch.DoubleTensor { -6e4, -300, -1.5, -0.25, 0, 0.5, 2, 6e4 }
      local y = operator('Asinh', {}, 1):double():forward(x)
      for i = 1, x:size(1) do
         assert.near(math.log(math.abs(x[i]) + math.sqrt(x[i] * x[i] + 1)), math.abs(y[i]), 1e-14)
      end
      for _, half in ipairs { 'half', 'bfloat16' } do
         local rounded = x[half](x)
         local wanted = operator('Asinh', {}, 1):forward(rounded:double())
         local got = operator('Asinh', {}, 1):type(rounded:type()):forward(rounded)
         assert.is_true(torch.ne(got:double(), got:double()):sum() == 0)
         assert.is_true((got:double() - wanted):abs():max() < 0.08, half) -- 10 has 7 or 10 bits
      end
   end)

   it('computes what the definitions say', function()
      local x = torch.range(0, 5):view(2, 3)
      local function value(name, attributes, ...)
         return operator(name, attributes, 1, ...):forward(x):totable()
      end
      assert.same({ { 5, 4 }, { 2, 1 } }, operator('Slice', {}, 1, integers(-1, -1),
         integers(-3, -3), integers(0, 1), integers(-1, -1)):forward(x):totable())
      assert.same({ { 1, 2, 0 }, { 4, 5, 3 } }, value('Gather', { axis = 1 }, integers(1, 2, 0)))
      assert.same({ 3, 12 }, value('ReduceSum', { keepdims = 0 }, integers(1)))
      assert.same({ 0, -math.huge, math.huge }, operator('Shrink', { lambd = 1, bias = 2 }, 1)
         :forward(torch.Tensor { 0 / 0, -math.huge, math.huge }):totable())
      assert.same({ 2, 3 }, operator('Shape', {}, 1):forward(x):totable())
      assert.same({ { 0, 1, 2, 3, 4, 5 } }, value('Flatten', { axis = 0 }))
      assert.same({ { 0, 0, 1, 2 }, { 3, 3, 4, 5 } }, value('Pad', { mode = 'edge' },
         integers(0, 1, 0, 0)))
      assert.same({ 2, 2 }, value('ArgMax', { axis = 1, keepdims = 0 }))
   end)

   it('knows the error function as its series gives it', function()
      local function series(z) -- 2 / sqrt(pi) sum (-1)^n z^(2n+1) / (n! (2n+1))
         local sum, term = 0, z
         for n = 0, 60 do
            sum = sum + term / (2 * n + 1)
            term = -term * z * z / (n + 1)
         end
         return 2 / math.sqrt(math.pi) * sum
      end
      local x = torch.linspace(-3, 3, 41)
      local y = operator('Erf', {}, 1):forward(x)
      for i = 1, 41 do
         assert.is_true(math.abs(y[i] - series(x[i])) < 2e-7)
      end
   end)

   it('keeps the type of a value that is no parameter', function()
      local layer = operator('ConstantOfShape', { value = torch.LongTensor { 7 } }, 1):float()
      local y = layer:forward(torch.LongTensor { 2, 1 })
      assert.equal('torch.LongTensor', y:type())
      assert.same({ { 7 }, { 7 } }, y:totable())
   end)

   it('has gradients beside what is rounded, and 0 through it', function()
      local layer = operator('com.microsoft.DynamicQuantizeMatMul', {}, 1,
         { constant = torch.ByteTensor { { 1, 2 }, { 3, 4 } } },
         { constant = torch.FloatTensor { 0.5 } }, false, { weight = torch.FloatTensor { 1, -1 } })
      local x = torch.FloatTensor { { 1, -2 }, { 0.5, 0 }, { 3, 1 } }
      local g = layer:backward(x, layer:forward(x):clone():fill(1))
      assert.same({ 0, { 3, 3 } }, { g:abs():max(), layer.gradWeights[1]:totable() })
   end)

   it('has parts of 1 as scales of whole numbers', function()
      local y = operator('QuantizeLinear', {}, 1, { constant = torch.FloatTensor { 0.5 } },
         { constant = torch.ByteTensor { 3 } }):forward(torch.IntTensor { 1, -3, 700 })
      assert.same({ 'torch.ByteTensor', { 5, 0, 255 } }, { y:type(), y:totable() })
      raises('onnx.Operator QuantizeLinear: it gives UINT4, and bytes and 16-bit integers are read',
         nn.Module.forward, operator('QuantizeLinear', { output_dtype = 21 }, 1,
            { constant = torch.FloatTensor { 0.5 } }), torch.FloatTensor { 1 })
   end)

   it('rounds the middle to even numbers', function()
      assert.same({ 0, 2, 2, -2, -4, 1, -1 }, operator('Round', {}, 1)
         :forward(torch.Tensor { 0.5, 1.5, 2.5, -2.5, -3.5, 0.9, -1.2 }):totable())
   end)

   it('saves, converts and says what was wrong', function()
      local layer = operator('Gather', { axis = 0 }, { weight = torch.randn(4, 2) }, 1)
      local at = torch.LongTensor { 3, 0 }
      local again = torch.deserialize(torch.serialize(layer)):float()
      assert.equal('torch.FloatTensor', again:forward(at):type())
      local off = (again:forward(at):double() - layer:forward(at)):abs():max()
      assert.is_true(off < 1e-6)
      assert.equal('onnx.Operator(Gather)', tostring(layer))
      raises('onnx.Operator Gather: position 9 of 4', layer.forward, layer, torch.LongTensor { 9 })
      raises('onnx.Operator Conv: weights of 2x3x1x1 and 1 groups for an input of 1x2x4x4',
         nn.Module.forward, operator('Conv', {}, 1, 2),
         { torch.randn(1, 2, 4, 4), torch.randn(2, 3, 1, 1) })
      raises('onnx.Operator Conv: onnx.Operator: ', nn.Module.forward, operator('Conv', {}, 1, 2),
         { torch.randn(1, 2, 4, 4), torch.randn(2, 2, 1, 1):float() })
      raises('onnx.Operator MaxPool: a window of 5 does not fit into 4', nn.Module.forward,
         operator('MaxPool', { kernel_shape = { 5, 5 } }, 1), torch.randn(1, 2, 4, 4))
      raises('onnx.Operator RoiAlign: a box of inf x 1 has too many places to look at',
         nn.Module.forward, operator('RoiAlign', {}, 1,
            { weight = torch.Tensor { { 0, 0, math.huge, 1 } } }, integers(0)),
         torch.randn(1, 1, 4, 4))
      raises('onnx.Operator Add: sizes 2x3 and 4 do not stretch to each other',
         nn.Module.forward, operator('Add', {}, 1, { weight = torch.randn(4) }), torch.randn(2, 3))
   end)
end)
