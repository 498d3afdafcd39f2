local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'
local oracle = require 'test.nn.normalization.oracle'

-- oracle.py's numbers.
local function wave(sizes, phase, scale)
   local x, i = torch.Tensor(torch.LongStorage(sizes)), 0
   return x:apply(function()
      i = i + 1
      return (scale or 0.5) * math.sin(0.7 * i + phase)
   end)
end

local CASES = {
   layer = { nn.LayerNorm(5, 1e-3), { 4, 5 } },
   layer2 = { nn.LayerNorm { 3, 2 }, { 2, 2, 3, 2 } },
   rms = { nn.RMSNorm(5, 1e-3), { 4, 5 } },
   group = { nn.GroupNorm(2, 4), { 2, 4, 3 } },
   group_flat = { nn.GroupNorm(2, 6), { 3, 6 } },
   instance = { nn.InstanceNorm(2, 1e-5, true), { 2, 2, 2, 3 } },
}

describe('normalisation of rows:', function()
   for name, expected in pairs(oracle) do
      it(name .. ' is PyTorch\'s, forward and backward', function()
         local net, sizes = CASES[name][1]:clone(), CASES[name][2]
         local parameters, gradients = net:parameters()
         for k, p in ipairs(parameters) do
            p:copy(wave(p:size():totable(), k))
            gradients[k]:zero()
         end
         local x = wave(sizes, 0.3, 2)
         numbers.equal(expected.y, net:forward(x), 1e-12)
         numbers.equal(expected.gx, net:backward(x, wave(sizes, 1.3, 1)), 1e-12)
         for k, g in ipairs(gradients) do
            numbers.equal(expected.parameters[k], g, 1e-12)
         end
      end)
   end

   it('nn.LayerNormalization adds eps to the sum of squares, and begins with a bias', function()
      local net, x = nn.LayerNormalization(4, 0.5, 0.1), torch.randn(3, 4)
      local y = net:forward(x)
      for n = 1, 3 do
         local d = x[n] - x[n]:mean()
         numbers.same(d * 2 / math.sqrt(d:dot(d) + 0.1) + 0.5, y[n], 1e-12)
      end
   end)

   it('the same sums with any number of threads', function()
      local threads = torch.getnumthreads()
      for _, sizes in ipairs { { 4000, 16 }, { 20, 16, 300 } } do
         local net = #sizes == 2 and nn.LayerNorm(16) or nn.GroupNorm(4, 16)
         local x, g, first = torch.randn(unpack(sizes)), torch.randn(unpack(sizes)), nil
         for _, count in ipairs { 1, 2, 3 } do
            torch.setnumthreads(count)
            net:zeroGradParameters()
            net:forward(x)
            net:backward(x, g)
            first = first or net.gradWeight:clone()
            numbers.same(first, net.gradWeight, 0)
         end
      end
      torch.setnumthreads(threads)
   end)

   it('rows of all lengths keep their statistics', function()
      for _, length in ipairs { 1, 7, 33, 600, 5000 } do
         local x = torch.randn(3, length):mul(3):add(2)
         local y = nn.LayerNorm(length, 1e-10, false):forward(x)
         for n = 1, 3 do
            assert.near(0, y[n]:mean(), 1e-6)
            assert.near(length > 1 and 1 or 0, y[n]:norm() / math.sqrt(length), 1e-4)
         end
      end
   end)

   it('statistics of half tensors are floats', function()
      local net = nn.LayerNorm(64):type 'torch.HalfTensor'
      local x = torch.randn(8, 64):add(20)
      local expected = nn.LayerNorm(64):type(x:type()):forward(x:half():type(x:type()))
      local y = net:forward(x:half())
      assert.is_true((y:double() - expected:double()):abs():max() < 4e-3) -- 11 bits
      local gx = net:backward(x:half(), x:half())
      assert.equal('torch.HalfTensor', gx:type())
   end)

   it('say what they got and what they expected', function()
      raises('nn.LayerNorm: input is 3x4, expected ... x 5', nn.LayerNorm(5).forward,
         nn.LayerNorm(5), torch.Tensor(3, 4))
      raises('nn.GroupNorm: 5 planes do not fall into 2 groups', nn.GroupNorm, 2, 5)
      local fresh, x = nn.LayerNorm(4), torch.randn(2, 4)
      raises('run forward', fresh.backward, fresh, x, x)
   end)
end)

