-- Nets on bytes in files: the operators that are written, and what onnxruntime made of one.
local ffi = require 'ffi'
local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local protobuf = require 'onnx.protobuf'
local cuda = require 'test.support.cuda'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'
local support = require 'test.onnx.support'
local types = require 'onnx.types'

local model, node, store, value = support.model, support.node, support.store, support.value

local function fill(t, step, count)
   for i = 1, t:nElement() do
      t:view(-1)[i] = (i * step) % count / count - 0.4
   end
   return t
end

-- A residual sum, a pool and a linear layer of fixed weights.
local function net_and_input()
   local function convolution(planes, outputs, step)
      local layer = nn.SpatialConvolution(planes, outputs, 3, 3, 1, 1, 1, 1)
      fill(layer.weight, step, 17)
      fill(layer.bias, 3, 5)
      return layer
   end
   local linear = nn.Linear(4 * 3 * 3, 3)
   fill(linear.weight, 5, 13)
   fill(linear.bias, 1, 3)
   local net = nn.Sequential():add(convolution(2, 4, 7)):add(nn.ReLU())
      :add(nn.ConcatTable():add(convolution(4, 4, 5)):add(nn.Identity())):add(nn.CAddTable())
      :add(nn.ReLU()):add(nn.SpatialMaxPooling(2, 2)):add(nn.View(-1):setNumInputDims(3))
      :add(linear):float()
   return net, fill(torch.FloatTensor(2, 2, 6, 6), 11, 29)
end

-- onnxruntime 1.32.0, without its optimisations, on the file of that net.
local BY_RUNTIME = { { 5.712546, 4.105659, 4.163851 }, { 6.061810, 6.580316, 1.931005 } }

