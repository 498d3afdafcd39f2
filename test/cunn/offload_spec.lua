-- optim.offload: the bits of the optimiser alone, with its state on the host.
local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local cutorch = require 'cutorch'
local train = require 'torch.train'
local raises = require 'test.support.raises'
local workers = require 'test.support.workers'
require 'cunn'

local function same(x, y)
   assert.is_true(torch.equal(x:float(), y:float()))
end

local function on_host(state)
   local count = 0
   for name, value in pairs(state) do
      if torch.isTensor(value) then
         assert.equal('torch.FloatTensor', torch.typename(value), name)
         assert.is_true(cutorch.isPinned(value), name)
         count = count + 1
      end
   end
   return count
end

describe('optim.offload', function()
   local x, target
   before_each(function()
      cutorch.setDevice(1)
      torch.manualSeed(2)
      x, target = torch.randn(101):cuda(), torch.randn(101):cuda()
   end)

   local function feval(p)
      return 0, p:clone():add(-1, target):cmul(p)
   end

   for name, config in pairs {
      sgd = { learningRate = 0.1 }, adam = { learningRate = 0.1 }, adamw = { weightDecay = 0.1 },
      rmsprop = {}, adagrad = { learningRate = 0.1 }, adadelta = {}, adamax = {}, lion = {},
      nadam = {}, radam = {}, rprop = {}, asgd = {},
   } do
      it('steps as optim.' .. name .. ' does, in chunks of any size', function()
         for _, chunk in ipairs { 1, 7, 50, 101, 1000 } do
            local p, q = x:clone(), x:clone()
            local state, kept = {}, {}
            local offloaded = optim.offload(optim[name], { chunk = chunk })
            for _ = 1, 4 do
               local _, losses = optim[name](feval, p, config, state)
               local r, again = offloaded(feval, q, config, kept)
               assert.equal(q, r)
               assert.same(losses, again)
               same(p, q)
            end
            on_host(kept)
            for key, value in pairs(state) do
               if torch.isTensor(value) then
                  same(value, kept[key])
               else
                  assert.equal(value, kept[key], key)
               end
            end
            optim[name](feval, p, config, state)
            for key, value in pairs(kept) do -- and back: the optimiser alone goes on
               kept[key] = torch.isTensor(value) and value:cuda() or value
            end
            optim[name](feval, q, config, kept)
            same(p, q)
         end
      end)
   end

   it('knows options that are tensors, a config that is the state, and momentum', function()
      local rates, decays = torch.rand(101):cuda(), torch.rand(101):cuda()
      local function config()
         return { learningRate = 0.1, momentum = 0.9, nesterov = true, dampening = 0,
            learningRates = rates, weightDecays = decays }
      end
      local p, q, own, kept = x:clone(), x:clone(), config(), config()
      local sgd = optim.offload(optim.sgd, { chunk = 30 })
      for _ = 1, 3 do
         optim.sgd(feval, p, own)
         sgd(feval, q, kept)
         same(p, q)
      end
      assert.equal(3, kept.evalCounter)
      assert.equal('torch.FloatTensor', torch.typename(kept.dfdx))
   end)

   it('takes over a state that was on the device, and keeps amsgrad and schedules', function()
      local config = { learningRate = 0.1, amsgrad = true,
         schedule = function(t) return 1 / (1 + t) end }
      local p, q, state, kept = x:clone(), x:clone(), {}, {}
      local adam = optim.offload(optim.adam, { chunk = 40 })
      for i = 1, 5 do
         optim.adam(feval, p, config, state);
         (i < 3 and optim.adam or adam)(feval, q, config, kept)
         same(p, q)
      end
      assert.equal(3, on_host(kept))
   end)

   it('takes memory of a device for a chunk only', function()
      local n, chunk = 2 ^ 20, 2 ^ 14
      local p, g = torch.CudaTensor(n):fill(1), torch.CudaTensor(n):fill(2)
      local function most(adam)
         local state, function_of = {}, function() return 0, g end
         collectgarbage()
         collectgarbage()
         cutorch.resetPeaks()
         local before = cutorch.memoryStatistics().allocated.current
         for _ = 1, 2 do
            adam(function_of, p, {}, state)
         end
         return cutorch.memoryStatistics().allocated.peak - before
      end
      assert.is_true(most(optim.adam) >= 8 * n) -- two floats for each
      assert.is_true(most(optim.offload(optim.adam, { chunk = chunk })) <= 4 * 8 * chunk)
   end)

   it('goes with groups, and lists of vectors on several devices', function()
      local count = math.min(cutorch.getDeviceCount(), 2)
      local lists, states = {}, { {}, {} }
      for k = 1, 2 do
         lists[k] = {}
         for device = 1, count do
            lists[k][device] = cutorch.withDevice(device, function()
               return torch.CudaTensor(30):fill(device)
            end)
         end
      end
      local function slopes(list)
         local gradients = {}
         for i, t in ipairs(list) do
            gradients[i] = cutorch.withDevice(i, function() return t:clone():mul(3) end)
         end
         return 0, gradients
      end
      for _ = 1, 3 do
         optim.groups { optim.adam }(slopes, lists[1], { learningRate = 0.1 }, states[1])
         optim.groups { optim.offload(optim.adam, { chunk = 8 }) }(slopes, lists[2],
            { learningRate = 0.1 }, states[2])
      end
      for device = 1, count do
         same(lists[1][device], lists[2][device])
         assert.equal(device, lists[2][device]:getDevice())
         assert.equal(2, on_host(states[2].groups[device]))
      end
      assert.equal(1, cutorch.getDevice())
   end)

   it("is an optimiser of the Trainer's, whose checkpoints it goes on from", function()
      local data = { input = torch.randn(12, 3):float(), target = torch.randn(12, 2):float() }
      local function trained(optimizer, folder, epochs, resume)
         torch.manualSeed(4)
         local trainer = train.Trainer {
            model = nn.Sequential():add(nn.Linear(3, 4)):add(nn.Tanh()):add(nn.Linear(4, 2)),
            criterion = nn.MSECriterion(), optimizer = optimizer, device = 'cuda', data = data,
            batchSize = 4, epochs = epochs, options = { learningRate = 0.05 }, log = false,
            seed = 1, checkpoint = folder and { folder = folder } or nil,
         }
         if resume then
            trainer:resume()
         end
         trainer:run()
         return trainer.state.parameters, trainer.optimState
      end
      local wanted = trained('adam', nil, 4)
      local adam = optim.offload(optim.adam, { chunk = 10 })
      local found, state = trained(adam, nil, 4)
      same(wanted, found)
      assert.equal(2, on_host(state))
      require('test.support.shell').with_folder(function(folder)
         trained(adam, folder, 2)
         same(wanted, (trained(adam, folder, 4, true)))
      end)
   end)

   it('leaves x of the CPU to the optimiser', function()
      local p, q, state, kept = torch.ones(5), torch.ones(5), {}, {}
      local function slope(v) return 1, v * 2 end
      local adam = optim.offload(optim.adam, { chunk = 2 })
      for _ = 1, 2 do
         optim.adam(slope, p, {}, state)
         adam(slope, q, {}, kept)
      end
      assert.same(p:totable(), q:totable())
      assert.equal(5, kept.m:nElement())
   end)

   it('refuses what cannot go in chunks', function()
      raises('optim.offload: optim.lbfgs looks at all parameters at once', optim.offload,
         optim.lbfgs)
      raises('optim.offload: expected an optimiser such as optim.adam, got nil', optim.offload)
      raises('groups and shares go around it', optim.offload, optim.groups { optim.adam })
      raises('chunk is 0, expected a whole number from 1 on', optim.offload, optim.adam,
         { chunk = 0 })
      local adam = optim.offload(optim.adam)
      raises('optim.offload: opfunc returned a gradient of 3 elements for x of 101', adam,
         function() return 0, torch.CudaTensor(3) end, x, {})
      raises('optim.offload: x has gaps between its elements', adam, function()
         return 0, torch.CudaTensor(4, 4):fill(1)
      end, torch.CudaTensor(4, 8):narrow(2, 1, 4), {})
   end)
end)

if not workers.available then
   return
end

describe('optim.offload over ranks', function()
   local both = workers.blocks(it, 2, "require 'cunn'")

   both('goes with distributed.sharded, and a state of files', [[
      local optim = require 'optim'
      torch.manualSeed(4)
      local p = torch.randn(101):cuda()
      local target, q = torch.randn(101):cuda(), p:clone()
      local function feval(v) return 0, v:clone():add(-1, target) end
      local config, state, shared = { learningRate = 0.1 }, {}, {}
      local sharded = distributed.sharded(optim.offload(optim.adam, { chunk = 20 }))
      for i = 1, 3 do
         optim.adam(feval, p, config, state)
         sharded(feval, q, config, shared)
         same(q, p)
      end
      assert(torch.typename(shared.m) == 'torch.FloatTensor' and shared.m:nElement() <= 51)
      local whole = sharded:whole(shared, q)
      same(whole.m, state.m)
      optim.adam(feval, p, config, state)
      sharded(feval, q, config, whole)
      same(q, p)
   ]])
end)