describe('nn.fuse', function()
   it('gives what the net gave in evaluation, with fewer modules', function()
      for _, bias in ipairs { true, false } do
         local convolution = nn.SpatialConvolution(3, 4, 3, 3)
         local net = nn.Sequential():add(convolution):add(nn.SpatialBatchNormalization(4))
            :add(nn.ReLU()):add(nn.SpatialFullConvolution(4, 2, 3, 3))
            :add(nn.SpatialBatchNormalization(2, 1e-3, 0.1, false)):add(nn.View(-1))
            :add(nn.Sequential():add(nn.Linear(2 * 5 * 5, 3)):add(nn.BatchNormalization(3)))
         if not bias then
            convolution:noBias()
         end
         net:get(6):setNumInputDims(3)
         local x = torch.randn(4, 3, 5, 5)
         for _ = 1, 3 do
            net:forward(x)
         end
         net:evaluate()
         local y = net:forward(x):clone()
         local fused = nn.fuse(net:clone())
         assert.equal(5, fused:size())
         assert.equal(1, fused:get(5):size())
         numbers.same(y, fused:forward(x), 1e-12)
         numbers.same(y, net:forward(x), 0)
      end
   end)

   it('leaves tensors alone that others share', function()
      local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.BatchNormalization(2))
      local twin = net:clone('weight', 'bias')
      local map = nn.MapTable(net:clone())
      local x = { torch.randn(5, 3), torch.randn(5, 3) }
      map:forward(x)
      map:evaluate()
      local y = map:forward(x)
      local first, second = y[1]:clone(), y[2]:clone()
      net:evaluate()
      local expected = net:forward(x[1]):clone()
      nn.fuse(twin)
      numbers.same(expected, net:forward(x[1]), 0)
      local fused = nn.fuse(map):forward(x) -- its modules have statistics of their own
      numbers.same(first, fused[1], 1e-12)
      numbers.same(second, fused[2], 1e-12)
      local parameters, gradients = map:getParameters() -- of two clones that differ
      assert.same({ 16, 16 }, { parameters:nElement(), gradients:nElement() })
   end)

   local function norm()
      local one = nn.BatchNormalization(2)
      one.running_mean:uniform()
      one.running_var:uniform(0.5, 2)
      return one
   end

   it('leaves a layer as it is where it is used again', function()
      local layer, x = nn.Linear(2, 2), torch.randn(3, 2)
      for _, net in ipairs {
         nn.Sequential():add(nn.ConcatTable()
            :add(nn.Sequential():add(layer):add(norm()))
            :add(nn.Sequential():add(layer):add(norm()))):add(nn.JoinTable(2)),
         nn.Sequential():add(layer):add(norm()):add(layer),
         nn.Sequential():add(layer):add(nn.Tanh()):add(layer):add(norm()):add(layer):add(norm()),
      } do
         net:evaluate()
         local y = net:forward(x):clone()
         numbers.same(y, nn.fuse(net):forward(x), 1e-12)
         assert.equal(0, #net:findModules 'nn.BatchNormalization')
      end
      local twice = nn.Sequential():add(layer):add(norm())
      local net = nn.Sequential():add(twice):add(twice)
      net:evaluate()
      local y = net:forward(x):clone()
      numbers.same(y, nn.fuse(net):forward(x), 1e-12)
      assert.equal(layer, twice:get(1))
   end)

   it('leaves parameters and gradients that go together', function()
      local map = nn.MapTable(nn.Sequential():add(nn.Linear(2, 2)):add(norm()))
      local x = { torch.randn(3, 2), torch.randn(3, 2), torch.randn(3, 2) }
      map:evaluate()
      local y = {}
      for i, one in ipairs(map:forward(x)) do
         y[i] = one:clone()
      end
      nn.fuse(map) -- its clones do the same: they are made anew
      local parameters, gradients = map:getParameters()
      assert.same({ 6, 6 }, { parameters:nElement(), gradients:nElement() })
      for i, one in ipairs(map:forward(x)) do
         numbers.same(y[i], one, 1e-12)
      end
      local net = nn.Sequential():add(nn.Linear(2, 2)):add(norm())
      local twin = net:clone('weight', 'bias', 'gradWeight', 'gradBias')
      nn.fuse(twin)
      parameters, gradients = nn.ConcatTable():add(net):add(twin):getParameters()
      assert.same({ 16, 16 }, { parameters:nElement(), gradients:nElement() })
   end)
end)

-- The largest singular value: that of W W', whose high powers have no other.
local function stretch(W)
   local A, sum, n = W * W:t(), 0, 1
   for _ = 1, 20 do
      local norm = A:norm()
      sum = sum + math.log(norm) / n
      A:div(norm)
      A, n = A * A, 2 * n
   end
   return math.exp(sum / 2)
end

describe('nn.SpectralNorm', function()
   it('gives the layer a weight whose largest singular value is 1', function()
      local linear = nn.Linear(6, 4)
      linear.weight:mul(3)
      local net = nn.SpectralNorm(linear)
      for _ = 1, 200 do
         net:forward(torch.randn(2, 6))
      end
      assert.near(2, stretch(torch.diag(torch.Tensor { 1, -2, 0.5 })), 1e-6)
      assert.near(1, stretch(linear.weight), 1e-4)
      assert.near(stretch(net.raw), net.sigma[1][1], 1e-4)
      assert.is_true(stretch(net.raw) > 1.2)
   end)

   it('leaves u and v as they are in evaluation', function()
      local net, x = nn.SpectralNorm(nn.Linear(6, 4)), torch.randn(2, 6)
      local u, v = net.u:clone(), net.v:clone()
      net:evaluate()
      local y = net:forward(x):clone()
      numbers.same(y, net:forward(x))
      numbers.same(u, net.u)
      numbers.same(v, net.v)
      net:training()
      net:forward(x)
      assert.is_false(u:equal(net.u))
   end)

   it('takes u and v of the call in gradients of gradients, however far they are', function()
      local net, x = nn.SpectralNorm(nn.SpatialConvolution(2, 3, 2, 2), 2), torch.randn(1, 2, 3, 3)
      net.u:normal()
      local function f(v)
         return torch.pow(net:forward(v), 3)
      end
      local v = x:clone():requiresGrad()
      local y = f(v) -- moves u and v
      local slope = torch.grad(y:sum(), v, { createGraph = true })
      torch.pow(slope, 2):sum():backward()
      net:evaluate()
      local w = x:clone():requiresGrad()
      local again = torch.grad(f(w):sum(), w, { createGraph = true })
      torch.pow(again, 2):sum():backward()
      assert.is_true(v.grad:norm() > 0)
      numbers.same(w.grad, v.grad, 1e-12)
      assert.is_true(torch.gradgradcheck(f, w))
   end)
end)
