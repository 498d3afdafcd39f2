-- Nets of CUDA's types: exported as those of the host, and what was read computes on a device.
local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local case_of = require 'test.onnx.case'
local cases = require 'test.onnx.cases'
local nested = require 'nn.nested'
local safetensors = require 'safetensors'
local cuda = require 'test.support.cuda'
local shell = require 'test.support.shell'
local tools = require 'onnx.operators.tools'

local FOLDER = 'test/data/onnx/'

describe('onnx on a device', function()
   if not cuda.available then
      return
   end
   require 'cunn'

   it('exports a net that lies there', function()
      local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Tanh()):cuda()
      local x = torch.randn(2, 3):cuda()
      shell.with_folder(function(folder)
         onnx.export(net, folder .. '/net.onnx', { input = x })
         local y = onnx.import(folder .. '/net.onnx'):forward(x:float())
         assert.is_true((y - net:forward(x):float()):abs():max() < 1e-6)
      end)
      assert.equal('torch.CudaTensor', net:type())
   end)

   it("exports cudnn's layers", function()
      local cudnn = require 'cudnn'
      local net = nn.Sequential():add(nn.SpatialConvolution(2, 3, 3, 3))
         :add(nn.SpatialBatchNormalization(3)):add(nn.ReLU()):add(nn.SpatialMaxPooling(2, 2)):cuda()
      net:evaluate()
      local x = torch.randn(2, 2, 6, 6):cuda()
      local wanted = net:forward(x):float()
      shell.with_folder(function(folder)
         onnx.export(cudnn.convert(net, cudnn), folder .. '/net.onnx', { input = x })
         local again = onnx.import(folder .. '/net.onnx')
         again:evaluate()
         assert.is_true((again:forward(x:float()) - wanted):abs():max() < 1e-5)
      end)
   end)

   for _, name in ipairs { 'mobilenetv3_old', 'transformer_old', 'lstm' } do
      it('computes ' .. name .. ' there, and back', function()
         local data = safetensors.load(FOLDER .. name:gsub('_old$', '') .. '.safetensors')
         local net = onnx.import(FOLDER .. name .. '.onnx'):cuda()
         net:evaluate()
         net:zeroGradParameters()
         local x = data.x1:type() == 'torch.FloatTensor' and data.x1:cuda()
            or data.x1:type 'torch.CudaLongTensor'
         local y = net:forward(x)
         local first = torch.isTensor(y) and y or y[1]
         assert.is_true((first:float() - data.y1):abs():max() < 1e-5)
         local g = first:clone():fill(1)
         net:backward(x, torch.isTensor(y) and g or { g, y[2]:clone():zero() })
         local host = onnx.import(FOLDER .. name .. '.onnx')
         host:evaluate()
         host:zeroGradParameters()
         host:forward(data.x1)
         host:backward(data.x1, torch.isTensor(y) and g:float() or { g:float(),
            y[2]:float():zero() })
         local _, ours = net:parameters()
         local _, theirs = host:parameters()
         for i, t in ipairs(theirs) do
            local scale = math.max(1, t:clone():abs():max())
            assert.is_true((ours[i]:float() - t):abs():max() < 1e-4 * scale)
         end
      end)
   end

   -- A tensor of the same elements on the device, and the other way.
   local function there(t)
      return t:type(tools.beside(t:type(), torch.CudaTensor()))
   end

   local function back(t)
      local name = t:type():match '^torch%.Cuda(%a*)Tensor$'
      return t:type(('torch.%sTensor'):format(name == '' and 'Float' or name))
   end

   for _, case in ipairs(cases) do
      it('computes there: ' .. case.name, function()
         shell.with_folder(function(folder)
            case_of.write(folder .. '/x.onnx', case)
            local net = onnx.import(folder .. '/x.onnx'):cuda()
            net:evaluate()
            local y = net:forward(there(case_of.tensor(case.x)))
            assert.matches('Cuda', nested.first(y):type())
            case_of.same(case, nested.map(back, y))
         end)
      end)
   end
end)
