-- Operations between processes against closed forms: rank r brings numbers that depend on r.
local workers = require 'test.support.workers'
local raises = require 'test.support.raises'

local torch = require 'torch'
local distributed = require 'distributed'

describe('distributed.operations, a process alone', function()
   it('is rank 1 of 1, and combines what there is', function()
      assert.same({ 1, 1 }, { distributed.rank(), distributed.size() })
      local x = torch.Tensor { 1, 2 }
      assert.equal(x, distributed.allReduce(x, 'mean'))
      assert.same({ 1, 2 }, x:totable())
      assert.same({ { 1, 2 } }, distributed.allGather(x):totable())
      assert.same({ { 1, 2 } }, distributed.gather(x):totable())
      assert.same({ 1, 2 }, distributed.reduceScatter(x):totable())
      assert.same({ 3, 4 }, distributed.scatter(torch.Tensor(2),
         torch.Tensor { { 3, 4 } }):totable())
      assert.equal(x, distributed.broadcast(x, { async = true }):wait())
      distributed.barrier()
   end)

   it('refuses what would be ignored or mistaken', function()
      local x = torch.ones(3)
      raises("distributed.allReduce: there is no option 'asinc'; near: async",
         distributed.allReduce, x, { asinc = true })
      raises("distributed.allReduce: op is 'avg', expected 'sum', 'mean', 'product', 'min' or "
         .. "'max'", distributed.allReduce, x, 'avg')
      raises('distributed.allReduce: x is a torch.LongTensor, and a mean of whole numbers is none',
         distributed.allReduce, torch.LongTensor { 1 }, 'mean')
      raises('distributed.broadcast: x is nil, expected a tensor', distributed.broadcast)
      raises('distributed.broadcast: root is rank 2 of a world of 1', distributed.broadcast, x,
         { root = 2 })
      raises('distributed.send: rank 2 of a world of 1', distributed.send, x, 2)
      raises('distributed.send: rank 1 is this one', distributed.send, x, 1)
      raises('distributed.group: rank 3 of a world of 1', distributed.group, { 3 })
      raises('distributed.scatter: x is a torch.DoubleTensor of 2x3, expected a torch.DoubleTensor '
         .. 'of 1x3', distributed.scatter, x, torch.ones(2, 3))
      raises('distributed: group is a list, expected what distributed.group{1, 2} gives',
         distributed.gatherObjects, 1, { group = { 1 } })
      raises('distributed: group is 3, expected', distributed.size, 3)
      local w = torch.ones(1):requiresGrad()
      raises('distributed.allReduce: x was computed from Variables', distributed.allReduce, w * 2)
   end)
end)

if not workers.available then
   return
end

