local torch = require 'torch'
local nn = require 'nn'

describe('nn.SoftPlus', function()
   it('computes log(1 + e^(beta x)) / beta', function()
      for _, beta in ipairs { 1, 2.5 } do
         local layer = nn.SoftPlus(beta)
         for _, x in ipairs { -3, -0.5, 0, 0.5, 3 } do
            local y = layer:forward(torch.Tensor { x })[1]
            assert.near(math.log(1 + math.exp(beta * x)) / beta, y, 1e-14)
         end
      end
   end)

   it('does not overflow', function()
      local y = nn.SoftPlus():forward(torch.Tensor { -1000, 1000 })
      assert.same({ 0, 1000 }, y:totable())
   end)
end)
