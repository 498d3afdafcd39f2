-- Networks on several devices: placed, in a pipeline, and too large for one.
local cuda = require 'test.support.cuda'
if cuda.devices() < 2 then
   return
end

local torch = require 'torch'
local distributed = require 'distributed'
local nn = require 'nn'
local optim = require 'optim'
local cutorch = require 'cutorch'
local joined = require 'test.support.joined'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'
require 'cunn'

local devices = math.min(cuda.devices(), 4)
local LIST = torch.range(1, devices):totable()

local function make()
   torch.manualSeed(3)
   return nn.Sequential():add(nn.Linear(4, 6)):add(nn.BatchNormalization(6)):add(nn.Linear(6, 5))
      :add(nn.ReLU()):add(nn.Linear(5, 2))
end

-- A layer for each device, and what is left for the last one.
local CUT = {}
for i = 1, devices do
   CUT[i] = i < devices and 1 or 6 - devices
end

describe('nn.Placed on devices', function()
   before_each(function()
      cutorch.setDevice(1)
      torch.manualSeed(1)
   end)

   it('trains as the net on the CPU does, by one script', function()
      local plain = make()
      local net = nn.Placed(plain:clone(), LIST, { layers = CUT }):cudaDouble()
      local parameters, gradients = net:getParameters()
      for i, p in ipairs(parameters) do
         assert.equal(i, p:getDevice())
         assert.equal(i, gradients[i]:getDevice())
      end
      local x, t = torch.randn(8, 4), torch.randn(8, 2)
      local xc, tc = x:cudaDouble(), t:cudaDouble()
      local criterion, own = nn.MSECriterion(), nn.MSECriterion():cudaDouble()
      local p, g = plain:getParameters()
      local adam, state, shared = optim.groups { optim.adam }, {}, {}
      for _ = 1, 3 do
         optim.adam(function()
            g:zero()
            local loss = criterion:forward(plain:forward(x), t)
            plain:backward(x, criterion:backward(plain.output, t))
            return loss, g
         end, p, { learningRate = 0.1 }, state)
         adam(function()
            net:zeroGradParameters()
            local loss = own:forward(net:forward(xc), tc)
            assert.equal(1, net.output:getDevice())
            assert.equal(1, net:backward(xc, own:backward(net.output, tc)):getDevice())
            return loss, gradients
         end, parameters, { learningRate = 0.1 }, shared)
         numbers.same(p, joined(net:parameters()), 1e-10)
      end
      assert.equal(devices, shared.groups[devices].m:getDevice())
      assert.equal(1, cutorch.getDevice())
      local whole = distributed.whole(net)
      assert.equal('torch.DoubleTensor', whole:get(1).weight:type())
      whole:evaluate()
      plain:evaluate()
      numbers.same(plain:forward(x), whole:forward(x), 1e-10)
   end)

   it('moves a net that is on a device', function()
      local net = make():cuda()
      net:evaluate()
      local x = torch.randn(3, 4):cuda()
      local y = net:forward(x):clone()
      local placed = nn.Placed(net, { 2, 1 })
      assert.equal(2, placed:get(1):get(1):get(1).weight:getDevice())
      numbers.same(y, placed:forward(x), 1e-6)
   end)

   it('comes from a net whose parameters are one vector, and is saved', function()
      local plain = make()
      plain:getParameters()
      local net = nn.Placed(plain:clone(), { 1, 2 }, { layers = { 2, 3 } }):cuda()
      assert.equal(2, net:get(2):get(1):get(1).weight:getDevice())
      local x = torch.randn(3, 4):cuda()
      net:evaluate()
      local y = net:forward(x):clone()
      local again = torch.deserialize(torch.serialize(net))
      assert.equal(2, again:get(2):get(1):get(1).weight:getDevice())
      numbers.same(y, again:forward(x), 1e-6)
      raises('the parameters are on devices 1 and 2, and a tensor is on one', nn.Module.flatten,
         net:parameters())
   end)
end)

