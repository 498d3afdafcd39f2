-- Networks on several ranks, each with a part of a batch, against one process with all of it.
local torch = require 'torch'
local distributed = require 'distributed'
local nn = require 'nn'
local workers = require 'test.support.workers'
local raises = require 'test.support.raises'

describe('distributed training, a process alone', function()
   it('is the network as it is', function()
      local plain = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Tanh())
      local net = distributed.DataParallel(plain:clone())
      local x, g = torch.randn(4, 3), torch.randn(4, 2)
      plain:zeroGradParameters()
      net:zeroGradParameters()
      assert.same(plain:forward(x):totable(), net:forward(x):totable())
      assert.same(plain:backward(x, g):totable(), net:backward(x, g):totable())
      assert.same(plain:get(1).gradWeight:totable(), net:get(1):get(1).gradWeight:totable())
      assert.is_nil(rawget(net:get(1):get(1), 'backward')) -- nothing is left behind
      assert.equal('torch.DoubleTensor', torch.deserialize(torch.serialize(net)):type())
   end)

   it('refuses what it cannot do', function()
      raises('distributed.DataParallel: expected a network (nn.Module), got 3',
         distributed.DataParallel, 3)
      raises("distributed.Reducer: there is no option 'buckets'; near: bucket",
         distributed.Reducer, nn.Linear(1, 1), { buckets = 2 })
      raises('distributed.sharded: optim.lbfgs looks at all parameters at once',
         distributed.sharded, require('optim').lbfgs)
      raises('distributed.Gradients: item 1 is no leaf', distributed.Gradients, { torch.ones(1) })
      raises('distributed.Gradients: expected a list of Variables, got nil', distributed.Gradients)
      local reducer = distributed.Reducer(nn.Linear(1, 1))
      raises('distributed.Reducer: finish: begin comes before', reducer.finish, reducer)
   end)
end)

if not workers.available then
   return
end

-- One net for all, data for each rank and for all of them, and what is near.
local SETUP = [[
   local nn, optim = require 'nn', require 'optim'
   torch.manualSeed(7)
   local function make()
      torch.manualSeed(3)
      local shared = nn.Linear(5, 5)
      return nn.Sequential():add(nn.Linear(4, 5)):add(nn.Tanh()):add(shared)
         :add(nn.ReLU()):add(shared:clone('weight', 'bias', 'gradWeight', 'gradBias'))
         :add(nn.ConcatTable():add(nn.Linear(5, 2)):add(nn.Linear(5, 2))):add(nn.CAddTable())
   end
   local function near(x, wanted, limit, what)
      local error = (x:double() - wanted:double()):abs():max()
      assert(error <= limit, ('%s, rank %d: %g'):format(what or 'near', rank, error))
   end
   local x, t = torch.randn(4 * size, 4), torch.randn(4 * size, 2)
   local own, ownT = x:narrow(1, 4 * rank - 3, 4), t:narrow(1, 4 * rank - 3, 4)
   local criterion = nn.MSECriterion()
   local function gradient(net, x, t, p)
      if not p then net:zeroGradParameters() end
      local loss = criterion:forward(net:forward(x), t)
      net:backward(x, criterion:backward(net.output, t))
      return loss
   end
]]

