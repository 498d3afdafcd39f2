local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local function scale(factor)
   return nn.MulConstant(factor)
end

describe('nn.ConcatTable', function()
   it('gives the input to every module, and adds up their gradients', function()
      local net, x = nn.ConcatTable():add(scale(2)):add(scale(3)), torch.Tensor { 1, 2 }
      local y = net:forward(x)
      assert.equal(2, #y)
      numbers.equal({ 2, 4 }, y[1])
      numbers.equal({ 3, 6 }, y[2])
      numbers.equal({ 32, 320 },
         net:backward(x, { torch.Tensor { 1, 10 }, torch.Tensor { 10, 100 } }))
   end)

   it('takes tables, nested ones too', function()
      local net = nn.ConcatTable():add(nn.Identity())
         :add(nn.ParallelTable():add(scale(2)):add(nn.Identity()))
      local x = { torch.Tensor { 1 }, { torch.Tensor { 2 } } }
      local y = net:forward(x)
      local g = net:backward(x, y)
      numbers.equal({ 1 + 4 }, g[1])
      numbers.equal({ 4 }, g[2][1])
   end)

   it('leaves out a module whose gradInput is switched off', function()
      local linear = nn.Linear(2, 2)
      linear.gradInput = nil
      local net, x = nn.ConcatTable():add(linear):add(scale(3)), torch.ones(2)
      local y = net:forward(x)
      linear:zeroGradParameters()
      numbers.equal({ 9, 9 }, net:backward(x, { y[1], torch.Tensor { 3, 3 } }))
   end)

   -- Scripts save memory so: the next module writes over what the one before has given.
   it('adds gradients that share one storage', function()
      local x, g = torch.randn(2, 3), torch.randn(2, 3)
      local function branches(container, n)
         torch.manualSeed(4)
         local storage
         for _ = 1, n do
            local linear = nn.Linear(3, 3)
            storage = storage or linear.gradInput:resize(1):storage()
            linear.gradInput = torch.Tensor(storage, 1, 0)
            container:add(linear)
         end
         return container
      end
      for n = 2, 4 do
         local net = branches(nn.ConcatTable(), n)
         local sum, own, joined = torch.zeros(2, 3), {}, {}
         for i, linear in ipairs(net.modules) do
            own[i], joined[i] = g * i, g * i
            sum:addmm(own[i], linear.weight)
         end
         net:forward(x)
         numbers.same(sum, net:backward(x, own), 1e-12)
         numbers.same(sum, net:updateGradInput(x, own), 1e-12)

         local concat = branches(nn.Concat(2), n)
         concat:forward(x)
         numbers.same(sum, concat:backward(x, torch.cat(joined, 2)), 1e-12)

         local parallel, xs = branches(nn.Parallel(1, 2), n), torch.randn(n, 2, 3)
         parallel:forward(xs)
         local gx = parallel:backward(xs, torch.cat(joined, 2))
         for i, linear in ipairs(parallel.modules) do
            numbers.same(own[i] * linear.weight, gx[i], 1e-12)
         end
      end
   end)

   it('adds the gradient of a module that writes over gradOutput to what it was', function()
      local x, g = torch.Tensor { 1, -1 }, torch.Tensor { 3, 5 }
      local net = nn.Concat(1):add(nn.Identity()):add(nn.ReLU(true))
      net:forward(x:clone())
      numbers.equal({ 3 + 3, 5 }, net:backward(x, torch.cat(g, g)))
      local branches = nn.ConcatTable():add(nn.Identity())
         :add(nn.Sequential():add(nn.Identity()):add(nn.MulConstant(10, true)))
      local sum = nn.Sequential():add(branches):add(nn.CAddTable(true))
      sum:forward(x:clone())
      numbers.equal({ 3 + 30, 5 + 50 }, sum:backward(x, g))
   end)

   it('takes one module twice', function()
      local linear = nn.Linear(2, 2)
      local net, x = nn.ConcatTable():add(linear):add(linear), torch.randn(3, 2)
      local g = { torch.randn(3, 2), torch.randn(3, 2) }
      net:forward(x)
      numbers.same((g[1] + g[2]) * linear.weight, net:backward(x, g), 1e-12)
   end)

   -- The first gradient lies where the last comes to lie, or is what that one writes over.
   it('takes one layer in two branches, and a gradOutput that branches have in common', function()
      local linear = nn.Linear(3, 3)
      local net = nn.ConcatTable():add(nn.Sequential():add(linear))
         :add(nn.Sequential():add(linear):add(nn.MulConstant(2)))
      local x, g = torch.randn(2, 3), { torch.randn(2, 3), torch.randn(2, 3) }
      for _ = 1, 2 do
         net:forward(x)
         numbers.same((g[1] + g[2] * 2) * linear.weight, net:backward(x, g), 1e-12)
      end

      net = nn.ConcatTable():add(nn.Identity()):add(nn.ReLU(true))
      x = torch.Tensor { 1, -1 }
      net:forward(x:clone())
      local both = torch.Tensor { 3, 5 }
      numbers.equal({ 6, 5 }, net:backward(x, { both, both }))
   end)

   it('prints its branches', function()
      local net = nn.ConcatTable():add(nn.Identity()):add(nn.Sequential():add(nn.Tanh()))
         :add(nn.Identity())
      assert.equal([[
nn.ConcatTable {
  input
    |`-> (1): nn.Identity
    |`-> (2): nn.Sequential {
    |      [input -> (1) -> output]
    |      (1): nn.Tanh
    |    }
     `-> (3): nn.Identity
     ... -> output
}]], tostring(net))
   end)
end)

describe('nn.ParallelTable', function()
   it('gives each module its entry', function()
      local net = nn.ParallelTable():add(scale(2)):add(scale(3))
      local x = { torch.Tensor { 1 }, torch.Tensor { 10 } }
      local y = net:forward(x)
      numbers.equal({ 2 }, y[1])
      numbers.equal({ 30 }, y[2])
      local g = net:backward(x, y)
      numbers.equal({ 4 }, g[1])
      numbers.equal({ 90 }, g[2])
   end)

   it('says what is missing', function()
      local net = nn.ParallelTable():add(scale(2)):add(scale(3))
      raises('nn.ParallelTable: input is a table of 1, expected a table with an entry for each',
         net.forward, net, { torch.Tensor(1) })
      raises('nn.ParallelTable: input is 3, expected a table', net.forward, net, torch.Tensor(3))
   end)
end)

describe('nn.Concat', function()
   it('joins outputs, and cuts gradients where they lie', function()
      local net = nn.Concat(2):add(scale(2)):add(nn.Linear(2, 3)):add(scale(3))
      local x = torch.Tensor { { 1, 2 }, { 3, 4 } }
      local y = net:forward(x)
      assert.same({ 2, 7 }, y:size():totable())
      numbers.equal({ { 2, 4 }, { 6, 8 } }, y:narrow(2, 1, 2))
      numbers.equal({ { 3, 6 }, { 9, 12 } }, y:narrow(2, 6, 2))
      assert.same({ 2, 7 }, net.outputSize:totable())
      local g = torch.zeros(2, 7)
      g:narrow(2, 1, 2):fill(1)
      g:narrow(2, 6, 2):fill(10)
      net:zeroGradParameters()
      numbers.equal({ { 32, 32 }, { 32, 32 } }, net:backward(x, g))
      assert.equal(0, net:get(2).gradWeight:clone():abs():sum())
   end)

   it('steps its modules at once', function()
      local net, x = nn.Concat(2):add(nn.Linear(2, 1)):add(nn.Linear(2, 2)), torch.randn(4, 2)
      local other, g = net:clone(), torch.randn(4, 3)
      net:zeroGradParameters()
      net:forward(x)
      net:backward(x, g)
      net:updateParameters(0.1)
      other:forward(x)
      other:backwardUpdate(x, g, 0.1)
      numbers.same(net:get(2).weight, other:get(2).weight, 1e-14)
   end)
end)