describe('distributed.whole of what is on devices', function()
   it('needs no memory there, and keeps parameters shared', function()
      local words, last = nn.LookupTable(500, 100), nn.Linear(100, 500)
      last:share(words, 'weight', 'gradWeight')
      local tied = nn.Sequential():add(words):add(nn.Mean(2)):add(last)
      local net = nn.Placed(nn.Sequential():add(nn.Identity()):add(tied), { 2, 1 },
         { layers = { 1, 3 } }):cuda()
      net:getParameters()
      net:forward(torch.CudaLongTensor(4, 3):random(500))
      cutorch.resetPeaks()
      local before = cutorch.memoryStatistics().allocated
      local whole = distributed.whole(net)
      assert.equal(before.peak, cutorch.memoryStatistics().allocated.peak)
      assert.equal('torch.FloatTensor', whole:get(2).weight:type())
      assert.is_true(whole:get(2).weight:isSetTo(whole:get(4).weight))
      numbers.same(tied:get(1).weight:float(), whole:get(4).weight, 0)
   end)
end)

describe('gradients on several devices', function()
   it('are clipped by the norm of all', function()
      local list, flat = {}, torch.range(1, 4 * devices):double()
      for i = 1, devices do
         list[i] = cutorch.withDevice(i, function()
            return flat:narrow(1, 4 * i - 3, 4):cudaDouble()
         end)
      end
      local length = optim.clipGradNorm(list, 0.5)
      assert.near(flat:norm(), length[1], 1e-12)
      optim.clipGradNorm(flat, 0.5)
      for i, g in ipairs(list) do
         assert.equal(i, g:getDevice())
         numbers.same(flat:narrow(1, 4 * i - 3, 4), g:double(), 1e-12)
      end
   end)
end)

describe('distributed.Pipeline on devices', function()
   before_each(function()
      cutorch.setDevice(1)
      torch.manualSeed(1)
   end)

   it('gives what the pipeline on the CPU gives, step by step', function()
      local settings = { devices = LIST, microBatches = 5, layers = CUT }
      local host = distributed.Pipeline(make(), settings)
      local net = distributed.Pipeline(make(), settings):cudaDouble()
      local x, t = torch.randn(13, 4), torch.randn(13, 2)
      local xc, tc = x:cudaDouble(), t:cudaDouble()
      local criterion, own = nn.MSECriterion(), nn.MSECriterion():cudaDouble()
      for step = 1, 3 do
         host:zeroGradParameters()
         net:zeroGradParameters()
         assert.near(host:forwardBackward(x, t, criterion), net:forwardBackward(xc, tc, own),
            1e-12)
         host:updateParameters(0.1)
         net:updateParameters(0.1)
         numbers.same(joined(host:parameters()), joined(net:parameters()), 1e-11)
         if step == 1 then
            local parameters = net:getParameters()
            assert.equal(devices, parameters[devices]:getDevice())
         end
      end
      host:evaluate()
      net:evaluate()
      numbers.same(host:forward(x), net:forward(xc):double(), 1e-11)
      assert.equal(1, cutorch.getDevice())
   end)
end)

-- A net of 4 linear layers of 1000 x 1000 floats: with gradients and Adam's moments 64 MB, on
-- simulated devices that have 40. The CPU's losses come first.
local LARGE = [[
   local nn, optim, distributed = require 'nn', require 'optim', require 'distributed'
   require 'cunn'
   torch.setdefaulttensortype 'torch.FloatTensor'
   local function make()
      torch.manualSeed(5)
      local net = nn.Sequential()
      for i = 1, 4 do net:add(nn.Linear(1000, 1000)):add(nn.Tanh()) end
      return net
   end
   local x, t = torch.randn(16, 1000), torch.randn(16, 1000)
   local function train(net, x, t, criterion, gradient)
      local parameters, gradients = net:getParameters()
      local adam, state = torch.isTensor(parameters) and optim.adam or optim.groups { optim.adam },
         {}
      for _ = 1, 3 do
         adam(function()
            net:zeroGradParameters()
            local loss = gradient(net, x, t, criterion)
            print(('%.6f'):format(loss))
            return loss, gradients
         end, parameters, { learningRate = 1e-3 }, state)
      end
   end
   local function whole_batch(net, x, t, criterion)
      local loss = criterion:forward(net:forward(x), t)
      net:backward(x, criterion:backward(net.output, t))
      return loss
   end
   local function in_parts(net, x, t, criterion) return net:forwardBackward(x, t, criterion) end
   train(make(), x, t, nn.MSECriterion(), whole_batch)
   print(pcall(function()
      train(make():cuda(), x:cuda(), t:cuda(), nn.MSECriterion():cuda(), whole_batch)
   end))
   collectgarbage() collectgarbage()
   train(nn.Placed(make(), { 1, 2, 3, 4 }):cuda(), x:cuda(), t:cuda(), nn.MSECriterion():cuda(),
      whole_batch)
   collectgarbage() collectgarbage()
   train(distributed.Pipeline(make(), { devices = { 1, 2, 3, 4 }, microBatches = 4 }):cuda(),
      x:cuda(), t:cuda(), nn.MSECriterion():cuda(), in_parts)
]]

