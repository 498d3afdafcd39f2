-- Nets on bytes in files: the operators that are written, and what onnxruntime made of one.
local ffi = require 'ffi'
local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local protobuf = require 'onnx.protobuf'
local shell = require 'test.support.shell'

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
         local model = protobuf.decode(ffi.cast('const char *', text), #text)
         for _, node in ipairs(model.graph.node) do
            counts[node.op_type] = (counts[node.op_type] or 0) + 1
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