describe('onnx.export of nets on bytes', function()
   it('gives what onnxruntime computes', function()
      local net, x = net_and_input()
      local small = nn.quantize(net, x)
      local y = small:forward(x)
      for i, row in ipairs(BY_RUNTIME) do
         for k, number in ipairs(row) do
            assert.near(number, y[i][k], 2e-5)
         end
      end
   end)

   it('writes pairs of QuantizeLinear and DequantizeLinear, from opset 13 on', function()
      local net, x = net_and_input()
      local small = nn.quantize(net, x)
      shell.with_folder(function(folder)
         local path = folder .. '/net.onnx'
         onnx.export(small, path, { input = x })
         local counts = {}
         local file = io.open(path, 'rb')
         local text = file:read '*a'
         file:close()
         local file_model = protobuf.decode(ffi.cast('const char *', text), #text)
         for _, one in ipairs(file_model.graph.node) do
            counts[one.op_type] = (counts[one.op_type] or 0) + 1
         end
         assert.equal(2, counts.Conv)
         assert.equal(1, counts.Gemm)
         assert.equal(4, counts.QuantizeLinear) -- the input, two convolutions, linear's input
         assert.is_true(counts.DequantizeLinear > counts.QuantizeLinear)
         assert.is_nil(counts.Relu)
      end)
   end)

   it('writes packed weights as floats', function()
      shell.with_folder(function(folder)
         local layer = nn.PackedLinear(nn.Linear(64, 5):float(), 4, 32)
         local x = torch.FloatTensor(3, 64):uniform(-1, 1)
         onnx.export(layer, folder .. '/packed.onnx', { input = x })
         local again = onnx.import(folder .. '/packed.onnx')
         assert.is_true((again:forward(x) - layer:forward(x)):abs():max() < 1e-5)
      end)
   end)
end)

local function classes_of(net)
   local list = {}
   net:apply(function(module) list[#list + 1] = torch.typename(module) end)
   return list
end

local function count(list, name)
   local n = 0
   for _, one in ipairs(list) do
      n = n + (one == name and 1 or 0)
   end
   return n
end

local function again_of(net, x, options)
   local again
   shell.with_folder(function(folder)
      onnx.export(net, folder .. '/net.onnx', { input = x, dynamicBatch = true })
      again = onnx.import(folder .. '/net.onnx', options)
   end)
   return again
end

describe('onnx.import of nets on bytes', function()
   it('gives the layers and the outputs of a net that was exported', function()
      local net, x = net_and_input()
      local small = nn.quantize(net, x)
      local again = again_of(small, x)
      local classes = classes_of(again)
      assert.equal(2, count(classes, 'nn.QuantizedConvolution'))
      assert.equal(1, count(classes, 'nn.QuantizedMaxPooling'))
      assert.equal(1, count(classes, 'nn.QuantizedLinear'))
      assert.equal(0, count(classes, 'nn.SpatialConvolution'))
      torch.manualSeed(4)
      for _, input in ipairs { x, torch.FloatTensor(20, 2, 6, 6):uniform(-1, 1) } do
         local wanted, got = small:forward(input):clone(), again:forward(input)
         assert.is_true((got - wanted):abs():max() <= 1e-6)
         local rounding = again_of(small, x, { bytes = false })
         assert.equal(0, count(classes_of(rounding), 'nn.QuantizedLinear'))
         assert.is_true((rounding:forward(input) - wanted):abs():max() <= 1e-6)
      end
      assert.is_true(torch.deserialize(torch.serialize(again)):forward(x):equal(again:forward(x)))
   end)

   it('makes a sequence of a sequence', function()
      torch.manualSeed(2)
      local net = nn.Sequential():add(nn.Linear(6, 8)):add(nn.ReLU()):add(nn.Linear(8, 4))
         :add(nn.Tanh()):add(nn.Linear(4, 2)):float()
      local x = torch.FloatTensor(30, 6):normal()
      for _, per_channel in ipairs { true, false } do
         local small = nn.quantize(net, x, { perChannel = per_channel })
         local again = again_of(small, x)
         assert.same({ 'nn.Sequential', 'nn.QuantizedLinear', 'nn.QuantizedLinear', 'nn.Tanh',
            'nn.QuantizedLinear' }, classes_of(again))
         assert.is_not_nil(again:get(1).outScale)
         assert.is_true(again:get(1).weight:equal(small:get(1).weight))
         assert.is_true((again:forward(x) - small:forward(x)):abs():max() <= 1e-6)
         -- Another trip changes nothing.
         assert.is_true(again_of(again, x):forward(x):equal(again:forward(x)))
      end
   end)

   it('takes sums of two values on bytes, and values that several read', function()
      torch.manualSeed(3)
      local net = nn.Sequential():add(nn.Linear(5, 6)):add(nn.ConcatTable():add(nn.Linear(6, 6))
         :add(nn.Linear(6, 6)):add(nn.Identity())):add(nn.ConcatTable()
         :add(nn.Sequential():add(nn.NarrowTable(1, 2)):add(nn.CAddTable()):add(nn.Linear(6, 2)))
         :add(nn.SelectTable(3))):add(nn.JoinTable(2)):float()
      local x = torch.FloatTensor(12, 5):normal()
      local small = nn.quantize(net, x)
      local again = again_of(small, x)
      assert.is_true((again:forward(x) - small:forward(x)):abs():max() <= 1e-6)
   end)

   -- x and z rounded to bytes, and their sum, whose bytes are the output's numbers.
   local function rounded_sum(x, z, between, changes)
      local constants, nodes = {}, between or {}
      for name, number in pairs { scale = 0.02, zero = 128 } do
         local class = name == 'scale' and torch.FloatTensor or torch.ByteTensor
         constants[#constants + 1] = types.encode(name, class { number }, {})
      end
      local function through_bytes(from, to)
         nodes[#nodes + 1] = node('QuantizeLinear', { from, 'scale', 'zero' }, from .. '_bytes')
         nodes[#nodes + 1] = node('DequantizeLinear', { from .. '_bytes', 'scale', 'zero' }, to)
      end
      through_bytes(between and 'v' or 'x', 'a')
      through_bytes('z', 'b')
      nodes[#nodes + 1] = node('Add', { 'a', 'b' }, 's')
      through_bytes('s', 'y')
      local graph = { input = { value('x', unpack(x)), value('z', unpack(z)) },
         output = { value 'y' }, initializer = constants }
      for key, change in pairs(changes or {}) do
         graph[key] = change
      end
      return model(nodes, graph)
   end

   local function sums_on_bytes(text, ...)
      local inputs, sums = { ... }, 0
      for i, sizes in ipairs(inputs) do
         inputs[i] = fill(torch.FloatTensor(unpack(sizes)), 7 + i, 19)
      end
      shell.with_folder(function(folder)
         store(folder .. '/x.onnx', text)
         local net = onnx.import(folder .. '/x.onnx')
         local floats = onnx.import(folder .. '/x.onnx', { bytes = false })
         local y, wanted = net:forward(inputs), floats:forward(inputs)
         assert.same(wanted:size():totable(), y:size():totable())
         assert.is_true((y - wanted):abs():max() <= 1e-6)
         sums = count(classes_of(net), 'nn.QuantizedAdd')
      end)
      return sums
   end

   it('makes sums of floats where sizes stretch, or may', function()
      local same = { 2, 3, 4 }
      assert.equal(1, sums_on_bytes(rounded_sum(same, same), same, same))
      assert.equal(1, sums_on_bytes(rounded_sum({ 'N', 4 }, { 'N', 4 }), { 3, 4 }, { 3, 4 }))
      for _, case in ipairs {
         { { 2, 3, 4 }, { 2, 1, 4 } }, { { 3, 1 }, { 1, 3 } }, { { 2, 3, 4 }, { 4 } },
         { { 'N', 4 }, { 'M', 4 }, { 1, 4 }, { 3, 4 } },
         { { {}, 4 }, { {}, 4 }, { 3, 4 }, { 1, 4 } },
         { { -1, 4 }, { -1, 4 }, { 3, 4 }, { 1, 4 } }, { { 0, 4 }, { 0, 4 }, { 3, 4 }, { 1, 4 } },
      } do
         assert.equal(0, sums_on_bytes(rounded_sum(case[1], case[2]), case[3] or case[1],
            case[4] or case[2]))
      end
   end)

   it('knows the sizes behind windows, and of values that the file tells them of', function()
      local function pool(size, step)
         return { node('MaxPool', { 'x' }, 'v', {
            { name = 'kernel_shape', type = 7, ints = { size, size } },
            { name = 'strides', type = 7, ints = { step, step } },
         }) }
      end
      local image, odd = { 'N', 3, 9, 'W' }, { 2, 3, 9, 10 }
      assert.equal(1, sums_on_bytes(rounded_sum(image, { 'N', 3, 4, '(W+0)/2' }, pool(2, 2)), odd,
         { 2, 3, 4, 5 }))
      assert.equal(1, sums_on_bytes(rounded_sum({ 1, 3, 9, 9 }, { 1, 3, 7, 7 }, pool(3, 1)),
         { 1, 3, 9, 9 }, { 1, 3, 7, 7 }))
      assert.equal(0, sums_on_bytes(rounded_sum(image, { 'N', 3, 1, 1 }, pool(2, 2)), odd,
         { 2, 3, 1, 1 }))
      local sine = { node('Sin', { 'x' }, 'v') }
      assert.equal(0, sums_on_bytes(rounded_sum({ 2, 3 }, { 2, 3 }, sine), { 2, 3 }, { 2, 3 }))
      sine = { node('Sin', { 'x' }, 'v') }
      assert.equal(1, sums_on_bytes(rounded_sum({ 2, 3 }, { 2, 3 }, sine,
         { value_info = { value('v', 2, 3) } }), { 2, 3 }, { 2, 3 }))
   end)

   -- test/onnx/tools/quantized_nets.py made them: bytes with a scale for each output, and signed
   -- bytes with one for all.
   for _, name in ipairs { 'quantized', 'quantized_signed' } do
      it('gives what onnxruntime computes of its own ' .. name .. '.onnx', function()
         local path = 'test/data/onnx/' .. name
         local data = require('safetensors').load(path .. '.safetensors')
         local step = 0.012 -- what the last bytes stand for
         for _, bytes in ipairs { true, false } do
            local net = onnx.import(path .. '.onnx', { bytes = bytes })
            local y = net:forward(data.x1)
            assert.is_true((y - data.y1):abs():max() <= 1.01 * step)
            assert.is_true((y - data.y1):abs():mean() <= 0.05 * step)
            local classes = classes_of(net)
            assert.equal(bytes and 2 or 0, count(classes, 'nn.QuantizedConvolution'))
            assert.equal(bytes and 2 or 0, count(classes, 'nn.QuantizedLinear'))
            assert.equal(bytes and 1 or 0, count(classes, 'nn.QuantizedAdd'))
            assert.equal(bytes and 1 or 0, count(classes, 'nn.QuantizedMaxPooling'))
         end
      end)
   end

   if cuda.available then
      it('gives nets that go to a device', function()
         local data = require('safetensors').load 'test/data/onnx/quantized.safetensors'
         for _, bytes in ipairs { true, false } do
            local net = onnx.import('test/data/onnx/quantized.onnx', { bytes = bytes }):cuda()
            local y = net:forward(data.x1:cuda())
            assert.equal('torch.CudaTensor', y:type())
            assert.is_true((y:float() - data.y1):abs():max() <= 0.0121)
         end
      end)
   end

   it('leaves weights on floats whose scales are no positive numbers', function()
      local text = shell.read 'test/data/onnx/quantized.onnx'
      for _, number in ipairs { 0 / 0, math.huge, -1, 0, 1e37 } do
         local graph = protobuf.decode(ffi.cast('const char *', text), #text)
         local scales = {}
         for _, one in ipairs(graph.graph.node) do
            if one.op_type == 'Conv' then
               scales[one.input[2]] = true
            end
         end
         for _, one in ipairs(graph.graph.node) do
            if scales[one.output[1]] then
               scales[one.input[2]] = true
            end
         end
         for i, one in ipairs(graph.graph.initializer) do
            local t = types.decode(one)
            graph.graph.initializer[i] = types.encode(one.name,
               scales[one.name] and t:fill(number) or t, one.dims or {})
         end
         shell.with_folder(function(folder)
            local data, size = protobuf.encode(graph)
            store(folder .. '/x.onnx', ffi.string(data, size))
            local classes = classes_of(onnx.import(folder .. '/x.onnx'))
            assert.equal(0, count(classes, 'nn.QuantizedConvolution'))
            assert.equal(2, count(classes, 'nn.QuantizedLinear'))
         end)
      end
   end)

   it('reads scales and zeros of bytes, and leaves others alone', function()
      local bytes = require 'onnx.import.bytes'
      local function numbers(kind, scale, zero)
         return bytes.numbers {
            kind = kind, a = {},
            constant = function(_, i) return ({ [2] = scale, [3] = zero })[i] end,
            has = function(_, i) return i == 2 or zero ~= nil end,
         }
      end
      local half, three = torch.FloatTensor { 0.5 }, torch.ByteTensor { 3 }
      for _, kind in ipairs { 'QuantizeLinear', 'DequantizeLinear' } do
         assert.same({ scale = 0.5, zero = 3, signed = false }, numbers(kind, half, three))
         assert.same({ scale = 0.5, zero = 125, signed = true },
            numbers(kind, half, torch.CharTensor { -3 }))
         for _, scale in ipairs { 0, -1, math.huge, 0 / 0 } do
            assert.is_nil(numbers(kind, torch.FloatTensor { scale }, three))
            assert.is_nil(numbers(kind, torch.FloatTensor { scale }))
         end
         assert.is_nil(numbers(kind, torch.FloatTensor { 0.5, 1 }, three))
         assert.is_nil(numbers(kind, half, torch.ByteTensor { 3, 4 }))
         assert.is_nil(numbers(kind, half, torch.IntTensor { 3 }))
         assert.is_nil(numbers(kind, nil, three))
      end
      assert.same({ scale = 0.5, zero = 0, signed = false }, numbers('QuantizeLinear', half))
      assert.same({ scale = 0.5, zero = 0 }, numbers('DequantizeLinear', half))
      assert.is_nil(numbers('Conv', half, three))
   end)

   it('has the operators by themselves', function()
      local operators = require 'onnx.operators'
      local Q, D = operators.QuantizeLinear, operators.DequantizeLinear
      local tools = require 'onnx.operators.tools'
      tools.budget = nil
      local one = torch.FloatTensor { 1 }
      local x = torch.FloatTensor { 0.5, 1.5, 2.5, -0.5, -1.5, 300, -300, 1e30, -1e30 }
      assert.same({ 0, 2, 2, 0, 0, 255, 0, 255, 0 }, Q({}, x, one):totable())
      assert.same({ 0, 2, 2, 0, -2, 127, -128, 127, -128 },
         Q({}, x, one, torch.CharTensor { 0 }):totable())
      assert.same({ 3, 5, 5, 3, 1, 255, 0, 255, 0 },
         Q({}, x, one, torch.ByteTensor { 3 }):totable())
      local matrix = torch.FloatTensor { { 1, 2, 3 }, { -4, 5, 6 } }
      local scales = torch.FloatTensor { 1, 2, 4 }
      local zeros = torch.CharTensor { 0, 1, 2 }
      assert.same({ { 1, 2, 3 }, { -4, 3, 4 } }, Q({ axis = 1 }, matrix, scales, zeros):totable())
      assert.same({ { 2, 4 }, { 9, 12 } }, D({ axis = 0 }, torch.ByteTensor { { 1, 2 }, { 3, 4 } },
         torch.FloatTensor { 2, 3 }):totable())
      assert.same({ -2, 0.5 }, D({}, torch.CharTensor { -3, 2 }, torch.FloatTensor { 0.5 },
         torch.CharTensor { 1 }):totable())
      assert.same({ -50, 100 }, D({}, torch.IntTensor { -500, 1000 },
         torch.FloatTensor { 0.1 }):round():totable())
      raises('2 scales for 3 places', function()
         Q({ axis = 1 }, matrix, torch.FloatTensor { 1, 2 })
      end)
      raises('scales of blocks are not read', function()
         D({ axis = 1, block_size = 2 }, torch.ByteTensor(2, 4), torch.FloatTensor(2, 2))
      end)
      raises("there is no option 'byte'; near: bytes", onnx.import, 'x.onnx', { byte = true })
   end)
end)
