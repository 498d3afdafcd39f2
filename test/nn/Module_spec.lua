local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local function mlp()
   return nn.Sequential():add(nn.Linear(4, 5)):add(nn.Tanh()):add(nn.Linear(5, 3))
end

describe('nn.Module', function()
   before_each(function()
      torch.manualSeed(11)
   end)

   it('lists parameters and gradients in module order', function()
      local net = mlp()
      local parameters, gradients = net:parameters()
      assert.equal(4, #parameters)
      assert.equal(4, #gradients)
      assert.equal(net:get(1).weight, parameters[1])
      assert.equal(net:get(3).gradBias, gradients[4])
      assert.is_nil(nn.Tanh():parameters())
   end)

   it('zeroes gradients and steps along them', function()
      local layer = nn.Linear(2, 2)
      local before = layer.weight:clone()
      layer:zeroGradParameters()
      assert.equal(0, layer.gradWeight:clone():abs():sum())
      layer.gradWeight:fill(2)
      layer:updateParameters(0.25)
      numbers.same(before:add(-0.5), layer.weight, 1e-15)
   end)

   it('updates directly as by accumulating and stepping', function()
      local layer, x = nn.Linear(4, 3), torch.randn(5, 4)
      local errors = nn.Jacobian.testAllUpdate(layer, x, 'weight', 'gradWeight')
      for what, err in pairs(errors) do
         assert.is_true(err < 1e-13, what .. ': ' .. err)
      end
   end)

   it('runs forward, and backward with a gradient, when called', function()
      local layer, x = nn.Tanh(), torch.randn(3)
      assert.equal(layer.output, layer(x))
      local y, g = layer(x, torch.ones(3))
      assert.equal(layer.output, y)
      numbers.same(torch.ones(3):csub(torch.cmul(y, y)), g, 1e-15)
   end)

   it('switches between training and evaluation, all the way down', function()
      local net = nn.Sequential():add(nn.Sequential():add(nn.Dropout()))
      net:evaluate()
      assert.is_false(net:get(1):get(1).train)
      net:training()
      assert.is_true(net:get(1):get(1).train)
   end)

   it('frees its buffers and still works', function()
      local net, x = mlp(), torch.randn(2, 4)
      local y = net:forward(x):clone()
      net:backward(x, y)
      assert.equal(net, net:clearState())
      assert.equal(0, net:get(1).output:nElement())
      assert.equal(0, net:get(3).gradInput:nElement())
      numbers.same(y, net:forward(x))
   end)
end)

describe('nn.Module:getParameters', function()
   it('moves parameters into one storage and keeps their values', function()
      local net, x = mlp(), torch.randn(2, 4)
      local y = net:forward(x):clone()
      local flat, flat_gradients = net:getParameters()
      assert.equal(4 * 5 + 5 + 5 * 3 + 3, flat:nElement())
      assert.equal(flat:nElement(), flat:storage():size())
      assert.equal(flat:nElement(), flat_gradients:nElement())
      numbers.same(y, net:forward(x))
      flat:fill(0.5)
      assert.equal(0.5, net:get(3).bias[3])
      flat_gradients:zero()
      net:backward(x, torch.ones(2, 3))
      numbers.equal({ 2, 2, 2 }, flat_gradients:narrow(1, flat:nElement() - 2, 3))
   end)

   it('counts shared parameters once, and they stay shared', function()
      local first = nn.Linear(3, 3)
      local net = nn.Sequential():add(first):add(first:clone('weight', 'gradWeight')):add(first)
      local flat = net:getParameters()
      assert.equal(9 + 3 + 3, flat:nElement())
      first.weight[2][2] = 42
      assert.equal(42, net:get(2).weight[2][2])
      assert.not_equal(first.bias:storageOffset(), net:get(2).bias:storageOffset())
   end)

   it('flattens nested lists of parameters, and takes those without gradients', function()
      local layer, a, b = nn.Identity(), torch.Tensor { 1, 2 }, torch.Tensor { 3 }
      local ga, gb = torch.Tensor { 4, 5 }, torch.Tensor { 6 }
      function layer.parameters()
         return { { a, { b } } }, { { ga, { gb } } }
      end
      local net = nn.Sequential():add(nn.Linear(2, 1)):add(layer)
      assert.equal(4, #net:parameters())
      assert.equal(gb, select(2, net:parameters())[4])
      local flat, gradients = net:getParameters()
      numbers.equal({ 1, 2, 3 }, flat:narrow(1, 4, 3))
      numbers.equal({ 4, 5, 6 }, gradients:narrow(1, 4, 3))
      flat:fill(7)
      numbers.equal({ 7 }, b)
      numbers.equal({ 7, 7, 7 }, (layer:getParameters()))

      function layer.parameters()
         return { a, b }
      end
      local parameters
      parameters, gradients = net:parameters()
      assert.same({ 4, 2 }, { #parameters, #gradients })
      net:zeroGradParameters()
      net:forward(torch.ones(2))
      net:backwardUpdate(torch.ones(2), torch.ones(1), 0.1)
      net:updateParameters(0.1)
      numbers.equal({ 7, 7 }, a)
      raises('the parameters have 6 elements, their gradients 3', net.getParameters, net)
   end)

   it('leaves out memory that no parameter uses', function()
      local net = mlp()
      net:getParameters()
      local part = nn.Sequential():add(net:get(3))
      local weight = net:get(3).weight:clone()
      local flat = part:getParameters()
      assert.equal(18, flat:nElement())
      assert.equal(18, flat:storage():size())
      numbers.same(weight, net:get(3).weight)
   end)

   it('takes transposed parameters, and parts that overlap', function()
      local layer = nn.Linear(4, 3)
      local memory = torch.range(1, 20)
      layer.weight = memory:narrow(1, 3, 12):view(4, 3):t()
      layer.bias = memory:narrow(1, 10, 8)
      local weight, bias = layer.weight:clone(), layer.bias:clone()
      local flat = nn.Module.flatten { layer.weight, layer.bias }
      numbers.equal(torch.range(3, 17):totable(), flat)
      numbers.same(weight, layer.weight)
      numbers.same(bias, layer.bias)
   end)

   it('refuses gradients that do not lie as the parameters do, and moves nothing', function()
      local first = nn.Linear(3, 3)
      local net = nn.Sequential():add(first):add(first:clone('weight'))
      local storage = first.weight:storage()
      local _, err = pcall(function() net:getParameters() end)
      assert.matches('Module_spec.lua:%d+: .*the parameters have 15 elements, their gradients 24: '
         .. 'check that you are sharing parameters and gradParameters', err)
      assert.equal(storage, first.weight:storage())
      -- As many elements, in another order.
      local a, b = nn.Linear(2, 2), nn.Linear(2, 2)
      b:share(a, 'weight')
      b.gradBias = a.gradWeight:view(4):narrow(1, 1, 2)
      a.gradBias = b.gradWeight:view(4):narrow(1, 1, 2)
      _, err = pcall(function() nn.Sequential():add(a):add(b):getParameters() end)
      assert.matches('misaligned parameter at 3: it would begin at element 1, its gradient at 5',
         err)
   end)

   it('refuses parameters with gaps in their memory, and mixed types', function()
      local layer = nn.Linear(4, 3)
      layer.bias = torch.Tensor(3, 3):select(2, 2)
      local _, err = pcall(function() layer:getParameters() end)
      assert.matches('Module_spec.*a parameter of size 3 leaves gaps', err)
      local wide, slopes = torch.randn(4, 6), torch.randn(4, 6)
      local left, right = nn.Linear(3, 4):noBias(), nn.Linear(3, 4):noBias()
      for column, half in pairs { left, [4] = right } do
         half.weight, half.gradWeight = wide:narrow(2, column, 3), slopes:narrow(2, column, 3)
      end
      local net = nn.ConcatTable():add(left):add(right)
      local p, g = net:getParameters() -- together they leave none
      assert.same({ 24, 24 }, { p:nElement(), g:nElement() })
      numbers.same(wide, torch.cat(left.weight, right.weight, 2), 0)
      assert.equal(torch.pointer(p:storage()), torch.pointer(right.weight:storage()))
      right.weight = right.weight:narrow(2, 1, 2)
      _, err = pcall(function() net:getParameters() end)
      assert.matches('a parameter of size 4x3 leaves gaps', err)
      layer.bias = torch.FloatTensor(3)
      _, err = pcall(function() layer:getParameters() end)
      assert.matches(('types %s and %s'):format(layer.weight:type(), layer.bias:type()), err)
   end)
end)

describe('nn.Module:type', function()
   it('converts everything, and tells the present type', function()
      local net = mlp()
      assert.equal(torch.Tensor():type(), net:type())
      assert.equal(net, net:float())
      assert.equal('torch.FloatTensor', net:type())
      assert.equal('torch.FloatTensor', net:get(1).gradWeight:type())
      assert.equal('torch.FloatTensor', net:forward(torch.zeros(2, 4):float()):type())
      assert.equal('torch.DoubleTensor', net:double():get(3).weight:type())
   end)

   it('keeps the sharing of flat parameters', function()
      local net = mlp()
      local values = net:getParameters():float()
      net:float()
      net:get(1).weight[1][1] = 42
      -- Shared memory: the flat tensor of a converted net is the whole of its storage.
      local storage = net:get(3).bias:storage()
      assert.equal(42, values.new(storage)[1])
      assert.equal(43, storage:size())
      assert.equal(values[43], net:get(3).bias[3])
   end)

   it('keeps sharing between modules through the cache', function()
      local a = nn.Linear(2, 2)
      local b = a:clone('weight')
      local cache = {}
      a:float(cache)
      b:float(cache)
      a.weight[1][1] = 42
      assert.equal(42, b.weight[1][1])
   end)
end)

describe('nn.utils.recursiveType', function()
   it('tells tensors apart that had the same address one after the other', function()
      local cache, values = {}, {}
      for i = 1, 2000 do
         values[i] = nn.utils.recursiveType(torch.Tensor { i }, 'torch.FloatTensor', cache)
         if i % 100 == 0 then
            collectgarbage()
         end
      end
      for i, value in ipairs(values) do
         assert.equal(i, value[1])
      end
   end)

   it('converts to several types with one cache', function()
      local x, cache = torch.Tensor { 1.5 }, {}
      for _, name in ipairs { 'torch.FloatTensor', 'torch.LongTensor', 'torch.FloatTensor' } do
         assert.equal(name, nn.utils.recursiveType(x, name, cache):type())
      end
   end)

   it('leaves objects of other classes as they are', function()
      local Holder = torch.class('nn.ModuleSpecHolder', {})
      function Holder:__init()
         self.tensor = torch.Tensor(2)
      end
      local layer = nn.Tanh()
      layer.holder = torch.factory 'nn.ModuleSpecHolder'()
      layer.holder:__init()
      layer:type 'torch.FloatTensor'
      assert.equal(torch.Tensor():type(), layer.holder.tensor:type())
      for _, f in ipairs { 'recursiveResizeAs', 'recursiveAdd', 'recursiveCopy' } do
         local _, err = pcall(nn.utils[f], torch.Tensor(2), layer.holder)
         assert.matches('expecting nested tensors or tables. Got .* and nn.ModuleSpecHolder', err)
      end
   end)
end)

describe('nn.Module:clone and share', function()
   it('copies deeply', function()
      local net = mlp()
      local copy = net:clone()
      copy:get(1).weight:fill(0)
      assert.not_equal(0, net:get(1).weight[1][1])
      assert.equal(tostring(net), tostring(copy))
   end)

   it('shares the named tensors', function()
      local net = mlp()
      local copy = net:clone('weight', 'gradWeight')
      net:get(1).weight[1][1] = 42
      net:get(1).bias[1] = 42
      assert.equal(42, copy:get(1).weight[1][1])
      assert.not_equal(42, copy:get(1).bias[1])
      local other = mlp():share(net, 'bias')
      assert.equal(42, other:get(1).bias[1])
   end)

   it('shares nothing with a layer that has no such tensor, and says so', function()
      local a = nn.Sequential():add(nn.Linear(2, 2))
      raises('share: the other module, a nn.Tanh, has no weight; this one is a '
         .. 'nn.Linear', a.share, a, nn.Sequential():add(nn.Tanh()), 'weight')
      assert.equal(4, a:get(1).weight:nElement())
   end)

   it('survives saving', function()
      for _, mode in ipairs { 'binary', 'ascii' } do
         local net, x = mlp(), torch.randn(2, 4)
         local again = torch.deserialize(torch.serialize(net, mode), mode)
         numbers.same(net:forward(x), again:forward(x), 1e-15)
      end
   end)

   it('saves all fields as one table, as Torch7 does', function()
      assert.matches('^4\n1\n3\nV 1\n7\nnn.Tanh\n3\n2\n3\n', torch.serialize(nn.Tanh(), 'ascii'))
   end)
end)

describe('nn.Module: visiting modules', function()
   local net

   before_each(function()
      local inner = nn.Sequential():add(nn.Tanh()):add(nn.Linear(2, 2))
      net = nn.Sequential():add(nn.Linear(2, 2)):add(inner)
   end)

   local function names(modules)
      local result = {}
      for i, m in ipairs(modules) do
         result[i] = torch.type(m)
      end
      return result
   end

   it('applies a function to all, outermost first', function()
      local visited = {}
      net:apply(function(m) visited[#visited + 1] = m end)
      local expected = { 'nn.Sequential', 'nn.Linear', 'nn.Sequential', 'nn.Tanh', 'nn.Linear' }
      assert.same(expected, names(visited))
      assert.same(expected, names(net:listModules()))
   end)

   it('finds modules by class, and what holds them', function()
      local linears, holders = net:findModules 'nn.Linear'
      assert.equal(2, #linears)
      assert.equal(net, holders[1])
      assert.equal(net:get(2), holders[2])
      assert.same({}, net:findModules 'nn.Sigmoid')
   end)

   it('replaces modules', function()
      local replaced = net:replace(function(m)
         return torch.type(m) == 'nn.Tanh' and nn.Sigmoid() or m
      end)
      assert.equal(net, replaced)
      assert.equal('nn.Sigmoid', torch.type(net:get(2):get(1)))
   end)

   it('steps by the gradients of this pass alone where parameters are shared', function()
      local linear = nn.Linear(2, 1)
      linear.weight:copy(torch.Tensor { { 1, 2 } })
      linear.bias:fill(3)
      linear.gradWeight:fill(9)
      linear.gradBias:fill(9)
      local x, g = torch.Tensor { { 1, 4 }, { 2, 1 } }, torch.Tensor { { 2 }, { 1 } }
      linear:forward(x)
      nn.Module.sharedAccUpdateGradParameters(linear, x, g, 0.5)
      numbers.equal({ { 4, 9 } }, linear.gradWeight) -- 2 (1 4) + (2 1)
      numbers.equal({ 3 }, linear.gradBias)
      numbers.equal({ { -1, -2.5 } }, linear.weight)
      numbers.equal({ 1.5 }, linear.bias)
   end)
end)
