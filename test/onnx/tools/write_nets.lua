-- th test/onnx/tools/write_nets.lua FOLDER: every sample of every layer of nn, functions of
-- Variables and whole nets as NAME.onnx, with inputs x1, x2, ... and our outputs y1, y2, ... in
-- NAME.safetensors, for test/onnx/tools/check.py. Nets and some layers are written for any batch;
-- their data are of another one than the sample.
package.path = './?.lua;./?/init.lua;' .. package.path
local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local safetensors = require 'safetensors'
local nets = require 'test.onnx.support'
local samples = require('test.support.samples').layers

local folder = arg[1]
assert(os.execute(("mkdir -p '%s'"):format(folder)) == 0)
local count, refused = 0, {}

local function store(name, x, y)
   local data = {}
   for i, t in ipairs(nets.flat(x)) do
      data['x' .. i] = t:contiguous():clone()
   end
   for i, t in ipairs(nets.flat(y)) do
      data['y' .. i] = t:contiguous():clone()
   end
   safetensors.save(('%s/%s.safetensors'):format(folder, name), data)
   count = count + 1
end

local function write(name, net, sample, options, x)
   options = options or {}
   options.input = sample
   local path = ('%s/%s.onnx'):format(folder, name)
   local ok, message = pcall(onnx.export, net, path, options)
   if not ok then
      refused[name] = message
      os.remove(path)
      return
   end
   x = nets.float(x or sample)
   local f = net
   if type(net) ~= 'function' then
      local copy = net:clone():float()
      copy:evaluate()
      f = function(input) return copy:forward(input) end
   end
   local y = f(nets.float(x))
   store(name, x, type(net) == 'function' and nets.float({ y }) or y)
end

-- Whether all tensors begin with the same size, as a batch's do.
local function is_batch(x)
   local list = nets.flat(x)
   for _, t in ipairs(list) do
      if t:size(1) ~= list[1]:size(1) then
         return false
      end
   end
   return true
end

local printed = print
rawset(_G, 'print', function() end) -- nn.PrintSize
for name, list in pairs(samples) do
   for i, sample in ipairs(list) do
      torch.manualSeed(3)
      local layer = sample.new()
      write(('%s_%d'):format(name, i), layer, sample.input())
      -- For any batch, with data of two of them, where the layer takes such.
      local large = nets.doubled(nets.float(sample.input()))
      local net = layer:clone():float()
      net:evaluate()
      if is_batch(large) and pcall(net.forward, net, nets.float(large)) then
         write(('%s_%d_batch'):format(name, i), layer, sample.input(), { dynamicBatch = true },
            large)
      end
      if sample.single then
         write(('%s_%d_single'):format(name, i), layer, sample.single())
      end
   end
end
rawset(_G, 'print', printed)

-- --- whole nets ---------------------------------------------------------------------------------

local function lenet()
   return nn.Sequential():add(nn.SpatialConvolution(1, 6, 5, 5)):add(nn.Tanh())
      :add(nn.SpatialMaxPooling(2, 2)):add(nn.SpatialConvolution(6, 16, 5, 5)):add(nn.Tanh())
      :add(nn.SpatialMaxPooling(2, 2)):add(nn.View(-1):setNumInputDims(3)):add(nn.Linear(256, 84))
      :add(nn.Tanh()):add(nn.Linear(84, 10)):add(nn.LogSoftMax())
end

local function residual(inputs, outputs, step)
   local main = nn.Sequential():add(nn.SpatialConvolution(inputs, outputs, 3, 3, step, step, 1, 1))
      :add(nn.SpatialBatchNormalization(outputs)):add(nn.ReLU(true))
      :add(nn.SpatialConvolution(outputs, outputs, 3, 3, 1, 1, 1, 1))
      :add(nn.SpatialBatchNormalization(outputs))
   local short = inputs == outputs and nn.Identity()
      or nn.SpatialConvolution(inputs, outputs, 1, 1, step, step)
   return nn.Sequential():add(nn.ConcatTable():add(main):add(short)):add(nn.CAddTable(true))
      :add(nn.ReLU(true))
end

