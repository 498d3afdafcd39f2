-- Tensors of devices between processes, each of which has simulated devices of its own.
local cuda = require 'test.support.cuda'
local workers = require 'test.support.workers'

if not workers.available or not cuda.available then
   return
end

describe('distributed, tensors of devices', function()
   local both = workers.blocks(it, 2, "require 'cunn'")

   both('go through memory of the host, whatever their type and strides', [[
      local cutorch = require 'cutorch'
      for _, name in ipairs { '', 'Double', 'Half', 'BFloat16', 'Int', 'Long', 'Byte' } do
         local T = torch['Cuda' .. name .. 'Tensor']
         local x = T(3, 2):fill(rank)
         local t = x:t()
         assert(distributed.allReduce(t) == t)
         same(x, torch.Tensor(3, 2):fill(3), name)
         local all = distributed.allGather(T(2):fill(rank))
         assert(torch.typename(all) == torch.typename(x)) same(all, { { 1, 1 }, { 2, 2 } }, name)
         same(distributed.broadcast(T(2):fill(rank), { root = 2 }), { 2, 2 }, name)
         same(distributed.reduceScatter(T(4):fill(rank)), { 3, 3 }, name)
         local g = distributed.gather(T(1):fill(rank))
         if rank == 1 then same(g, { { 1 }, { 2 } }, name) end
         same(distributed.scatter(T(1), rank == 1 and T { { 5 }, { 6 } }), { 4 + rank }, name)
         if rank == 1 then distributed.send(T(2):fill(7), 2)
         else same(distributed.receive(T(2), 1), { 7, 7 }, name) end
         same(distributed.allReduce(T(), { async = true }):wait(), torch.Tensor())
      end
   ]])

   both('go by a ring of NCCL, which here is a simulated one', [[
      distributed.init { devices = 'nccl' }
      raises('rank 2 at allReduce (sum) of a 3 FloatTensor', function() -- of the very first call
         distributed.allReduce(rank == 1 and torch.CudaTensor(3) or torch.FloatTensor(3))
      end)
      for _, name in ipairs { '', 'Double', 'Half', 'BFloat16', 'Int', 'Long', 'Byte', 'Char',
         'Short' } do                                               -- the last one by the host
         local T = torch['Cuda' .. name .. 'Tensor']
         local t = T(3, 2):fill(rank):t()
         same(distributed.allReduce(t), torch.Tensor(2, 3):fill(3), name)
         same(distributed.allReduce(T(2):fill(rank), 'max'), { 2, 2 }, name)
         same(distributed.allReduce(T(2):fill(rank), 'min'), { 1, 1 }, name)
         same(distributed.allReduce(T(2):fill(rank + 1), 'product'), { 6, 6 }, name)
         same(distributed.allGather(T(2):fill(rank)), { { 1, 1 }, { 2, 2 } }, name)
         same(distributed.broadcast(T(2):fill(rank), { root = 2 }), { 2, 2 }, name)
         same(distributed.reduceScatter(T { rank, 10 * rank }), { rank == 1 and 3 or 30 }, name)
         local work = distributed.allReduce(T(2):fill(rank), { async = true })
         same(work:wait(), { 3, 3 }, name)
      end
      same(distributed.allReduce(torch.CudaTensor(2):fill(rank), 'mean'), { 1.5, 1.5 })
      raises('rank 1 is at allReduce (sum) of a 3 CudaFloatTensor', function()
         distributed.allReduce(torch.CudaTensor(2 + (rank == 1 and 1 or 0)))
      end)
      raises('rank 2 at allReduce (max) of a 3 FloatTensor', function()
         distributed.allReduce(rank == 1 and torch.CudaTensor(3) or torch.FloatTensor(3), 'max')
      end)
      -- Beside what the device computes meanwhile, and with operands that nobody holds any more.
      local works, others = {}, {}
      for i = 1, 20 do
         local x = torch.CudaTensor(100):fill(rank):mul(i)
         works[i] = i % 2 == 0 and distributed.allReduce(x, { op = 'mean', async = true })
            or distributed.allGather(x, { async = true })
         others[i] = torch.CudaTensor(100):fill(-1):cmul(torch.CudaTensor(100):fill(i))
         x = nil
         collectgarbage()
      end
      for i = 1, 20 do
         local y = works[i]:wait()
         same(i % 2 == 0 and y or y:sum(1):div(2):view(100), torch.Tensor(100):fill(1.5 * i))
         same(others[i], torch.Tensor(100):fill(-i))
         assert(works[i]:done())
      end
      local work = distributed.allReduce(torch.CudaTensor(5):fill(rank), { async = true })
      require('cutorch').synchronize()
      assert(work:done())
      same(work:wait(), torch.Tensor(5):fill(3))
      distributed.init { check = false }
      same(distributed.allReduce(torch.CudaTensor(2):fill(rank)), { 3, 3 })
      local own = distributed.group { 1, 2 }
      same(distributed.broadcast(torch.CudaTensor(2):fill(rank), { group = own, root = 2 }),
         { 2, 2 })
      -- Calls of two rings run in the order in which they are made, as on the other rank.
      works = {}
      for i = 1, 20 do
         works[i] = distributed.allReduce(torch.CudaTensor(2):fill(i * rank),
            { async = true, group = i % 2 == 0 and own or nil })
      end
      for i = 1, 20 do
         same(works[i]:wait(), { 3 * i, 3 * i })
      end
      distributed.init { check = true, devices = 'host' }
   ]])

   it('have come by rings whoever of the ranks ends first', function()
      for _ = 1, 3 do
         workers.passes(2, [[
            require 'cunn'
            distributed.init { devices = 'nccl' }
            for _ = 1, 30 do
               local x = torch.CudaTensor(10):fill(rank)
               same(distributed.allReduce(x, { group = distributed.group { 1, 2 } }),
                  torch.Tensor(10):fill(3))
            end
         ]])
      end
   end)

   both('train as one process does', [[
      local nn, train = require 'nn', require 'torch.train'
      torch.manualSeed(1)
      local x, y = torch.randn(12, 3), torch.randn(12, 2)
      local function trained(workers)
         torch.manualSeed(2)
         local made = train.Trainer { model = nn.Sequential():add(nn.Linear(3, 4)):add(nn.Tanh())
            :add(nn.BatchNormalization(4)):add(nn.Linear(4, 2)), criterion = nn.MSECriterion(),
            device = 'cuda', data = { input = x, target = y }, batchSize = 6, epochs = 2,
            options = { learningRate = 0.1 }, log = false, seed = 1, workers = workers }
         made:run()
         return made.state.parameters:double()
      end
      local alone, two = trained(false), trained { syncBatchNormalization = true }
      assert((alone - two):abs():max() < 1e-5, (alone - two):abs():max())
   ]])

   both('train with stages on the devices of each, as one process does', [[
      local nn, train = require 'nn', require 'torch.train'
      local parameters = require('test.support.split_layers').parameters
      torch.manualSeed(1)
      local x, y = torch.randn(23, 3), torch.randn(23, 2)             -- the last batch has 7 rows
      local own = rank == 1 and { 1, 2 } or { 3, 4 }
      local function trained(settings)
         torch.manualSeed(2)
         local all = { model = nn.Sequential():add(nn.Linear(3, 4)):add(nn.Tanh())
            :add(nn.Linear(4, 4)):add(nn.ReLU()):add(nn.Linear(4, 2)), log = false, seed = 1,
            criterion = nn.MSECriterion(), device = 'cuda', data = { input = x, target = y },
            batchSize = 8, epochs = 2, optimizer = 'adam', options = { learningRate = 0.1 } }
         for name, value in pairs(settings) do all[name] = value end
         local made = train.Trainer(all)
         local row = made:run()
         return made, parameters(made.model), row
      end
      local groups = { { parameters = '*.bias', learningRate = 0.01 } }
      for _, case in ipairs {
         { {}, 1e-5 }, { { clip = 0.1 }, 1e-5 }, { { groups = groups, accumulate = 2 }, 1e-5 },
         { { precision = 'bfloat16', clip = 0.1, groups = groups }, 3e-2 },
         { { precision = 'half' }, 1e-2 }, { { workers = { shardOptimizer = true } }, 1e-5 },
         { { workers = { shardOptimizer = true }, groups = groups, clip = 0.1 }, 1e-5 },
         { { criterion = nn.MSECriterion(false), options = { learningRate = 0.01 } }, 1e-5 },
      } do
         local settings, near = unpack(case)
         local option = settings.workers
         settings.workers = false
         local _, wanted, loss = trained(settings)
         settings.workers, settings.device, settings.pipeline = option, own, 3
         local two, found, row = trained(settings)
         assert(torch.type(two.state.network) == 'distributed.Pipeline' and two.workers.size == 2)
         assert(two.state.parameters[2]:getDevice() == own[2])
         assert((found - wanted):abs():max() < near, (found - wanted):abs():max())
         assert(math.abs(row.loss - loss.loss) < near * math.max(1, loss.loss))
         same(distributed.broadcast(found:clone(), { root = 1 }), found)  -- the same on both
      end
      raises('the ranks disagree: rank 1 has vectors of 16, 30 parameters, rank 2 has vectors of '
         .. '36, 10', trained, { device = own, pipeline = { layers = rank == 1 and { 2, 3 }
            or { 4, 1 } } })
      for _, case in ipairs { { {}, 1e-5 }, { { clip = 0.1, groups = groups }, 1e-5 },
         { { precision = 'bfloat16' }, 3e-2 } } do           -- a stage on the device of each
         local settings, near = unpack(case)
         settings.workers = false
         local _, wanted, loss = trained(settings)
         settings.workers, settings.pipeline = nil, 3
         local two, found, row = trained(settings)
         assert(two.state.network.stages == 2 and #two.state.parameters == 1)
         assert(two.state.parameters[1]:getDevice() == rank)
         assert((found - wanted):abs():max() < near, (found - wanted):abs():max())
         assert(math.abs(row.loss - loss.loss) < near)
      end
   ]])

   both('have stages and layers in parts, as on the CPU', [[
      local nn = require 'nn'
      torch.manualSeed(1)
      local net = nn.Sequential():add(nn.Linear(4, 6)):add(nn.Tanh()):add(nn.Linear(6, 2))
      local x, t = torch.randn(8, 4), torch.randn(8, 2)
      local function trained(stages, module, x, t, criterion)
         module:zeroGradParameters()
         if stages then return module:forwardBackward(x, t, criterion) end
         local loss = criterion:forward(module:forward(x), t)
         module:backward(x, criterion:backward(module.output, t))
         return loss
      end
      for _, stages in ipairs { true, false } do
         local function parted()
            if stages then return distributed.Pipeline(net:clone(), { microBatches = 4 }) end
            return distributed.split(net:clone())
         end
         local host, own = parted(), parted():cudaDouble()
         local loss = trained(stages, host, x, t, nn.MSECriterion())
         local found = trained(stages, own, x:cudaDouble(), t:cudaDouble(),
            nn.MSECriterion():cudaDouble())
         assert(math.abs(loss - found) < 1e-12)
         local _, wanted = host:parameters()
         for i, g in ipairs(select(2, own:parameters())) do
            assert(g:type() == 'torch.CudaDoubleTensor')
            assert((g:double() - wanted[i]):abs():max() < 1e-12)
         end
         assert(distributed.whole(own):get(1).weight:type() == 'torch.DoubleTensor')
      end
   ]])
end)
