-- Nets that PyTorch exported (test/onnx/tools/pytorch_nets.py, PyTorch 2.15.0, by both of its
-- exporters), with what PyTorch gives for an input.
local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local safetensors = require 'safetensors'
local shell = require 'test.support.shell'

local FOLDER = 'test/data/onnx/'

local function gradients(net)
   net:training()
   local x, target = torch.randn(1, 3, 20, 20):float(), torch.LongTensor { 3 }
   local criterion = nn.CrossEntropyCriterion():float()
   local first
   for _ = 1, 5 do
      net:zeroGradParameters()
      local loss = criterion:forward(net:forward(x), target)
      first = first or loss
      net:backward(x, criterion:backward(net.output, target))
      net:updateParameters(0.01)
   end
   return first, criterion:forward(net:forward(x), target)
end

local NAMES = { 'resnet18', 'mobilenetv2', 'mobilenetv3_old', 'transformer', 'transformer_old',
   'lstm', 'states', 'patches' }

local function data_of(name)
   return safetensors.load(FOLDER .. name:gsub('_old$', '') .. '.safetensors')
end

local function gives(net, data)
   net:evaluate()
   local y = net:forward(data.x1)
   y = torch.isTensor(y) and { y } or y
   assert.is_nil(data['y' .. #y + 1])
   for i, one in ipairs(y) do
      local wanted = data['y' .. i]
      assert.same(wanted:size():totable(), one:size():totable())
      assert.is_true((one - wanted):abs():max() <= 1e-5)
   end
end

describe('onnx reads what PyTorch exports:', function()
   for _, name in ipairs(NAMES) do
      it(name, function()
         local net, about = onnx.import(FOLDER .. name .. '.onnx')
         assert.equal('pytorch', about.producer)
         gives(net, data_of(name))
      end)
   end

   for _, name in ipairs(NAMES) do
      it(name .. ', and writes it again', function()
         local net, data = onnx.import(FOLDER .. name .. '.onnx'), data_of(name)
         shell.with_folder(function(folder)
            for opset = 17, 20 do
               onnx.export(net, folder .. '/x.onnx', { input = data.x1, opset = opset })
               gives(onnx.import(folder .. '/x.onnx'), data)
            end
         end)
      end)
   end

   it('and what was read learns, and saves', function()
      torch.manualSeed(1)
      local net = onnx.import(FOLDER .. 'mobilenetv2.onnx')
      local first, last = gradients(net)
      assert.is_true(last < first)
      net:evaluate()
      local x = torch.randn(2, 3, 20, 20):float()
      local again = torch.deserialize(torch.serialize(net))
      assert.same(net:forward(torch.randn(1, 3, 20, 20):float()):size():totable(), { 1, 10 })
      local one = x:narrow(1, 1, 1)
      assert.equal(0, (net:forward(one) - again:forward(one)):abs():max())
   end)
end)
