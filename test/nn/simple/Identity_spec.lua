local torch = require 'torch'
local nn = require 'nn'

describe('nn.Identity', function()
   it('passes on the very objects', function()
      local layer, x, g = nn.Identity(), { torch.ones(2), torch.ones(3) }, torch.ones(4)
      assert.equal(x, layer:forward(x))
      assert.equal(g, layer:backward(x, g))
   end)

   it('passes gradients on again after there was none', function()
      local net, x, g = nn.Sequential(), torch.ones(2), torch.ones(2)
      net:add(nn.Identity()):add(nn.Tanh())
      net:forward(x)
      local expected = net:backward(x, g):clone()
      net:get(2).gradInput = nil -- nobody wants it
      assert.is_nil(net:backward(x, g))
      net:get(2).gradInput = torch.Tensor()
      assert.is_true(expected:equal(net:backward(x, g)))
   end)

   it('does not empty the user\'s tensors on clearState', function()
      local layer, x = nn.Identity(), torch.ones(3)
      layer:forward(x)
      layer:backward(x, x)
      layer:clearState()
      assert.equal(3, x:nElement())
      assert.equal(0, layer.output:nElement())
   end)
end)

describe('nn.Copy', function()
   it('takes inputs while nobody wants its gradient', function()
      local layer, x = nn.Copy(), torch.ones(3)
      layer.gradInput = nil
      assert.is_true(x:equal(layer:forward(x)))
      assert.is_nil(layer:backward(x, x))
   end)
end)