describe('the memory of a stage', function()
   it('has its parameters once, in the first batch as well', function()
      local net = nn.Sequential():add(nn.Linear(1000, 1000)):add(nn.Tanh()):add(nn.Linear(1000, 2))
      local pipe = distributed.Pipeline(net, { devices = { 1, 2 }, microBatches = 4,
         layers = { 2, 1 } }):cuda()
      collectgarbage()
      collectgarbage()
      cutorch.resetPeaks()
      local before = cutorch.memoryStatistics().allocated.current
      pipe:forwardBackward(torch.CudaTensor(8, 1000):fill(1), torch.CudaTensor(8, 2):fill(0),
         nn.MSECriterion():cuda())
      local more = cutorch.memoryStatistics().allocated.peak - before
      assert.is_true(more < 1000 * 1000 * 4 / 2, more)
   end)

   it('depends on the number of stages, not on that of micro-batches', function()
      local function most(count)
         local net = nn.Sequential():add(nn.Linear(10, 2000)):add(nn.Tanh())
            :add(nn.Linear(2000, 10))
         local pipe = distributed.Pipeline(net, { devices = { 1, 2 }, microBatches = count,
            layers = { 2, 1 } }):cuda()
         local x, t = torch.CudaTensor(32 * count, 10):fill(1), torch.CudaTensor(32 * count, 10)
         t:fill(0)
         local criterion = nn.MSECriterion():cuda()
         pipe:forwardBackward(x, t, criterion)
         cutorch.resetPeaks()
         pipe:forwardBackward(x, t, criterion)
         return cutorch.memoryStatistics().allocated.peak
      end
      local before = cutorch.memoryStatistics().allocated.current
      local four = most(4) - before
      collectgarbage()
      collectgarbage()
      before = cutorch.memoryStatistics().allocated.current
      local sixteen = most(16) - before
      assert.is_true(four > 4 * 32 * 2000 * 4)             -- of two micro-batches, with gradients
      assert.is_true(sixteen < 1.1 * four, ('%d, %d'):format(four, sixteen))
   end)
end)

if not cutorch.isSimulated() then -- real devices have no limit that a test could set
   return
end

describe('a net too large for a device', function()
   it('runs out of memory on one, and trains on four with the losses of the CPU', function()
      shell.with_folder(function(folder)
         local output, status = shell.run(('env THC_SIM_DEVICES=4 THC_SIM_MEMORY=40M %s %s')
            :format(shell.quoted(os.getenv 'TH_EXECUTABLE'), folder .. '/large.lua'))
         assert.equal(0, status, output)
         local losses, failed = {}, nil
         for line in output:gmatch '[^\n]+' do
            failed = failed or line:match '^false.*out of memory.*'
            losses[#losses + 1] = tonumber(line:match '^%d+%.%d+$')
         end
         assert.is_string(failed, output)
         assert.is_true(#losses >= 9 and #losses <= 11, output) -- one device may have begun
         local n = #losses
         for i = 1, 3 do
            assert.near(losses[i], losses[n - 6 + i], 2e-5)   -- placed
            assert.near(losses[i], losses[n - 3 + i], 2e-5)   -- in a pipeline
         end
         assert.is_true(losses[3] < losses[1])
      end, { ['large.lua'] = LARGE })
   end)
end)
