-- Records what training programs allocate on a device: th bench/replay/record.lua FOLDER
--
-- On simulated devices (THC_SIM_DEVICES) the temporaries of our kernels are in the traces, and
-- workspaces of vendor libraries are not.
require 'cunn'
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
   local where = cutorch.isSimulated() and 'a simulated device'
      or cutorch.getDeviceProperties(1).name
   cutorch.recordAllocations(path, run, 1, {
      ('Recorded by bench/replay/record.lua from a run on %s.'):format(where),
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
      :cuda()
end

--- Steps of SGD on batches of the sizes that `size` gives.
local function train(model, steps, size)
   return function(mark)
      local criterion = nn.ClassNLLCriterion():cuda()
      local parameters, gradParameters = model:getParameters()
      local config = { learningRate = 0.01, momentum = 0.9, dampening = 0 }
      local input, target = torch.CudaTensor(), torch.CudaTensor()
      for step = 1, steps do
         local batch = size(step)
         input:resize(batch, 1, 28, 28):uniform()
         target:resize(batch):fill(step % 10 + 1)
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
      local function zeros(...)
         return torch.CudaTensor(...):zero()
      end
      local weights = zeros(2 * width, 4 * width)
      local gradient = zeros(2 * width, 4 * width)
      for _ = 1, steps do
         local length = torch.random(5, 60)
         local h, c = zeros(batch, width), zeros(batch, width)
         local saved = {}
         for t = 1, length do
            local x = zeros(batch, width)
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
         local dh = zeros(batch, width)
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
