-- Pruning: which weights go and when, and nets with fewer channels.
local torch = require 'torch'
local nn = require 'nn'
local raises = require 'test.support.raises'

local function zeros(t) return t:eq(0):sum() end

describe('nn.Pruner', function()
   before_each(function() torch.manualSeed(9) end)

   it('takes the smallest weights of all layers, or of each', function()
      local net = nn.Sequential():add(nn.Linear(4, 4)):add(nn.Linear(4, 4))
      net:get(1).weight:copy(torch.range(1, 16):viewAs(net:get(1).weight))
      net:get(2).weight:copy(torch.range(17, 32):viewAs(net:get(2).weight))
      nn.Pruner(net, { amount = 0.25 }):step()
      assert.same({ 8, 0 }, { zeros(net:get(1).weight), zeros(net:get(2).weight) })
      assert.equal(9, net:get(1).weight[3][1])
      nn.Pruner(net, { amount = 0.25, scope = 'layer' }):step()
      assert.same({ 8, 4 }, { zeros(net:get(1).weight), zeros(net:get(2).weight) })
      assert.equal(21, net:get(2).weight[2][1])
   end)

   it('follows the cubic schedule, and holds zeros while the net learns', function()
      local net = nn.Sequential():add(nn.Linear(20, 20)):add(nn.Tanh()):add(nn.Linear(20, 5))
      local pruner = nn.Pruner(net, { amount = 0.8, initial = 0.2, from = 2, to = 12, every = 5 })
      local x, g, shares = torch.randn(8, 20), torch.randn(8, 5), {}
      for step = 0, 13 do
         net:zeroGradParameters()
         net:forward(x)
         net:backward(x, g)
         net:updateParameters(0.01)
         pruner:step()
         shares[step] = pruner:sparsity()
      end
      local expected = { [0] = 0, 0, 0.2, 0.2, 0.2, 0.2, 0.2, 0.726, 0.726, 0.726, 0.726,
         0.726, 0.8, 0.8 }
      for step = 0, 13 do
         assert.near(expected[step], shares[step], 1e-9) -- 363 of 500 weights, say
      end
      assert.near(0.8 - 0.6 * 0.5^3, pruner:wanted(7), 1e-12)
      assert.equal(net, pruner:fold())
   end)

   it('takes channels with their biases', function()
      local layer = nn.SpatialConvolution(2, 4, 3, 3)
      for k = 1, 4 do
         layer.weight[k]:fill(5 - k)
      end
      layer.bias:fill(1)
      nn.Pruner(layer, { amount = 0.5, unit = 'channel' }):step()
      assert.same({ 1, 1, 0, 0 }, layer.bias:totable())
      assert.equal(36, zeros(layer.weight))
   end)

   it('takes outputs of full convolutions, whose weights have the inputs first', function()
      for _, layer in ipairs { nn.SpatialFullConvolution(2, 4, 3, 3),
         nn.VolumetricFullConvolution(2, 4, 1, 3, 3) } do
         for k = 1, 4 do
            layer.weight:select(2, k):fill(5 - k)
         end
         layer.bias:fill(1)
         nn.Pruner(layer, { amount = 0.5, unit = 'channel' }):step()
         assert.same({ 1, 1, 0, 0 }, layer.bias:totable())
         assert.equal(36, zeros(layer.weight))
         assert.equal(36, zeros(layer.weight:narrow(2, 3, 2)))
      end
   end)

   it('goes on from a state, or leaves all as it was', function()
      local function net_of(...)
         local net = nn.Sequential()
         for i = 1, select('#', ...), 2 do
            net:add(nn.Linear((select(i, ...)), (select(i + 1, ...))))
         end
         return net
      end
      local settings = { amount = 0.5, from = 0, to = 4 }
      local first = nn.Pruner(net_of(4, 4, 4, 6), settings):step():step()
      local state, net = first:state(), net_of(4, 4, 4, 6)
      local second = nn.Pruner(net, settings):restore(state)
      assert.equal(first.count, second.count)
      net:getParameters():fill(1)
      assert.equal(first:sparsity(), second:apply():sparsity())
      for i, mask in ipairs(first.masks) do
         assert.is_true(mask:equal(net:get(i).weight))
      end
      for message, other in pairs {
         ['the state is of 2 layers, expected 1'] = net_of(4, 4),
         ['layer 2 of the state is 6x4, expected 5x4'] = net_of(4, 4, 4, 5),
         ['layer 2 of the state is 6x4, expected 4x6'] = net_of(4, 4, 6, 4),
      } do
         local third = nn.Pruner(other, settings)
         raises('nn.Pruner: ' .. message, third.restore, third, state)
         assert.equal(0, third.count)
         assert.equal(16, third.masks[1]:sum())
      end
   end)

   it('says what is wrong, and goes into files', function()
      raises('nn.Pruner: nn.Tanh has no weights to prune', function() nn.Pruner(nn.Tanh()) end)
      raises('to is 3, expected 5 (from) or more', function()
         nn.Pruner(nn.Linear(2, 2), { from = 5, to = 3 })
      end)
      raises("amount is 2, expected a number from 0 to 1", function()
         nn.Pruner(nn.Linear(2, 2), { amount = 2 })
      end)
      local pruner = nn.Pruner(nn.Linear(4, 4), { amount = 0.5 }):step()
      local file = torch.MemoryFile('rw')
      file:writeObject(pruner)
      file:seek(1)
      local again = file:readObject()
      again.net.weight:fill(1)
      assert.equal(0.5, again:step():sparsity())
   end)
end)

