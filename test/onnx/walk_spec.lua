-- Every class of nn is exported, or stands in the list below with its reason; what was exported is
-- imported again and gives what the layer gives. test/onnx/tools/check.py compares the same files
-- with onnxruntime.
local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local samples = require 'test.support.samples'
local shell = require 'test.support.shell'
local nets = require 'test.onnx.support'

local float, flat, doubled = nets.float, nets.flat, nets.doubled

-- The end of the error that `onnx.export` raises.
local REFUSED = {
   Kmeans = 'it is an algorithm of training: its output is a loss',
   Lambda = 'a Lua function: onnx.export takes functions of Variables themselves',
   SparseLinear = 'ONNX has no operator', IndexLinear = 'ONNX has no operator',
   SpatialMaxUnpooling = 'from which no edge of a graph leads',
   VolumetricMaxUnpooling = 'from which no edge of a graph leads',
   SpatialFractionalMaxPooling = 'it draws its windows at random',
   VolumetricFractionalMaxPooling = 'it draws its windows at random',
}

local function close(found, wanted)
   assert.equal(#wanted, #found)
   for i, y in ipairs(wanted) do
      assert.same(y:size():totable(), found[i]:size():totable())
      local off = (found[i]:double() - y:double()):abs():max()
      assert.is_true(off <= 1e-5 * math.max(1, y:double():abs():max()), 'off by ' .. off)
   end
end

local function check(layer, input, options, other)
   shell.with_folder(function(folder)
      local path = folder .. '/net.onnx'
      options.input = input
      onnx.export(layer, path, options)
      local net = layer:clone():float()
      net:evaluate()
      local again = onnx.import(path)
      again:evaluate()
      other = other or float(input)
      local inputs = flat(nets.float(other))
      local found = again:forward(#inputs == 1 and inputs[1] or inputs)
      close(flat(found), flat(net:forward(float(other))))
   end)
end

local function quietly(f, ...)
   local printed = print
   rawset(_G, 'print', function() end)
   local ok, message = pcall(f, ...)
   rawset(_G, 'print', printed)
   return ok, message
end

describe('onnx, class by class:', function()
   for name, list in pairs(samples.layers) do
      it(name, function()
         for _, sample in ipairs(list) do
            torch.manualSeed(3)
            local layer = sample.new()
            for _, make in pairs { sample.input, sample.single } do
               local ok, message = quietly(check, layer, make(), {})
               if REFUSED[name] then
                  assert.is_false(ok)
                  assert.matches(REFUSED[name], message, 1, true)
                  assert.matches('nn.' .. name .. ' cannot be exported', message, 1, true)
               else
                  assert.is_true(ok, message)
               end
            end
         end
      end)
   end

   -- A batch twice as large as the sample, where the layer takes one.
   for name, list in pairs(samples.layers) do
      it(name .. ' with another batch', function()
         for _, sample in ipairs(REFUSED[name] and {} or list) do
            torch.manualSeed(3)
            local layer, input = sample.new(), sample.input()
            local large = doubled(float(input))
            local net = layer:clone():float()
            net:evaluate()
            if quietly(net.forward, net, large) then
               local ok, message = quietly(check, layer, input, { dynamicBatch = true }, large)
               message = tostring(message)
               assert.is_true(ok or message:match 'whose size may change' ~= nil, message)
            end
         end
      end)
   end

   for opset = 13, 20 do
      it(('is written in opset %d'):format(opset), function()
         local net = nn.Sequential():add(nn.SpatialConvolution(2, 4, 3, 3)):add(nn.ReLU())
            :add(nn.SpatialBatchNormalization(4)):add(nn.View(-1):setNumInputDims(3))
            :add(nn.Linear(36, 6)):add(nn.LayerNorm(6)):add(nn.GELU()):add(nn.Normalize(math.huge))
            :add(nn.LogSoftMax())
         torch.manualSeed(1)
         check(net, torch.randn(2, 2, 5, 5), { opset = opset })
      end)
   end
end)
