local torch = require 'torch'
local nn = require 'nn'
local gradcheck = require 'test.support.gradcheck'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

describe('nn.blocks', function()
   it('depthwise is a convolution of each plane by itself', function()
      local block, x = nn.blocks.depthwise(3, 3, 2), torch.randn(2, 3, 5, 6)
      local y = block:forward(x)
      assert.same({ 2, 3, 3, 3 }, y:size():totable())
      for plane = 1, 3 do
         local alone = nn.SpatialConvolution(1, 1, 3, 3, 2, 2, 1, 1)
         alone.weight:copy(block.weight[plane])
         alone.bias:copy(block.bias:narrow(1, plane, 1))
         numbers.same(alone:forward(x:narrow(2, plane, 1)), y:narrow(2, plane, 1), 1e-12)
      end
      gradcheck(nn.blocks.depthwise(2), torch.randn(2, 2, 3, 3))
   end)

   it('separable has few weights, and learns', function()
      local net, x = nn.blocks.separable(4, 6, 3, 2), torch.randn(2, 4, 5, 5)
      local y = net:forward(x)
      assert.same({ 2, 6, 3, 3 }, y:size():totable())
      local count = 0
      for _, p in ipairs((net:parameters())) do
         count = count + p:nElement()
      end
      assert.equal(4 * 9 + 2 * 4 + 4 * 6 + 2 * 6, count)
      assert.same({ 2, 4, 5, 5 }, net:backward(x, y):size():totable())
   end)

   it('squeezeExcite scales planes by what it makes of their means', function()
      local net, x = nn.blocks.squeezeExcite(4, 2), torch.randn(2, 4, 3, 5)
      local y = net:forward(x):clone()
      local inner = net:get(1):get(2)
      local means = x:view(2, 4, 15):mean(3):view(2, 4)
      local hidden = nn.ReLU():forward(inner:get(3):forward(means))
      local gate = nn.Sigmoid():forward(inner:get(5):forward(hidden))
      numbers.same(torch.cmul(x, gate:view(2, 4, 1, 1):expandAs(x)), y, 1e-12)
      numbers.same(y[1], net:forward(x[1]), 1e-12)
      gradcheck(nn.blocks.squeezeExcite(4, 2), torch.randn(2, 4, 3, 2))
      raises('8 planes are fewer than the reduction, 16', nn.blocks.squeezeExcite, 8)
   end)
end)
