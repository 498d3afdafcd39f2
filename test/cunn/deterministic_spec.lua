-- nn.DataParallelTable in deterministic mode: with as many parts, the bits do not depend on the
-- devices.
local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local nn = require 'nn'
local cutorch = require 'cutorch'

local function random(...)
   return torch.randn(...):float():cuda()
end

local function mlp(p)
   return nn.Sequential():add(nn.Linear(20, 30)):add(nn.Tanh()):add(nn.Dropout(p or 0.5))
      :add(nn.Linear(30, 5)):add(nn.LogSoftMax()):cuda()
end

local function lenet()
   return nn.Sequential():add(nn.SpatialConvolution(1, 4, 5, 5)):add(nn.ReLU())
      :add(nn.SpatialMaxPooling(2, 2)):add(nn.SpatialConvolution(4, 6, 3, 3, 1, 1, 1, 1))
      :add(nn.Dropout(0.3)):add(nn.View(6 * 4 * 4):setNumInputDims(3)):add(nn.Linear(96, 5))
      :add(nn.LogSoftMax()):cuda()
end

-- Bits of float tensors, as numbers.
local function bits(...)
   local result = {}
   for i, tensor in ipairs { ... } do
      result[i] = tensor:float():totable()
   end
   return result
end

-- Three steps of training; all there is to see of them.
local function train(net, input, target)
   local criterion = nn.ClassNLLCriterion():cuda()
   local seen = {}
   cutorch.setDevice(1)
   cutorch.manualSeed(11)
   for step = 1, 3 do
      net:zeroGradParameters()
      local output = net:forward(input)
      local loss = criterion:forward(output, target)
      local gradInput = net:backward(input, criterion:backward(output, target))
      local _, gradients = net:parameters()
      seen[step] = { loss, bits(output, gradInput, unpack(gradients)) }
      net:updateParameters(0.1)
   end
   return seen
end

describe('nn.DataParallelTable in deterministic mode #cuda', function()
   local enough = cutorch.getDeviceCount() >= 4

   before_each(function()
      cutorch.setOptions { deterministic = true }
      torch.manualSeed(1)
      for id = 1, cutorch.getDeviceCount() do -- every device draws something else
         cutorch.withDevice(id, cutorch.manualSeed, 100 + id)
      end
   end)
   after_each(function()
      cutorch.setOptions { deterministic = false }
      cutorch.setDevice(1)
   end)

   local nets = {
      { 'a perceptron', mlp, { 20 } },
      { 'a convolutional net', lenet, { 1, 12, 12 } },
   }
   for _, case in ipairs(nets) do
      for _, samples in ipairs { 32, 30, 3 } do
         it(('%s has the same gradients on 1, 2 and 4 devices, %d samples'):format(
            case[1], samples), function()
            if not enough then
               return pending 'needs four devices'
            end
            local net = case[2]()
            local input = random(samples, unpack(case[3]))
            local target = torch.LongTensor(samples):random(1, 5):cudaLong()
            local function on(gpus, parts)
               return train(nn.DataParallelTable(1):add(net:clone(), gpus, parts), input, target)
            end
            local four = on { 1, 2, 3, 4 }
            assert.same(four, on({ 1 }, 4))
            assert.same(four, on({ 1, 2 }, 4))
            assert.same(four, on({ 1, 3, 4 }, 4))
            assert.same(four, on { 1, 2, 3, 4 })
         end)
      end
   end

   it('computes what the net computes undivided, up to rounding', function()
      local net = mlp(0)
      local input = random(30, 20)
      local target = torch.LongTensor(30):random(1, 5):cudaLong()
      local divided = nn.DataParallelTable(1):add(net:clone(), { 1 }, 4)
      local expected, got = train(net, input, target), train(divided, input, target)
      for step = 1, 3 do
         assert.near(expected[step][1], got[step][1], 1e-5)
         for k, numbers in ipairs(expected[step][2]) do
            local difference = torch.DoubleTensor(numbers) - torch.DoubleTensor(got[step][2][k])
            assert.is_true(difference:abs():max() < 1e-5)
         end
      end
   end)

   it('drops something else in every part and every time, and leaves other generators alone',
      function()
         local id = cutorch.getDeviceCount()
         local state = cutorch.withDevice(id, cutorch.getRNGState)
         local net = nn.DataParallelTable(1):add(nn.Dropout(0.5):cuda(), { 1 }, 2)
         net:add(nn.Dropout(0.5):cuda(), id > 1 and { id } or {})
         local ones = torch.CudaTensor(6, 100):fill(1)
         local masks = {}
         for _ = 1, 2 do
            local y = net:forward(ones):float()
            for first = 1, 5, 2 do
               local part = y:narrow(1, first, 2):contiguous()
               masks[#masks + 1] = table.concat(part:view(-1):totable())
            end
         end
         for i = 1, #masks do
            for k = 1, i - 1 do
               assert.not_equal(masks[k], masks[i])
            end
         end
         assert.same(state:totable(), cutorch.withDevice(id, cutorch.getRNGState):totable())
      end)

   it('is cloned, saved and loaded with its parts', function()
      local net = nn.DataParallelTable(1):add(nn.Dropout(0.5):cuda(), { 1 }, 3)
      for _, other in ipairs { net:clone(), torch.deserialize(torch.serialize(net)) } do
         assert.same({ 1, 1, 1 }, other.gpuAssignments)
         assert.equal(3, #other.modules)
      end
   end)

   it('refuses fewer parts than devices', function()
      for _, parts in ipairs { 0, 1.5, 'many' } do
         local ok, message = pcall(nn.DataParallelTable(1).add, nn.DataParallelTable(1),
            nn.Dropout():cuda(), { 1 }, parts)
         assert.is_false(ok)
         assert.matches('a number of at least 1', message, 1, true)
      end
   end)
end)
