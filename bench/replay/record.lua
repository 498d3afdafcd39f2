-- Records what training programs allocate: th bench/replay/record.lua FOLDER
--
-- Sizes are those of the CPU's tensors, which are the ones of a device: workspaces of vendor
-- libraries and temporaries of CUDA kernels are not in these traces.
-- THC_SIM_DEVICES must be set (cutorch keeps the history), no device is used.
local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local cutorch = require 'cutorch'

local folder = assert(arg[1], 'th bench/replay/record.lua FOLDER')
torch.setdefaulttensortype 'torch.FloatTensor'
torch.manualSeed(1)

local function record(file, name, shapes, run)
   collectgarbage()
   collectgarbage()
   local path = folder .. '/' .. file .. '.trace'
   cutorch.recordAllocations(path, run, cutorch.HOST, {
      'Recorded by bench/replay/record.lua from a run on the CPU.',
      'name: ' .. name, 'shapes: ' .. shapes,
   })
   print(path)
end

local function lenet()
   return nn.Sequential()
      :add(nn.SpatialConvolution(1, 6, 5, 5, 1, 1, 2, 2)):add(nn.Tanh())
      :add(nn.SpatialMaxPooling(2, 2, 2, 2))
      :add(nn.SpatialConvolution(6, 16, 5, 5)):add(nn.Tanh())
      :add(nn.SpatialMaxPooling(2, 2, 2, 2))
      :add(nn.View(16 * 5 * 5)):add(nn.Linear(16 * 5 * 5, 120)):add(nn.Tanh())
      :add(nn.Linear(120, 84)):add(nn.Tanh())
      :add(nn.Linear(84, 10)):add(nn.LogSoftMax())
end

--- Steps of SGD on batches of the sizes that `size` gives.
local function train(model, steps, size)
   return function(mark)
      local criterion = nn.ClassNLLCriterion()
      local parameters, gradParameters = model:getParameters()
      local config = { learningRate = 0.01, momentum = 0.9, dampening = 0 }
      local input, target = torch.FloatTensor(), torch.LongTensor()
      for step = 1, steps do
         local batch = size(step)
         input:resize(batch, 1, 28, 28):uniform()
         target:resize(batch):random(1, 10)
         optim.sgd(function()
            gradParameters:zero()
            local output = model:forward(input)
            local loss = criterion:forward(output, target)
            model:backward(input, criterion:backward(output, target))
            return loss, gradParameters
         end, parameters, config)
         mark()
      end
   end
end

for _, batch in ipairs { 128, 2048 } do
   record('lenet_b' .. batch, ('LeNet, batch %d, recorded'):format(batch), 'fixed',
      train(lenet(), 20, function()
         return batch
      end))
end

record('lenet_batches', 'LeNet, batch shrinks and grows, recorded', 'varying',
   train(lenet(), 60, function(step)
      return 64 * (1 + math.abs(15 - step % 30))
   end))

--- A recurrent step made of tensor operations, each of which makes a new tensor: what a script
-- does that keeps no buffers, with sentences of any length.
local function lstm(steps)
   return function(mark)
      local width, batch = 256, 32
      local weights = torch.randn(2 * width, 4 * width):mul(0.01)
      local gradient = torch.zeros(2 * width, 4 * width)
      for _ = 1, steps do
         local length = torch.random(5, 60)
         local h, c = torch.zeros(batch, width), torch.zeros(batch, width)
         local saved = {}
         for t = 1, length do
            local x = torch.randn(batch, width)
            local xh = torch.cat(x, h, 2)
            local gates = xh * weights
            local i = torch.sigmoid(gates:narrow(2, 1, width))
            local f = torch.sigmoid(gates:narrow(2, 1 + width, width))
            local o = torch.sigmoid(gates:narrow(2, 1 + 2 * width, width))
            local g = torch.tanh(gates:narrow(2, 1 + 3 * width, width))
            c = torch.cmul(f, c) + torch.cmul(i, g)
            h = torch.cmul(o, torch.tanh(c))
            saved[t] = { xh = xh, i = i, f = f, o = o, g = g, c = c }
         end
         local dh = torch.randn(batch, width)
         for t = length, 1, -1 do -- a rough backward: its allocations are what counts
            local s = saved[t]
            local dgates = torch.cat(torch.cat(torch.cmul(dh, s.i), torch.cmul(dh, s.f), 2),
               torch.cat(torch.cmul(dh, s.o), torch.cmul(dh, s.g), 2), 2)
            gradient:addmm(s.xh:t(), dgates)
            dh = (dgates * weights:t()):narrow(2, 1 + width, width):clone()
            saved[t] = nil
         end
         weights:add(-1e-3, gradient)
         gradient:zero()
         mark()
      end
   end
end

record('lstm_lengths', 'LSTM of tensor operations, lengths vary, recorded', 'varying', lstm(8))