local function resnet20()
   local net = nn.Sequential():add(nn.SpatialConvolution(3, 16, 3, 3, 1, 1, 1, 1))
      :add(nn.SpatialBatchNormalization(16)):add(nn.ReLU(true))
   local inputs = 16
   for stage = 0, 2 do
      local outputs = 16 * 2 ^ stage
      for i = 1, 3 do
         net:add(residual(inputs, outputs, i == 1 and stage > 0 and 2 or 1))
         inputs = outputs
      end
   end
   return net:add(nn.SpatialAdaptiveAveragePooling(1, 1)):add(nn.View(-1):setNumInputDims(3))
      :add(nn.Linear(64, 10))
end

local function convolutions(inputs, outputs)
   return nn.Sequential():add(nn.SpatialConvolution(inputs, outputs, 3, 3, 1, 1, 1, 1))
      :add(nn.SpatialBatchNormalization(outputs)):add(nn.LeakyReLU(0.1))
end

-- As a graph, with an nngraph node for each part.
local function unet()
   local x = nn.Identity()()
   local a = convolutions(1, 8)(x)
   local b = convolutions(8, 16)(nn.SpatialMaxPooling(2, 2)(a))
   local c = convolutions(16, 32)(nn.SpatialMaxPooling(2, 2)(b))
   local up = nn.SpatialFullConvolution(32, 16, 2, 2, 2, 2)(c)
   local d = convolutions(32, 16)(nn.JoinTable(1, 3) { up, b })
   local e = convolutions(24, 8)(nn.JoinTable(1, 3) { nn.SpatialUpSamplingBilinear(2)(d), a })
   return nn.gModule({ x }, { nn.Sigmoid()(nn.SpatialConvolution(8, 1, 1, 1)(e)) })
end

local function transformer()
   return nn.Sequential():add(nn.LookupTable(30, 16)):add(nn.LearnedPositions(12, 16))
      :add(nn.TransformerEncoder(2, 16, 4, 32, 0.1, true, true))
      :add(nn.Bottle(nn.Sequential():add(nn.Linear(16, 30)):add(nn.LogSoftMax())))
end

local function lstm()
   return nn.Sequential():add(nn.LookupTable(30, 8)):add(nn.LSTM(8, 12, 2, true, true))
      :add(nn.Select(2, -1)):add(nn.Linear(12, 3))
end

local function letters(n, t)
   return torch.LongTensor(n, t):random(30)
end

torch.manualSeed(1)
local dynamic = function(net, sample, other, name)
   for _, module in ipairs(net:listModules()) do -- as training leaves them
      if module.running_mean then
         module.running_mean:normal(0, 0.1)
         module.running_var:uniform(0.5, 1.5)
      end
   end
   write(name, net, sample, { dynamicBatch = true }, other)
   write(name .. '_fixed', net, sample, { opset = 13 })
end
dynamic(lenet(), torch.randn(2, 1, 28, 28), torch.randn(5, 1, 28, 28), 'net_lenet')
dynamic(resnet20(), torch.randn(2, 3, 32, 32), torch.randn(5, 3, 32, 32), 'net_resnet20')
dynamic(unet(), torch.randn(2, 1, 16, 16), torch.randn(5, 1, 16, 16), 'net_unet')
dynamic(transformer(), letters(2, 12), letters(5, 12), 'net_transformer')
dynamic(lstm(), letters(2, 7), letters(5, 7), 'net_lstm')

local W = torch.randn(6, 4):float()
write('function_mlp', function(x)
   local h = torch.tanh(x * W:t())
   return torch.cmul(h, h):sum(2) / 3 - torch.exp(-h):mean(2)
end, torch.randn(2, 4):float(), { dynamicBatch = true }, torch.randn(5, 4):float())
write('function_masks', function(x)
   return torch.cmul(torch.gt(x, 0.1):float(), x) + torch.lt(x, torch.cmul(x, x)):float()
end, torch.randn(3, 4):float())

print(count .. ' written')
local names = {}
for name in pairs(refused) do
   names[#names + 1] = name
end
table.sort(names)
for _, name in ipairs(names) do
   print(name, refused[name]:match 'onnx%.export: .*' or refused[name])
end
