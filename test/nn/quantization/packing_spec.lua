-- Packed weights: codes, what they stand for, layers made of them.
local torch = require 'torch'
local nn = require 'nn'
local raises = require 'test.support.raises'

-- Each group's numbers are at most half a step from what its codes stand for.
local function check_steps(weight, packed, bits, group)
   local rows = packed:unpacked():double()
   for i = 1, weight:size(1) do
      for g = 1, weight:size(2) / group do
         local own = weight[i]:narrow(1, (g - 1) * group + 1, group):double()
         local got = rows[i]:narrow(1, (g - 1) * group + 1, group)
         local step = (math.max(own:max(), 0) - math.min(own:min(), 0)) / (2^bits - 1)
         local far = torch.csub(own, got):abs():max()
         -- The zero is rounded, too: another half step at the ends.
         assert.is_true(far <= step * 1.01 + 1e-6, ('%g of a step'):format(far / step))
      end
   end
end

describe('packed weights', function()
   before_each(function() torch.manualSeed(5) end)

   it('are within a step of the weights', function()
      for _, bits in ipairs { 4, 8 } do
         for _, group in ipairs { 32, 64, 128 } do
            local layer = nn.Linear(128, 6)
            check_steps(layer.weight, nn.PackedLinear(layer, bits, group), bits, group)
         end
      end
   end)

   it('hold 16 levels exactly', function()
      local layer = nn.Linear(32, 2)
      for i = 1, 2 do
         for j = 1, 32 do
            layer.weight[i][j] = ((j * 7) % 16 - 5) * 0.5
         end
      end
      local packed = nn.PackedLinear(layer, 4, 32)
      assert.equal(0, (packed:unpacked() - layer.weight):abs():max())
      assert.same({ 0.5, 5 }, { packed.scale[1][1], packed.zero[1][1] })
   end)

   it('make a layer that computes with what they stand for', function()
      local layer = nn.Linear(96, 10)
      local packed = nn.PackedLinear(layer, 4, 32)
      local plain = nn.Linear(96, 10)
      plain.weight:copy(packed:unpacked())
      plain.bias:copy(layer.bias)
      for _, N in ipairs { 1, 3, 40 } do
         local x, g = torch.randn(N, 96), torch.randn(N, 10)
         assert.is_true((plain:forward(x) - packed:forward(x)):abs():max() < 1e-4)
         assert.is_true((plain:backward(x, g) - packed:backward(x, g)):abs():max() < 1e-10)
      end
      local x = torch.randn(96)
      assert.is_true((plain:forward(x) - packed:forward(x)):abs():max() < 1e-4)
      assert.is_nil(packed:parameters())
   end)

   it('look up rows', function()
      local table_of = nn.LookupTable(20, 64)
      local packed = nn.PackedLookupTable(table_of, 8, 32)
      local at = torch.LongTensor { { 3, 20 }, { 1, 3 } }
      local y = packed:forward(at)
      assert.same({ 2, 2, 64 }, y:size():totable())
      assert.equal(0, (y[1][2] - packed:unpacked()[20]):abs():max())
      assert.is_true((y - table_of:forward(at)):abs():max() < 0.03)
   end)

   it('survive files, clones and conversions', function()
      local net = nn.packWeights(nn.Sequential():add(nn.LookupTable(9, 64)):add(nn.Linear(64, 8)))
      local at = torch.LongTensor { 3, 9 }
      local y = net:forward(at):clone()
      assert.equal(0, (net:clone():forward(at) - y):abs():max())
      local floats = net:clone():float()
      assert.equal('torch.FloatTensor', floats:forward(at):type())
      assert.equal('ByteTensor', floats:get(2).codes:type():match 'ByteTensor$')
      assert.is_true((floats.output:double() - y:double()):abs():max() < 1e-4)
      local file = torch.MemoryFile('rw')
      file:writeObject(net)
      file:seek(1)
      assert.equal(0, (file:readObject():forward(at) - y):abs():max())
   end)

   it('leave what cannot be packed, and say what is wrong', function()
      local net = nn.Sequential():add(nn.Linear(7, 64)):add(nn.Linear(64, 4)):add(nn.Tanh())
      local small = nn.packWeights(net)
      assert.equal('nn.Linear', torch.typename(small:get(1)))
      assert.equal('nn.PackedLinear', torch.typename(small:get(2)))
      raises('rows of 7 numbers of 4 bits are no whole bytes', function()
         nn.PackedLinear(nn.Linear(7, 3), 4, 32)
      end)
      raises('bits is 5, expected 4 or 8', function() nn.PackedLinear(nn.Linear(8, 3), 5) end)
      raises('bits is 5, expected 4 or 8', function() nn.packWeights(net, { bits = 5 }) end)
      raises('group is 12, expected a multiple of 8', function()
         nn.packWeights(net, { group = 12 })
      end)
   end)
end)