describe('distributed training', function()
   local both = workers.blocks(it, 2, SETUP)

   both('has the gradients of one process, in buckets of any size, and noSync adds up', [[
      local whole = make()
      gradient(whole, x, t)
      local _, wanted = whole:getParameters()
      for _, settings in ipairs { {}, { bucket = 1e-4 }, { bucket = 3e-4, ordered = true },
         { overlap = false } } do
         local inner = make()
         if rank == 2 then inner:get(1).weight:fill(9) end      -- becomes rank 1's
         local net = distributed.DataParallel(inner, settings)
         for pass = 1, 3 do
            gradient(net, own, ownT)
            local _, g = inner:parameters()
            near(torch.cat({ g[1]:view(-1), g[2], g[3]:view(-1) }, 1), wanted:narrow(1, 1,
               g[1]:nElement() + g[2]:nElement() + g[3]:nElement()), 1e-14, 'pass ' .. pass)
            near(g[#g], whole:get(6):get(2).gradBias, 1e-14)
         end
         local p, flat = net:getParameters()                    -- laid out anew
         gradient(net, own, ownT)
         near(flat, wanted, 1e-14, 'flat')
         net:zeroGradParameters()
         net:noSync(function() gradient(net, own, ownT, p) end)
         gradient(net, own, ownT, p)
         near(flat, wanted * 2, 1e-14, 'noSync')
         net:zeroGradParameters()
         net:noSync(function()
            net:noSync(function() end)
            gradient(net, own, ownT, p) -- is not reduced, though an inner noSync has ended
         end)
         local alone = distributed.allGather(flat)
         assert((alone[1] - alone[2]):abs():max() > 1e-3)
      end
   ]])

   both('reduces once what is part of another gradient, whoever adds to it last', [[
      local function tied()
         torch.manualSeed(3)
         local large, small = nn.Linear(5, 5):noBias(), nn.Linear(5, 2):noBias()
         small.weight = large.weight:narrow(1, 2, 2)
         small.gradWeight = large.gradWeight:narrow(1, 2, 2)
         return nn.Sequential():add(nn.Linear(4, 5)):add(large):add(nn.Tanh()):add(small)
      end
      for _, settings in ipairs { {}, { bucket = 1e-4 }, { overlap = false } } do
         local whole, inner = tied(), tied()
         local net = distributed.DataParallel(inner, settings)
         for pass = 1, 4 do
            gradient(whole, x, t)
            gradient(net, own, ownT)
            near(inner:get(2).gradWeight, whole:get(2).gradWeight, 1e-14, 'pass ' .. pass)
            near(inner:get(1).gradWeight, whole:get(1).gradWeight, 1e-14)
         end
      end
   ]])

   both('counts layers that are not used, on a rank or on all', [[
      local P = torch.class('Pick', 'nn.Container')
      function P:updateOutput(x)
         self.at = self.choose
         self.output = self.modules[self.at]:forward(x)
         return self.output
      end
      function P:backward(x, g, s)
         self.gradInput = self.modules[self.at]:backward(x, g, s)
         return self.gradInput
      end
      local pick = Pick():add(nn.Linear(4, 2)):add(nn.Linear(4, 2)):add(nn.Linear(4, 2))
      local net = distributed.DataParallel(nn.Sequential():add(nn.Linear(4, 4)):add(pick),
         { bucket = 1e-4 })
      pick.choose = 1
      for pass = 1, 3 do
         if pass > 1 then pick.choose = rank end
         gradient(net, own, ownT)
         local sums = torch.Tensor { pick:get(1).gradBias:norm(), pick:get(2).gradBias:norm() }
         local same1 = distributed.allGather(sums)
         near(same1[1], same1[2], 0)
         assert((sums[2] > 0) == (pass > 1) and pick:get(3).gradBias:norm() == 0)
      end
      pick.at, pick.choose = nil, 3
      gradient(net, own, ownT)
      assert(pick:get(3).gradBias:norm() > 0)
   ]])

   both('names a layer that works more often than it did, and is as before after errors', [[
      local linear, times = nn.Linear(4, 4), 1
      local T = torch.class('Twice', 'nn.Container')
      function T:updateOutput(x) self.output = self.modules[1]:forward(x) return self.output end
      function T:backward(x, g)
         if times == 0 then error 'mine' end
         for _ = 1, times do self.gradInput = self.modules[1]:backward(x, g) end
         return self.gradInput
      end
      local net = distributed.DataParallel(Twice():add(linear))
      local function pass() net:forward(own) net:backward(own, torch.ones(4, 4)) end
      pass()
      times = 2
      raises('a nn.Linear works more often in this pass than in the first', pass)
      times = 0
      raises('mine', pass)
      times = 1
      net:zeroGradParameters()
      pass()
      near(linear.gradBias, torch.Tensor(4):fill(4), 0)
      assert(rawget(linear, 'backward') == nil)
   ]])

   both('has gradients of Variables, used or not', [[
      local function leaves()
         torch.manualSeed(5)
         return torch.randn(4, 3):requiresGrad(), torch.randn(3, 2):requiresGrad(),
            torch.randn(2):requiresGrad()
      end
      local function loss(w, v, x, t, b)
         local y = torch.mm(torch.tanh(torch.mm(x, w)), v)
         if b then y = y + b:view(1, 2):expandAs(y) end
         return torch.pow(y - t, 2):mean()
      end
      local w, v = leaves()
      loss(w, v, x, t):backward()
      for _, bucket in ipairs { 1, 1e-5 } do
         local a, c, unused = leaves()
         if rank == 2 then a:detach():zero() end
         local gradients = distributed.Gradients({ a, c, unused }, { bucket = bucket })
         for pass = 1, 3 do
            for _, p in ipairs { a, c, unused } do p:zeroGrad() end
            loss(a, c, own, ownT):backward()
            gradients:finish()
            near(a.grad, w.grad, 1e-14)
            near(c.grad, v.grad, 1e-14)
            near(unused.grad, torch.zeros(2), 0)
         end
         a:zeroGrad() c:zeroGrad() unused:zeroGrad()
         gradients:noSync(function() loss(a, c, own, ownT):backward() end)
         loss(a, c, own, ownT, rank == 2 and unused):backward()
         gradients:finish()
         assert(unused.grad:norm() > 0)
         local all = distributed.allGather(unused.grad)
         near(all[1], all[2], 0)
      end
      local a, c = leaves()                                     -- layers on Variables
      local net = distributed.DataParallel(nn.Linear(4, 2))
      net:requiresGrad()
      net:zeroGradParameters()
      torch.pow(net:forward(own) - ownT, 2):mean():backward()
      local all = distributed.allGather(net:get(1).gradWeight)
      near(all[1], all[2], 0)
      assert(all[1]:norm() > 0)
   ]])

   both('normalises over the batches of all ranks, forward, backward and running', [[
      for _, row in ipairs { { 'BatchNormalization', { 6, 3 } },
         { 'SpatialBatchNormalization', { 6, 3, 2, 4 } },
         { 'VolumetricBatchNormalization', { 6, 3, 2, 2, 2 } } } do
         for _, affine in ipairs { true, false } do
            local plain = nn[row[1] ](3, nil, nil, affine)
            if affine then plain.weight:uniform() plain.bias:uniform() end
            if affine then distributed.synchronize(plain) end
            local sync = distributed.syncBatchNormalization(plain:clone())
            local x = torch.randn(unpack(row[2])):add(3)
            local g = torch.randn(unpack(row[2]))
            distributed.broadcast(x) distributed.broadcast(g)
            local first, n = rank == 1 and 1 or 3, rank == 1 and 2 or 4 -- not equally many
            plain:zeroGradParameters() sync:zeroGradParameters()
            local y, gx = plain:forward(x), plain:backward(x, g)
            local ownX, ownG = x:narrow(1, first, n), g:narrow(1, first, n)
            near(sync:forward(ownX), y:narrow(1, first, n), 1e-12, row[1])
            near(sync:backward(ownX, ownG), gx:narrow(1, first, n), 1e-12, row[1] .. ' gx')
            near(sync:updateGradInput(ownX, ownG), gx:narrow(1, first, n), 1e-12)
            near(sync.running_mean, plain.running_mean, 1e-14)
            near(sync.running_var, plain.running_var, 1e-12)
            if affine then
               near(distributed.allReduce(sync.gradWeight), plain.gradWeight, 1e-12)
               near(distributed.allReduce(sync.gradBias), plain.gradBias, 1e-12)
            end
            sync:evaluate() plain:evaluate()
            near(sync:forward(x), plain:forward(x), 1e-12)
         end
      end
   ]])

   both('normalises so in gradients of gradients, too', [[
      local plain = nn.SpatialBatchNormalization(3)
      plain.weight:uniform() plain.bias:uniform()
      distributed.synchronize(plain)
      local sync = distributed.syncBatchNormalization(plain:clone())
      local x, w = torch.randn(5, 3, 2, 4), torch.randn(5, 3, 2, 4)
      distributed.broadcast(x) distributed.broadcast(w)
      local function penalty(layer, x, w)
         layer:zeroGradParameters()
         local v = x:clone():requiresGrad()
         local loss = torch.cmul(torch.pow(layer:forward(v), 3), w):sum()
         local g = torch.grad(loss, v, { createGraph = true })
         torch.pow(g, 2):sum():backward()
         return v.grad, g:detach()
      end
      local first, n = rank == 1 and 1 or 3, rank == 1 and 2 or 3 -- not equally many
      local wanted, slope = penalty(plain, x, w)
      local found, mine = penalty(sync, x:narrow(1, first, n), w:narrow(1, first, n))
      near(mine, slope:narrow(1, first, n), 1e-11, 'the gradient')
      near(found, wanted:narrow(1, first, n), 1e-11 * wanted:norm(), 'the gradient of the gradient')
      local gw, gb = plain.gradWeight, plain.gradBias
      near(distributed.allReduce(sync.gradWeight), gw, 1e-11 * gw:norm())
      near(distributed.allReduce(sync.gradBias), gb, 1e-11 * gb:norm())
      near(sync.running_var, plain.running_var, 1e-12)          -- moved once
   ]])

   both('sums statistics of half floats as floats', [[
      local x = torch.randn(64, 3, 34, 34):add(3)               -- a sum of 110000; half: 65504
      distributed.broadcast(x)
      local plain = nn.SpatialBatchNormalization(3)
      local sync = distributed.syncBatchNormalization(plain:clone())
         :type('torch.HalfTensor')
      plain:forward(x)
      sync:forward(x:narrow(1, 32 * rank - 31, 32):type('torch.HalfTensor'))
      near(sync.running_mean, plain.running_mean, 1e-3)
      near(sync.running_var, plain.running_var, 1e-3)
   ]])

   both('takes Variables over from an object before', [[
      local w = torch.Tensor(2):fill(rank):requiresGrad()
      local first = distributed.Gradients { w }
      torch.sum(w * rank):backward()
      first:finish()
      local second = distributed.Gradients { w }
      for step = 1, 3 do
         w:zeroGrad()
         torch.sum(w * rank):backward()
         second:finish()
         same(w.grad, { 1.5, 1.5 })
      end
   ]])

   it('keeps to its group', function()
      workers.passes(4, SETUP .. [[
         local group = distributed.group(rank <= 2 and { 1, 2 } or { 3, 4 })
         local net = nn.Linear(1, 1)
         net.weight:fill(rank)
         local parallel = distributed.DataParallel(net, { group = group })
         same(net.weight, { { rank <= 2 and 1 or 3 } })
         if rank <= 2 then distributed.DataParallel(net, { group = group }) end
         net:zeroGradParameters()
         parallel:forward(torch.ones(1, 1))
         parallel:backward(torch.ones(1, 1), torch.Tensor(1, 1):fill(rank))
         same(net.gradBias, { rank <= 2 and 1.5 or 3.5 })
         local x = torch.ones(5)                                -- no equal parts
         distributed.sharded(optim.sgd, { group = group })(function(v)
            return 0, torch.range(1, 5)
         end, x, { learningRate = 1 })
         same(x, { 0, -1, -2, -3, -4 })
      ]])
   end)

   it('shares out few elements and none, and goes within groups', function()
      workers.passes(4, SETUP .. [[
         for n = 1, 9 do
            local p, target = torch.randn(n), torch.randn(n)
            distributed.broadcast(p) distributed.broadcast(target)
            local q, state, shared = p:clone(), {}, {}
            local sharded, config = distributed.sharded(optim.adam), { learningRate = 0.01 }
            local function feval(v) return 0, v - target end
            for _ = 1, 3 do
               optim.adam(feval, p, config, state)
               sharded(feval, q, config, shared)
            end
            near(q, p, 0, n .. ' elements')
            local whole = sharded:whole(shared, q)
            near(whole.m, state.m, 0) near(whole.v, state.v, 0)
            shared = sharded:cut(whole, q)
            optim.adam(feval, p, config, state)
            sharded(feval, q, config, shared)
            near(q, p, 0, n .. ' elements, from a whole state')
         end
         local _, losses = distributed.sharded(optim.adam)(function(v) return 3, v end,
            torch.Tensor(), {}, {})
         assert(losses[1] == 3)
         torch.manualSeed(4)
         local net = nn.Sequential():add(nn.Linear(4, 3)):add(nn.Linear(3, 1))
         local p, g = net:getParameters()
         local start = p:clone()
         g:copy(torch.randn(g:nElement()))
         local function stepped(optimizer)
            p:copy(start)
            local adam, state = optim.groups { optimizer, { parameters = optim.vectors(net),
               learningRate = 0.3 } }, {}
            for _ = 1, 3 do adam(function() return 0, g end, p, { learningRate = 0.1 }, state) end
            return p:clone()
         end
         near(stepped(distributed.sharded(optim.adam)), stepped(optim.adam), 0)
      ]])
   end)

   both("shares an optimiser's state out, and steps as it does alone", [[
      for _, name in ipairs { 'sgd', 'adam', 'adamw', 'rmsprop', 'adagrad', 'adadelta', 'adamax',
         'lion', 'nadam', 'radam', 'rprop' } do
         torch.manualSeed(4)
         local p = torch.randn(100)
         local target, q = torch.randn(100), p:clone()
         local config = { learningRate = 0.01, momentum = name == 'sgd' and 0.9 or nil }
         local function feval(v) return 0, v - target end
         local state, shared = {}, {}
         local sharded = distributed.sharded(optim[name])
         for i = 1, 5 do
            optim[name](feval, p, config, state)
            sharded(feval, q, config, shared)
         end
         near(q, p, 0, name)
         local most = 0
         local function count(t)
            for _, v in pairs(t) do
               if torch.isTensor(v) then most = math.max(most, v:nElement())
               elseif type(v) == 'table' then count(v) end
            end
         end
         count(shared)
         assert(most <= 50, name .. ' keeps ' .. most)
         local again = sharded:whole(shared, q)                 -- as in a file
         optim[name](feval, p, config, state)
         sharded(feval, q, config, again)
         near(q, p, 0, name .. ' from a whole state')
      end
   ]])
end)
