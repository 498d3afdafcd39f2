-- Layers split over several devices.
local cuda = require 'test.support.cuda'
if cuda.devices() < 3 then
   return
end

local torch = require 'torch'
local distributed = require 'distributed'
local nn = require 'nn'
local cutorch = require 'cutorch'
local optim = require 'optim'
local train = require 'torch.train'
local numbers = require 'test.support.numbers'
local shell = require 'test.support.shell'
local split_layers = require 'test.support.split_layers'
require 'cunn'

describe('distributed.split over devices', function()
   before_each(function() cutorch.setDevice(1) end)

   split_layers.specs(it, { devices = { 1, 2, 3 }, cuda = true })

   it('has the parts on their devices, and all else on the first', function()
      local net = nn.Sequential():add(nn.Linear(40, 60)):add(nn.Tanh()):add(nn.Linear(60, 30))
         :add(nn.BatchNormalization(30))
      local own = distributed.split(net:clone(), { devices = { 2, 3 } })
      cutorch.withDevice(2, own.cuda, own)
      for _, i in ipairs { 1, 3 } do
         for device = 1, 2 do
            assert.equal(device + 1, own:get(i):get(device):get(1).weight:getDevice())
         end
      end
      local x = cutorch.withDevice(2, function() return torch.CudaTensor(4, 40):fill(1) end)
      local y = own:forward(x)
      assert.equal(3, own:get(2).output[2]:getDevice())
      assert.equal(2, y:getDevice())
      assert.equal(2, own:backward(x, y:clone()):getDevice())
      local parameters, gradients = own:getParameters()
      for i = 1, 2 do
         assert.equal(i + 1, parameters[i]:getDevice())
         assert.equal(i + 1, gradients[i]:getDevice())
      end
      assert.equal(40 * 30 + 30 + 30 * 30, parameters[2]:nElement())
      assert.equal(1, cutorch.getDevice())
   end)

   it('learns by an optimiser that steps on each device, with one norm', function()
      torch.manualSeed(2)
      local net = nn.Sequential():add(nn.Linear(4, 9)):add(nn.Tanh()):add(nn.Linear(9, 3))
      local own = distributed.split(net:clone(), { devices = { 1, 2, 3 } }):cudaDouble()
      local x, t, losses = torch.randn(6, 4), torch.randn(6, 3), {}
      for i, case in ipairs { { net, x, t }, { own, x:cudaDouble(), t:cudaDouble() } } do
         local module, input, target = unpack(case)
         local criterion = nn.MSECriterion():type(module:type())
         local parameters, gradients = module:getParameters()
         local adam, state = optim.groups { optim.adam }, {}
         for _ = 1, 5 do
            local _, list = adam(function()
               module:zeroGradParameters()
               local loss = criterion:forward(module:forward(input), target)
               module:backward(input, criterion:backward(module.output, target))
               optim.clipGradNorm(gradients, 0.1)
               return loss, gradients
            end, parameters, { learningRate = 0.05 }, state)
            losses[i] = list[1]
         end
      end
      assert.near(losses[1], losses[2], 1e-12)
      numbers.same(split_layers.parameters(net), split_layers.parameters(own), 1e-12)
   end)

   it('is what a Trainer takes, with checkpoints and lower precision', function()
      local function run(name, model, settings)
         torch.manualSeed(3)
         local x = torch.randn(24, 4):float()
         local all = { model = model, criterion = nn.MSECriterion(), device = 'cuda', log = false,
            data = { input = x, target = x:narrow(2, 1, 2):clone(), batchSize = 8 }, epochs = 2,
            optimizer = 'adam', options = { learningRate = 0.05 }, seed = 5, clip = 0.2,
            groups = { { parameters = '1*', learningRate = 0.01 } }, average = 'ema' }
         for option, value in pairs(settings) do
            all[option] = value
         end
         local made = train.Trainer(all)
         if name then
            assert.is_true(made:resume(name))
         end
         return made:run(), split_layers.parameters(made.model)
      end
      torch.manualSeed(3)
      local net = nn.Sequential():add(nn.Linear(4, 8)):add(nn.Tanh()):add(nn.Linear(8, 2))
      local function split()
         return distributed.split(net:clone(), { devices = { 1, 2 } })
      end
      local wanted, theirs = run(nil, net:clone(), {})
      local row, own = run(nil, split(), {})
      numbers.same(theirs, own, 1e-5)
      assert.near(wanted.loss, row.loss, 1e-5)
      local rounded, low = run(nil, split(), { precision = 'bfloat16' })
      assert.near(wanted.loss, rounded.loss, 0.02)
      assert.is_true((low - own):abs():max() > 1e-5)
      shell.with_folder(function(folder)
         local checkpoint = { folder = folder, every = 2, keep = 9 }
         run(nil, split(), { checkpoint = checkpoint })
         local _, again = run(4, split(), { checkpoint = checkpoint })
         numbers.same(own, again, 0)
      end)
   end)
end)

if not cutorch.isSimulated() then -- real devices have no limit that a test could set
   return
end

-- A layer of 32 MB with its gradients, and devices of 24 MB.
local LARGE = [[
require 'cunn'
local distributed = require 'distributed'
local function run(split, type)
   torch.manualSeed(1)
   local net = nn.Sequential():add(nn.Linear(1000, 2000)):add(nn.Tanh()):add(nn.Linear(2000, 1000))
      :float()
   local x, t = torch.randn(8, 1000):type(type), torch.randn(8, 1000):type(type)
   net = (split and distributed.split(net, { devices = { 1, 2, 3, 4 } }) or net):type(type)
   local criterion = nn.MSECriterion():type(type)
   for _ = 1, 3 do
      net:zeroGradParameters()
      print(('%.9f'):format(criterion:forward(net:forward(x), t)))
      net:backward(x, criterion:backward(net.output, t))
      net:updateParameters(5)
   end
end
print(pcall(run, false, 'torch.CudaTensor'))
run(false, 'torch.FloatTensor')
run(true, 'torch.CudaTensor')
]]

describe('a layer too large for a device', function()
   it('runs out of memory on one, and trains on four with the losses of the CPU', function()
      shell.with_folder(function(folder)
         local output, status = shell.run(('env THC_SIM_DEVICES=4 THC_SIM_MEMORY=24M %s %s')
            :format(shell.quoted(os.getenv 'TH_EXECUTABLE'), folder .. '/large.lua'))
         assert.equal(0, status, output)
         assert.matches('^false.*out of memory', output)
         local losses = {}
         for line in output:gmatch '[^\n]+' do
            losses[#losses + 1] = tonumber(line:match '^%d+%.%d+$')
         end
         assert.equal(6, #losses, output)
         for i = 1, 3 do
            assert.near(losses[i], losses[i + 3], 2e-5)
         end
         assert.is_true(losses[3] < losses[1] - 0.01, output)
      end, { ['large.lua'] = LARGE })
   end)
end)
