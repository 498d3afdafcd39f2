--- What smaller nets gain and lose: trains ResNet-20 and an MLP on Fashion-MNIST, and prints
-- their accuracy in floats and in bytes, and how long they take in floats, in bytes and with half
-- of their channels. Forms of a net are timed by turns in one process, in processor time.
--
--     th bench/smaller_nets.lua [EPOCHS [IMAGES [FOLDER]]]   # 3, 60000, where Debian has them
--
-- The nets are those of bench/nets.lua. Images of 28 x 28 get a black border to 32 x 32, and
-- ResNet-20, which wants three planes, the same one three times.
package.path = './?.lua;' .. package.path
local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local clock = require 'torch.clock'
local dataset = require 'torch.dataset'
local nets = require 'bench.nets'

local epochs, count = tonumber(arg[1] or 3), tonumber(arg[2] or 60000)
local folder = arg[3] or '/usr/share/datasets/fashion-mnist'
local BATCH, CALIBRATED, ROUNDS = 64, 512, 50
local MEAN, DEVIATION = 72.9, 90 -- of the training images' pixels

torch.setnumthreads(1)

local function part(name, most)
   local fields = dataset.Mnist { folder = folder, part = name, count = most }.fields
   return fields.input:float():add(-MEAN):div(DEVIATION):view(-1, 1, 28, 28), fields.target
end

local function spent()
   local user, system = clock.cpu()
   return user + system
end

-- Images as a net wants them.
local function formed(images, size)
   if #size == 1 then
      return images:reshape(images:size(1), size[1])
   end
   local wide = torch.FloatTensor(images:size(1), 1, 32, 32):fill(-MEAN / DEVIATION)
   wide:narrow(3, 3, 28):narrow(4, 3, 28):copy(images)
   return wide:expand(images:size(1), size[1], 32, 32)
end

local function train(net, criterion, images, labels, size)
   local steps = math.floor(images:size(1) / BATCH)
   local schedule = optim.schedule.oneCycle(epochs * steps)
   local config = { learningRate = 0.05, momentum = 0.9, dampening = 0, nesterov = true,
      weightDecay = 5e-4 }
   local rate = config.learningRate
   local parameters, gradients = net:getParameters()
   local begun = spent()
   net:training()
   for epoch = 1, epochs do
      local order, sum = torch.randperm(images:size(1)):long(), 0
      for step = 1, steps do
         local chosen = order:narrow(1, (step - 1) * BATCH + 1, BATCH)
         local x, target = formed(images:index(1, chosen), size), labels:index(1, chosen)
         config.learningRate = rate * schedule((epoch - 1) * steps + step - 1)
         optim.sgd(function()
            gradients:zero()
            local loss = criterion:forward(net:forward(x), target)
            net:backward(x, criterion:backward(net.output, target))
            sum = sum + loss
            return loss, gradients
         end, parameters, config)
      end
      print(('  epoch %d: mean loss %.4f, %.0f s of processor time'):format(epoch, sum / steps,
         spent() - begun))
      io.stdout:flush()
   end
   net:evaluate()
end

-- Percent of the images whose class a net finds.
local function accuracy(net, images, labels, size)
   local right = 0
   for first = 1, images:size(1), 250 do
      local n = math.min(250, images:size(1) - first + 1)
      local _, found = net:forward(formed(images:narrow(1, first, n), size)):max(2)
      right = right + found:view(-1):eq(labels:narrow(1, first, n)):sum()
   end
   return 100 * right / images:size(1)
end

-- The least processor time of each function in ms, by turns of some milliseconds.
local function timed(functions)
   local function turn(f, calls)
      f() -- back into the caches
      local begun = spent()
      for _ = 1, calls do
         f()
      end
      return 1e3 * (spent() - begun) / calls
   end
   local calls, least = {}, {}
   for i, f in ipairs(functions) do
      turn(f, 20)
      calls[i] = math.ceil(4 / turn(f, 3))
   end
   for _ = 1, ROUNDS do
      for i, f in ipairs(functions) do
         least[i] = math.min(least[i] or math.huge, turn(f, calls[i]))
      end
   end
   return least
end

-- How long forms of a net take, and how many times faster than the first each other one is.
-- @param forms list of { what it is, net }
local function compare(name, forms, x)
   local functions, text = {}, {}
   for i, form in ipairs(forms) do
      functions[i] = function() form[2]:forward(x) end
   end
   for i, time in ipairs(timed(functions)) do
      functions[i] = time
      text[i] = ('%s %.3f ms'):format(forms[i][1], time)
         .. (i > 1 and (' (%.2f times)'):format(functions[1] / time) or '')
   end
   print(('%s: %s'):format(name, table.concat(text, ', ')))
end

local images, labels = part('train', count)
local testImages, testLabels = part 'test'

for case in nets.each(32) do
   local size = case.name:find 'MLP' and { 784 } or case.name:find 'ResNet%-20' and { 3, 32, 32 }
   if size then
      local net, criterion = case.make()
      print(case.name)
      train(net, criterion, images, labels, size)
      local sample = formed(images:narrow(1, 1, CALIBRATED), size)
      local bytes = nn.quantize(net, sample)
      local joined = nn.fuse(net:clone())
      local half = nn.removeChannels(net, sample:narrow(1, 1, 2), { amount = 0.5 })
      half:evaluate()
      local floats, small = accuracy(net, testImages, testLabels, size),
         accuracy(bytes, testImages, testLabels, size)
      print(('  accuracy on %d test images: floats %.2f %%, bytes %.2f %%'):format(
         testImages:size(1), floats, small))
      for _, batch in ipairs { 1, 32 } do
         compare(('  batch %d'):format(batch), { { 'floats', net }, { 'joined floats', joined },
            { 'bytes', bytes }, { 'half the channels', half } },
            sample:narrow(1, 1, batch):clone())
      end
   end
end

local layer = nn.Linear(4096, 4096):float()
compare('Linear 4096x4096 b1', { { 'floats', layer }, { '4 bits', nn.PackedLinear(layer, 4, 64) },
   { '8 bits', nn.PackedLinear(layer, 8, 64) } }, torch.FloatTensor(1, 4096):uniform(-1, 1))
