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
end)