-- Channels that do nothing: taking them out changes nothing.
local function silence(layer, channels, norm)
   for _, k in ipairs(channels) do
      layer.weight[k]:zero()
      if layer.bias then
         layer.bias[k] = 0
      end
      if norm then
         norm.bias[k], norm.running_mean[k] = 0, 0
      end
   end
end

local function same(a, b)
   assert.is_true((a - b):abs():max() < 1e-10)
end

describe('nn.removeChannels', function()
   before_each(function() torch.manualSeed(9) end)

   it('takes silent channels out of a sequence without a change', function()
      local net = nn.Sequential():add(nn.SpatialConvolution(3, 8, 3, 3, 1, 1, 1, 1))
         :add(nn.SpatialBatchNormalization(8)):add(nn.ReLU(true)):add(nn.SpatialMaxPooling(2, 2))
         :add(nn.SpatialConvolution(8, 6, 3, 3)):add(nn.ReLU()):add(nn.View(6 * 2 * 2))
         :add(nn.Linear(24, 10)):add(nn.ReLU()):add(nn.Linear(10, 3)):add(nn.LogSoftMax())
      local x = torch.randn(4, 3, 8, 8)
      net:forward(x)
      net:evaluate()
      silence(net:get(1), { 1, 3, 4, 8 }, net:get(2))
      silence(net:get(5), { 2, 5, 6 })
      silence(net:get(8), { 1, 2, 3, 4, 5 })
      local small = nn.removeChannels(net, x, { amount = 0.5 })
      assert.same({ 4, 3, 3, 3 }, small:get(1).weight:size():totable())
      assert.same({ 3, 4, 3, 3 }, small:get(5).weight:size():totable())
      assert.same({ 5, 12 }, small:get(8).weight:size():totable())
      assert.same({ 3, 5 }, small:get(10).weight:size():totable())
      same(net:forward(x), small:forward(x))
      small:training()
      small:zeroGradParameters()
      small:backward(x, small:forward(x):clone()) -- it can learn on
   end)

   local function residual(nngraph)
      local first, norm = nn.SpatialConvolution(3, 8, 3, 3, 1, 1, 1, 1),
         nn.SpatialBatchNormalization(8)
      local a, b = nn.SpatialConvolution(8, 6, 3, 3, 1, 1, 1, 1),
         nn.SpatialConvolution(6, 8, 3, 3, 1, 1, 1, 1)
      local last = nn.Linear(8, 2)
      local net
      if nngraph then
         require 'nngraph'
         local input = nn.Identity()()
         local stem = nn.ReLU()(norm(first(input)))
         local sum = nn.CAddTable() { b(nn.ReLU()(a(stem))), stem }
         net = nn.gModule({ input }, { last(nn.View(8)(nn.SpatialAveragePooling(6, 6)(sum))) })
      else
         local f = nn.Sequential():add(a):add(nn.ReLU()):add(b)
         net = nn.Sequential():add(first):add(norm):add(nn.ReLU())
            :add(nn.ConcatTable():add(f):add(nn.Identity())):add(nn.CAddTable())
            :add(nn.SpatialAveragePooling(6, 6)):add(nn.View(8)):add(last)
      end
      return net, first, norm, a, b
   end

   it('takes the same channels from all that is added up', function()
      for _, nngraph in ipairs { false, true } do
         local net, first, norm, a, b = residual(nngraph)
         local x = torch.randn(4, 3, 6, 6)
         net:forward(x)
         net:evaluate()
         silence(first, { 2, 3, 5, 7 }, norm)
         silence(b, { 2, 3, 5, 7 })
         silence(a, { 1, 2, 3 })
         local small = nn.removeChannels(net, x)
         same(net:forward(x), small:forward(x))
         local count = 0
         for _, p in ipairs((small:parameters())) do
            count = count + p:nElement()
         end
         -- 3->4, norm, 4->3, 3->4, 4->2
         assert.equal(3 * 4 * 9 + 4 + 8 + 4 * 3 * 9 + 3 + 3 * 4 * 9 + 4 + 4 * 2 + 2, count)
      end
   end)

   it('knows weights that are matrices', function()
      local net = nn.Sequential():add(nn.SpatialConvolution(3, 8, 3, 3))
         :add(nn.SpatialConvolutionMM(8, 6, 3, 2)):add(nn.SpatialConvolution(6, 2, 1, 1))
      local x = torch.randn(2, 3, 8, 8)
      silence(net:get(1), { 2, 3, 5, 8 })
      silence(net:get(2), { 1, 5, 6 })
      local small = nn.removeChannels(net, x)
      local mm = small:get(2)
      assert.same({ 3, 4 * 3 * 2 }, mm.weight:size():totable())
      assert.same({ 3, 4 }, { mm.nOutputPlane, mm.nInputPlane })
      same(net:forward(x), small:forward(x))
      small:zeroGradParameters()
      small:backward(x, small.output:clone())
      -- One that only makes channels: the net's input stays.
      net = nn.Sequential():add(nn.SpatialConvolutionMM(3, 8, 3, 3)):add(nn.ReLU())
         :add(nn.SpatialConvolution(8, 2, 1, 1))
      silence(net:get(1), { 1, 2, 3, 4 })
      small = nn.removeChannels(net, x)
      assert.equal(3, small:get(1).nInputPlane)
      same(net:forward(x), small:forward(x))
   end)

   it('keeps layers that share parameters whole and tied', function()
      local a = nn.Linear(6, 6)
      local b = a:clone('weight', 'bias', 'gradWeight', 'gradBias')
      local net = nn.Sequential():add(nn.Linear(3, 6)):add(a):add(nn.Tanh()):add(b)
         :add(nn.Linear(6, 8)):add(nn.ReLU()):add(nn.Linear(8, 2))
      net:getParameters() -- all in one memory is not shared
      local x = torch.randn(4, 3)
      silence(net:get(5), { 1, 2, 3, 4 })
      local small = nn.removeChannels(net, x)
      same(net:forward(x), small:forward(x))
      assert.same({ 4, 6 }, small:get(5).weight:size():totable())
      small:get(2).weight:fill(3)
      assert.equal(36 * 3, small:get(4).weight:sum())
      -- A decoder that has the encoder's weights transposed.
      local encoder, decoder = nn.Linear(3, 6), nn.Linear(6, 3)
      decoder.weight:set(encoder.weight:t())
      raises('has no channels that could go', function()
         nn.removeChannels(nn.Sequential():add(encoder):add(decoder), x)
      end)
   end)

   it('changes the size of the channels in views, and no other that is as large', function()
      local net = nn.Sequential():add(nn.SpatialConvolution(3, 2, 1, 1)):add(nn.View(8, 8))
         :add(nn.Linear(8, 2))
      local x = torch.randn(8, 3, 2, 2)
      silence(net:get(1), { 2 })
      local small = nn.removeChannels(net, x)
      assert.same({ 8, 4 }, small:get(2).size:totable())
      same(net:forward(x), small:forward(x))
      net = nn.Sequential():add(nn.SpatialConvolution(3, 8, 1, 1)):add(nn.Reshape(8, 8, 8))
         :add(nn.SpatialConvolution(8, 2, 1, 1))
      x = torch.randn(2, 3, 8, 8)
      silence(net:get(1), { 1, 3, 4, 5 })
      small = nn.removeChannels(net, x)
      assert.same({ 4, 8, 8 }, small:get(2).size:totable())
      same(net:forward(x), small:forward(x))
   end)

   it('goes by the weights of normalisations, keeps multiples, and joins', function()
      local net = nn.Sequential():add(nn.ConcatTable()
         :add(nn.Sequential():add(nn.SpatialConvolution(3, 16, 1, 1))
            :add(nn.SpatialBatchNormalization(16)))
         :add(nn.SpatialConvolution(3, 4, 1, 1)))
         :add(nn.JoinTable(2)):add(nn.ReLU()):add(nn.SpatialConvolution(20, 2, 1, 1))
      local norm = net:get(1):get(1):get(2)
      norm.weight:copy(torch.range(1, 16))
      local x = torch.randn(2, 3, 4, 4)
      local small = nn.removeChannels(net, x, { by = 'scale', amount = 0.6, multiple = 8,
         skip = function(module) return module.nOutputPlane == 4 end })
      assert.same({ 9, 10, 11, 12, 13, 14, 15, 16 },
         small:get(1):get(1):get(2).weight:totable())
      assert.same({ 2, 12, 1, 1 }, small:get(4).weight:size():totable())
      same(net:get(4).weight:narrow(2, 9, 12), small:get(4).weight)
      assert.same({ 2, 2, 4, 4 }, small:forward(x):size():totable())
   end)

   it('says what is wrong', function()
      raises('nn.removeChannels: nn.Linear has no channels that could go', function()
         nn.removeChannels(nn.Linear(4, 2), torch.randn(1, 4))
      end)
      raises("by is 'l3', expected", function()
         nn.removeChannels(nn.Linear(4, 2), torch.randn(1, 4), { by = 'l3' })
      end)
   end)
end)
