local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local function scale(factor)
   return nn.MulConstant(factor)
end

-- Scripts of Torch7's collect parameters so: nn.Parallel():add(a):add(b):getParameters().
describe('A container that joins, made without dimensions', function()
   it('holds modules, and does not compute', function()
      local x = torch.ones(2, 2)
      for _, name in ipairs { 'Parallel', 'Concat', 'DepthConcat' } do
         local net = nn[name]():add(nn.Linear(2, 3)):add(nn.Linear(2, 1))
         assert.equal(9 + 3, (net:getParameters():nElement()))
         raises(('nn.%s: %s is nil, expected a number from 1 on'):format(name,
            name == 'Parallel' and 'inputDimension' or 'dimension'), net.forward, net, x)
      end
      raises('nn.Parallel: outputDimension is nil', function()
         nn.Parallel(1):add(nn.Identity()):forward(x)
      end)
   end)
end)

describe('nn.Parallel', function()
   it('gives each module its slice, and joins their outputs', function()
      local net = nn.Parallel(1, 2):add(scale(2)):add(scale(10)):add(scale(100)) -- the last is idle
      local x = torch.range(1, 12):view(2, 3, 2)
      local y = net:forward(x)
      assert.same({ 3, 4 }, y:size():totable())
      numbers.same(x[1] * 2, y:narrow(2, 1, 2))
      numbers.same(x[2] * 10, y:narrow(2, 3, 2))
      local gx = net:backward(x, y)
      numbers.same(x[1] * 4, gx[1])
      numbers.same(x[2] * 100, gx[2])
   end)

   it('has zeros for a module without gradInput', function()
      local linear = nn.Linear(2, 2)
      linear.gradInput = nil
      local net, x = nn.Parallel(1, 1):add(scale(2)):add(linear), torch.ones(2, 2)
      net:zeroGradParameters()
      net:forward(x)
      for _ = 1, 2 do
         numbers.equal({ { 2, 2 }, { 0, 0 } }, net:backward(x, torch.ones(4)))
      end
   end)

   it('says how many slices it takes', function()
      local net = nn.Parallel(1, 1):add(scale(2))
      raises('nn.Parallel: input is 2x3, expected a size of at most 1 in dimension 1', net.forward,
         net, torch.ones(2, 3))
   end)
end)

describe('nn.DepthConcat', function()
   it('puts smaller outputs into the middle of zeros', function()
      local net = nn.DepthConcat(1):add(nn.Identity()):add(nn.SpatialAveragePooling(3, 3, 1, 1))
         :add(nn.SpatialAveragePooling(2, 2, 1, 1))
      local x = torch.ones(1, 4, 4)
      local y = net:forward(x)
      numbers.same(x[1], y[1])
      numbers.equal({ { 0, 0, 0, 0 }, { 0, 1, 1, 0 }, { 0, 1, 1, 0 }, { 0, 0, 0, 0 } }, y[2])
      -- A difference of 1: the middle is half an element off, towards the first.
      numbers.equal({ { 1, 1, 1, 0 }, { 1, 1, 1, 0 }, { 1, 1, 1, 0 }, { 0, 0, 0, 0 } }, y[3])
      local g = torch.zeros(3, 4, 4)
      g[3][1][1] = 8
      local gx = net:backward(x, g)
      numbers.equal({ { 2, 2, 0, 0 }, { 2, 2, 0, 0 }, { 0, 0, 0, 0 }, { 0, 0, 0, 0 } }, gx[1])
      g:zero()[2][1][1] = 8 -- of padding: nobody's
      assert.equal(0, net:backward(x, g):clone():abs():sum())
   end)
end)

describe('nn.MapTable', function()
   local function inputs(n)
      local list = {}
      for i = 1, n do
         list[i] = torch.randn(4)
      end
      return list
   end

   it('has as many modules as there were entries, of one weight', function()
      local net, x = nn.MapTable(nn.Linear(4, 2)), inputs(3)
      local linear = net:get(1)
      local y = net:forward(x)
      assert.equal(3, net:size())
      for i = 1, 3 do
         numbers.same(torch.mv(linear.weight, x[i]) + linear.bias, y[i], 1e-12)
      end
      assert.equal(2, #net:forward { x[1], x[2] })
      net:resize(2)
      assert.equal(2, net:size())
      net:clearState()
      assert.equal(1, net:size())
      assert.equal('nn.MapTable {\n  nn.Linear(4 -> 2)\n}', tostring(net))
   end)

   it('steps once, by the sum of the gradients', function()
      local net, x = nn.MapTable(nn.Linear(4, 1, false)), inputs(3)
      local before = net:get(1).weight:clone()
      net:zeroGradParameters()
      net:forward(x)
      net:backward(x, { torch.ones(1), torch.ones(1), torch.ones(1) })
      net:updateParameters(0.5)
      local sum = x[1] + x[2] + x[3]
      numbers.same(before - sum:view(1, 4) * 0.5, net:get(3).weight, 1e-12)
      local _, gradients = net:getParameters()
      assert.equal(4, gradients:nElement())
      gradients:fill(1)
      net:forward(inputs(4)) -- a clone that is younger than the flat tensors
      net:zeroGradParameters()
      assert.equal(0, net:get(4).gradWeight:sum() + gradients:sum())
   end)

   it('keeps parameters apart if it is told to', function()
      local net = nn.MapTable(nn.Linear(4, 2), false)
      net:forward(inputs(2))
      assert.equal(20, net:getParameters():nElement())
      net:get(1).gradWeight:fill(1)
      net:get(2).gradWeight:fill(1)
      net:zeroGradParameters()
      assert.equal(0, net:get(1).gradWeight:sum() + net:get(2).gradWeight:sum())
   end)

   it('shares with one of another number of clones', function()
      local a, b = nn.MapTable(nn.Linear(4, 2)), nn.MapTable(nn.Linear(4, 2))
      a:forward(inputs(3))
      b:forward(inputs(1))
      b:share(a, 'weight', 'bias')
      assert.equal(3, b:size())
      a:get(1).weight:fill(7)
      assert.equal(7, b:get(3).weight:min())
   end)

   it('replaces modules in the one that is cloned', function()
      local net = nn.MapTable(nn.Sequential():add(nn.Linear(4, 2)):add(nn.Tanh()))
      net:forward(inputs(2))
      net:replace(function(m)
         return torch.type(m) == 'nn.Tanh' and nn.Identity() or m
      end)
      local y = net:forward(inputs(2))
      assert.equal(2, #y)
      assert.equal('nn.Identity', torch.type(net:get(2):get(2)))
      assert.equal(net.module, net:get(1))
   end)

   it('takes one module, and tables', function()
      local net = nn.MapTable():add(scale(2))
      numbers.equal({ 2 }, net:forward({ torch.ones(1) })[1])
      raises('nn.MapTable: it has its module already', net.add, net, scale(3))
      raises('nn.MapTable: input is 2, expected a table', net.forward, net, torch.ones(2))
      raises('nn.MapTable: it has no module yet', nn.MapTable().forward, nn.MapTable(), { 1 })
   end)
end)
