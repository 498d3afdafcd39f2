-- What is particular to pooling layers beyond images and maxima; oracle_spec has PyTorch's values.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local function distinct(...)
   local x = torch.Tensor(...)
   return x:copy(torch.randperm(x:nElement()):viewAs(x))
end

describe('Pooling', function()
   before_each(function()
      torch.manualSeed(5)
   end)

   it('of volumes keeps where the maxima were, and the size of its input', function()
      local layer, x = nn.VolumetricMaxPooling(2, 2, 2), distinct(2, 4, 6, 4)
      local y = layer:forward(x)
      assert.same({ 4, 6, 4 }, { layer.itime, layer.iheight, layer.iwidth })
      assert.matches('LongTensor', torch.typename(layer.indices))
      numbers.same(y:view(2, -1), x:view(2, -1):gather(2, layer.indices:view(2, -1)))
   end)

   it('has windows over the edge after ceil()', function()
      assert.same({ 1, 2, 1, 4, 4 },
         nn.VolumetricMaxPooling(2, 2, 2):ceil():forward(distinct(1, 2, 2, 7, 7)):size():totable())
   end)

   it('has one window of an input that is smaller, after ceil() and by less than a step', function()
      local x = distinct(1, 2, 2)
      for _, name in ipairs { 'SpatialMaxPooling', 'SpatialAveragePooling' } do
         local layer = nn[name](3, 3, 2, 2)
         raises('too small for a kernel of 3x3', layer.forward, layer, x)
         local y = layer:ceil():forward(x)
         numbers.equal({ { { name:match 'Max' and x:max() or x:mean() } } }, y)
         assert.equal(1, layer:backward(x, torch.ones(1, 1, 1)):sum())
         raises('too small for a kernel of 4x4', function()
            nn[name](4, 4, 2, 2):ceil():forward(x)
         end)
      end
   end)

   it('refuses a dilation by which a window passes by the input', function()
      raises('some windows have no element of it', function()
         nn.SpatialDilatedMaxPooling(2, 1, 1, 1, 1, 0, 3, 1):forward(torch.rand(1, 2, 2))
      end)
   end)

   it('over time takes the largest k in their order', function()
      local layer = nn.TemporalDynamicKMaxPooling(2, 0.5)
      local x = torch.Tensor { { 1, 9 }, { 7, 2 }, { 3, 3 }, { 5, 4 }, { 0, 8 } }
      numbers.equal({ { 7, 9 }, { 3, 4 }, { 5, 8 } }, layer:forward(x))
      numbers.equal({ { 0, 2 }, { 1, 0 }, { 3, 0 }, { 5, 4 }, { 0, 6 } },
         layer:backward(x, torch.Tensor { { 1, 2 }, { 3, 4 }, { 5, 6 } }))
      raises('input is 1x1x2, expected at least 2 steps of time', function()
         layer:forward(torch.rand(1, 2))
      end)
   end)

   it('over features is the p-norm of each window', function()
      local layer, x = nn.FeatureLPPooling(2, 2, 2), torch.Tensor { 3, 4, 0, 0, 5, 12 }
      numbers.same(torch.Tensor { 5, 0, 13 }, layer:forward(x), 1e-12)
      numbers.same(torch.Tensor { 0.6, 0.8, 0, 0, 5 / 13, 12 / 13 },
         layer:backward(x, torch.Tensor { 1, 1, 1 }), 1e-12)
   end)

   it('that is fractional lies where the numbers say that were drawn', function()
      local layer, x = nn.SpatialFractionalMaxPooling(2, 2, 0.6, 0.6), distinct(1, 1, 40, 40)
      local y = layer:forward(x):clone()
      assert.same({ 1, 1, 24, 24 }, y:size():totable())
      assert.is_true((layer:forward(x) - y):abs():max() > 0)
      y:copy(layer:fixPoolingRegions():forward(x))
      numbers.same(y, layer:forward(x))
      local function starts(u)
         local alpha, list = (40 - 2) / (24 - 1), {}
         for i = 0, 22 do
            list[i + 1] = math.floor((i + u) * alpha) - math.floor(u * alpha) + 1
         end
         list[24] = 39
         return list
      end
      local columns = starts(layer.randomSamples[1][1][1])
      local rows = starts(layer.randomSamples[1][1][2])
      for i = 1, 24 do
         for j = 1, 24 do
            local window = x[1][1]:narrow(1, rows[i], 2):narrow(2, columns[j], 2)
            assert.equal(window:max(), y[1][1][i][j])
         end
      end
   end)

   it('that is fractional does so in volumes, with numbers for time, width and height', function()
      local layer, x = nn.VolumetricFractionalMaxPooling(2, 3, 4, 3, 4, 5), distinct(2, 2, 11, 9, 7)
      local y = layer:forward(x)
      assert.same({ 2, 2, 5, 4, 3 }, y:size():totable())
      local function starts(u, size, pool, count) -- floor((i + u) a) - floor(u a), the last flush
         local alpha, list = (size - pool) / (count - 1), {}
         for i = 0, count - 2 do
            list[i + 1] = math.floor((i + u) * alpha) - math.floor(u * alpha) + 1
         end
         list[count] = size - pool + 1
         return list
      end
      local expected = torch.zeros(2, 2, 11, 9, 7)
      for n = 1, 2 do
         for c = 1, 2 do
            local u = layer.randomSamples[n][c]
            local times, columns = starts(u[1], 7, 2, 3), starts(u[2], 9, 3, 4)
            local rows = starts(u[3], 11, 4, 5)
            for i = 1, 5 do
               for j = 1, 4 do
                  for k = 1, 3 do
                     local window = expected[n][c]:narrow(1, rows[i], 4):narrow(2, columns[j], 3)
                        :narrow(3, times[k], 2)
                     local from = x[n][c]:narrow(1, rows[i], 4):narrow(2, columns[j], 3)
                        :narrow(3, times[k], 2)
                     assert.equal(from:max(), y[n][c][i][j][k])
                     window:add(from:eq(from:max()):typeAs(window)) -- how often it won
                  end
               end
            end
         end
      end
      numbers.same(expected, layer:backward(x, torch.ones(2, 2, 5, 4, 3)))
      local ratios = nn.VolumetricFractionalMaxPooling(2, 2, 2, 0.5, 0.4, 0.3)
      assert.same({ 1, 3, 3, 3 }, ratios:forward(torch.rand(1, 11, 9, 7)):size():totable())
   end)

   it('that is fractional says what its arguments may be', function()
      raises('got sizes and ratios', function() nn.SpatialFractionalMaxPooling(2, 2, 3, 0.5) end)
      raises('too small for 5 windows of size 3', function()
         nn.SpatialFractionalMaxPooling(3, 3, 5, 5):forward(torch.rand(1, 7, 9))
      end)
   end)

   it('is undone by a layer that has the pooling layer', function()
      local pool = nn.SpatialMaxPooling(2, 2)
      local unpool, x = nn.SpatialMaxUnpooling(pool), distinct(2, 3, 4, 6)
      raises('nn.SpatialMaxUnpooling: its pooling layer has seen no input', function()
         unpool:forward(torch.rand(2, 3, 2, 3))
      end)
      local y = pool:forward(x)
      local undone = unpool:forward(y)
      numbers.same(torch.cmul(x, undone:ne(0):type(x:type())), undone)
      assert.near(y:sum(), undone:sum(), 1e-9)
      unpool:setParams() -- what scripts for Torch7 read
      assert.same({ 4, 6 }, { unpool.oheight, unpool.owidth })
      assert.equal(pool.indices, unpool.indices)
      unpool:empty()
      assert.equal(0, unpool.output:nElement())
      assert.is_nil(unpool.indices)
      raises('input is 2x3x1x3, expected the size of the output of its pooling layer, 2x3x2x3',
         function() unpool:forward(torch.rand(2, 3, 1, 3)) end)
      raises('poolingModule is a nn.Tanh, expected a nn.SpatialMaxPooling', function()
         nn.SpatialMaxUnpooling(nn.Tanh())
      end)
   end)

   it('prints its windows', function()
      assert.equal('nn.SpatialDilatedMaxPooling(3x2, 1,1, 2,2)',
         tostring(nn.SpatialDilatedMaxPooling(3, 2, 1, 1, 0, 0, 2)))
      assert.equal('nn.VolumetricMaxPooling(2x3x4, 2,3,4)',
         tostring(nn.VolumetricMaxPooling(2, 3, 4)))
      assert.equal('nn.VolumetricAveragePooling(2x2x2, 1,2,2, 1,0,0)',
         tostring(nn.VolumetricAveragePooling(2, 2, 2, 1, 2, 2, 1)))
      assert.equal('nn.SpatialMaxUnpooling associated to nn.SpatialMaxPooling(2x2, 2,2)',
         tostring(nn.SpatialMaxUnpooling(nn.SpatialMaxPooling(2, 2))))
      assert.equal('nn.VolumetricMaxUnpooling associated to nn.VolumetricMaxPooling(2x2x2, 2,2,2)',
         tostring(nn.VolumetricMaxUnpooling(nn.VolumetricMaxPooling(2, 2, 2))))
   end)
end)