describe('distributed.operations', function()
   local of_four = workers.blocks(it, 4, '')
   local of_three = workers.blocks(it, 3, '')

   of_four('have all element types, contiguous or not', [[
      for _, name in ipairs { 'Byte', 'Char', 'Short', 'Int', 'Long', 'Half', 'BFloat16',
         'Float', 'Double' } do
         local T = torch[name .. 'Tensor']
         local function own(...) return T(...):fill(rank) end
         for _, ordered in ipairs { false, true } do
            same(distributed.allReduce(own(5), { ordered = ordered }), torch.Tensor(5):fill(10),
               name)
            same(distributed.allReduce(own(3), { op = 'product', ordered = ordered }),
               { 24, 24, 24 }, name)
            same(distributed.allReduce(own(1), { op = 'max', ordered = ordered }), { 4 }, name)
            same(distributed.allReduce(own(1), { op = 'min', ordered = ordered }), { 1 }, name)
            same(distributed.reduceScatter(own(8), { ordered = ordered }), { 10, 10 }, name)
         end
         same(distributed.allGather(own(2)), { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 } }, name)
         same(distributed.broadcast(own(2), { root = 3 }), { 3, 3 }, name)
         local all = distributed.gather(own(1), { root = 2 })
         assert((all ~= nil) == (rank == 2))
         if all then same(all, { { 1 }, { 2 }, { 3 }, { 4 } }, name) end
         same(distributed.scatter(T(1), rank == 4 and T { 5, 6, 7, 8 }:view(4, 1), { root = 4 }),
            { 4 + rank }, name)
      end
      local x = torch.FloatTensor(2, 3):fill(rank)
      same(distributed.allReduce(x:t(), 'mean'), torch.Tensor(3, 2):fill(2.5))
      same(x, torch.Tensor(2, 3):fill(2.5))
      same(distributed.broadcast(x:fill(rank):select(2, 2), { root = 4 }), { 4, 4 })
      same(x, { { rank, 4, rank }, { rank, 4, rank } })
      same(distributed.allReduce(torch.Tensor()), torch.Tensor())
      local b = torch.ByteTensor { 100 }
      same(distributed.allReduce(b), { 400 % 256 }) -- sums come round
   ]])

   of_four('add in the order of ranks where they are asked to, with the bits of one process', [[
      torch.manualSeed(1)
      local parts = torch.randn(4, 1001):float()
      local sum = parts[1]:clone()
      for r = 2, 4 do sum:add(parts[r]) end
      same(distributed.allReduce(parts[rank]:clone(), { ordered = true }), sum)
      local padded = parts:narrow(2, 1, 1000)
      same(distributed.reduceScatter(padded[rank], { ordered = true }),
         sum:narrow(1, 250 * (rank - 1) + 1, 250))
   ]])

   of_four('have groups, which are apart from each other', [[
      local odd = rank % 2 == 1
      local group = distributed.group(odd and { 1, 3 } or { 2, 4 })
      assert(distributed.size(group) == 2 and distributed.rank(group) == math.ceil(rank / 2))
      same(distributed.allReduce(torch.Tensor { rank }, { group = group }), { odd and 4 or 6 })
      local third = { group = group, root = odd and 3 or 2 }
      same(distributed.broadcast(torch.Tensor { rank }, third), { third.root })
      same(distributed.allGather(torch.Tensor { rank }, { group = group }),
         odd and { { 1 }, { 3 } } or { { 2 }, { 4 } })
      raises('distributed.broadcast: root is rank', distributed.broadcast, torch.ones(1),
         { group = group, root = odd and 2 or 1 })
      assert(distributed.broadcastObject({ rank }, { group = group })[1] == (odd and 1 or 2))
   ]])

   of_three('go on by themselves, and give their results when they are waited for', [[
      local a, b = torch.Tensor(1000):fill(rank), torch.Tensor(3):fill(rank)
      local works = {}
      for i = 1, 20 do
         works[i] = distributed.allReduce(a:clone(), { async = true })
      end
      local gathered = distributed.allGather(b, { async = true })
      for i = 1, 20 do same(works[i]:wait(), torch.Tensor(1000):fill(6)) end
      same(gathered:wait(), { { 1, 1, 1 }, { 2, 2, 2 }, { 3, 3, 3 } })
      assert(gathered:done() and gathered:wait() == gathered:wait())
      for _ = 1, 10 do -- nobody waits, and nothing is lost
         distributed.allReduce(torch.Tensor(10000):fill(rank), { async = true })
      end
      collectgarbage() collectgarbage()
      distributed.barrier()
   ]])

   of_three('send and receive in turn, and both ways at once', [[
      if rank == 1 then
         for i = 1, 5 do distributed.send(torch.Tensor(100000):fill(i), 3) end
      elseif rank == 3 then
         local x = torch.Tensor(100000)
         for i = 1, 5 do assert(distributed.receive(x, 1):min() == i and x:max() == i) end
      end
      local nxt, before = rank % 3 + 1, (rank - 2) % 3 + 1
      local sent = distributed.send(torch.Tensor(300000):fill(rank), nxt, { async = true })
      assert(distributed.receive(torch.Tensor(300000), before):min() == before)
      sent:wait()
      if rank == 1 then
         distributed.send(torch.ones(3), 2)
         distributed.send(torch.ones(4), 2)
      elseif rank == 2 then
         raises('the ranks disagree: this is rank 2 at receive of a 2 DoubleTensor', function()
            distributed.receive(torch.Tensor(2), 1)
         end)
         same(distributed.receive(torch.Tensor(4), 1), { 1, 1, 1, 1 }) -- and the next is whole
      end
   ]])

   of_three('are received while something else is waited for', [[
      for _, wait in ipairs {
         function() return distributed.group { 1, 2, 3 } end,
         function() distributed.init { check = false } distributed.barrier()
            distributed.init { check = true } end } do
         local x = torch.Tensor(300000)
         if rank == 1 then
            local work = distributed.receive(x, 2, { async = true })
            wait()
            assert(work:wait():min() == 7)
         else
            if rank == 2 then distributed.send(x:fill(7), 1) end
            wait()
         end
      end
      if rank == 1 then                                         -- more than there is place for
         distributed.send(torch.ones(300000), 2)
         distributed.send(torch.ones(4), 2)
      elseif rank == 2 then
         raises('and rank 1 has sent, by send of a 300000 DoubleTensor', function()
            distributed.receive(torch.Tensor(10), 1)
         end)
         same(distributed.receive(torch.Tensor(4), 1), { 1, 1, 1, 1 })
      end
   ]])

   of_three('are checked as it was said when they were begun', [[
      local works = {}
      if rank == 2 then os.execute 'sleep 0.1' end
      for i = 1, 10 do works[i] = distributed.allReduce(torch.ones(1000), { async = true }) end
      distributed.init { check = false }
      for i = 1, 10 do same(works[i]:wait():narrow(1, 1, 1), { 3 }) end
      distributed.init { check = true }
   ]])

   of_three('keep a NaN in minima and maxima, whoever brings it', [[
      for _, name in ipairs { 'Half', 'BFloat16', 'Float', 'Double' } do
         for who = 1, 3 do
            for _, op in ipairs { 'min', 'max' } do
               for _, ordered in ipairs { false, true } do
                  local x = torch[name .. 'Tensor'] { rank == who and 0 / 0 or rank, rank }
                  distributed.allReduce(x, { op = op, ordered = ordered })
                  assert(x[1] ~= x[1] and x[2] == (op == 'min' and 1 or 3), name .. op .. who)
               end
            end
         end
      end
   ]])

   of_three('know their place on the machine', [[
      assert(distributed.place() == rank)
   ]])

   it('go in pieces where MPI could not count them', function()
      workers.passes(2, [[
         local function part(r) return torch.range(1, 23):mul(r) end
         for _, ordered in ipairs { false, true } do
            same(distributed.allReduce(part(rank), { ordered = ordered }), part(3))
         end
         same(distributed.broadcast(part(rank), { root = 2 }), part(2))
      ]], nil, 'TH_DISTRIBUTED_PIECE=7')
   end)

   of_three('carry values of Lua', [[
      local got = distributed.broadcastObject(rank == 2 and { a = { torch.ones(2) }, b = 'x' },
         { root = 2 })
      assert(got.b == 'x') same(got.a[1], { 1, 1 })
      assert(distributed.broadcastObject(nil) == nil)
      local all = distributed.gatherObjects(('x'):rep(rank * 100))
      assert(#all == 3 and #all[1] == 100 and #all[3] == 300)
   ]])

   of_three('name both ranks where they disagree, and can be gone on with', [[
      raises('rank 1 is at allReduce (sum) of a 3 DoubleTensor at', function()
         distributed.allReduce(torch.ones(rank == 1 and 3 or 4))
      end)
      raises('rank 2 at barrier', function()
         if rank == 1 then distributed.broadcast(torch.ones(3)) else distributed.barrier() end
      end)
      for _, x in ipairs { torch.ones(2, 3), torch.ones(6):float() } do
         raises('the ranks disagree', function()
            distributed.allReduce(rank == 1 and torch.ones(6) or x)
         end)
      end
      raises('rank 1 is at allReduce (min)', function()
         distributed.allReduce(torch.ones(1), rank == 1 and 'min' or 'max')
      end)
      raises('rank 1 is at broadcast from rank 1', function()
         distributed.broadcast(torch.ones(1), { root = rank })
      end)
      local work = distributed.allReduce(torch.ones(rank), { async = true })
      raises('the ranks disagree', work.wait, work)
      raises('the ranks disagree', work.wait, work)
      same(distributed.allReduce(torch.ones(1)), { 3 })
   ]])
end)
