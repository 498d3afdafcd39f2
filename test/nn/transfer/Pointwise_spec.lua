local torch = require 'torch'
local nn = require 'nn'
local gradcheck = require 'test.support.gradcheck'
local raises = require 'test.support.raises'

-- Layer -> its formula on one number.
local formulas = {
   Abs = math.abs,
   Exp = math.exp,
   Log = math.log,
   Square = function(x) return x * x end,
   Tanh = math.tanh,
   Sigmoid = function(x) return 1 / (1 + math.exp(-x)) end,
}

describe('nn.Pointwise', function()
   for name, formula in pairs(formulas) do
      it('makes nn.' .. name .. ', which computes its formula', function()
         local layer = nn[name]()
         for _, x in ipairs { -30, -3, -0.5, 0, 0.5, 3, 30 } do
            local expected, y = formula(x), layer:forward(torch.Tensor { { x } })[1][1]
            -- Within rounding of one transcendental function; log has values that are none.
            if expected ~= expected then
               assert.is_true(y ~= y)
            elseif y ~= expected then
               assert.near(1, y / expected, 4e-16)
            end
         end
      end)

      it('gives nn.' .. name .. ' the gradient of central differences', function()
         torch.manualSeed(2)
         -- Positive and away from 0, for the logarithm and the absolute value.
         gradcheck(nn[name](), torch.rand(3, 4):add(0.1))
         gradcheck(nn[name](), torch.rand(2, 3, 2, 2):add(0.1))
         if name ~= 'Log' then
            gradcheck(nn[name](), torch.rand(3, 4):add(-1.1))
         end
      end)

      it('refuses another element type in nn.' .. name .. ', at the user\'s line', function()
         local x = torch.FloatTensor(2)
         local _, err = pcall(function() nn[name]():forward(x) end)
         assert.matches('Pointwise_spec.*nn.' .. name .. ': input is a ' .. x:type(), err)
      end)
   end

   it('makes ordinary modules, without fields of their own', function()
      local layer = nn.Tanh()
      assert.equal('nn.Tanh', torch.typename(layer))
      assert.is_true(torch.isTypeOf(layer, 'nn.Pointwise'))
      assert.is_true(torch.isTypeOf(layer, 'nn.Module'))
      local fields = {}
      for k in pairs(layer) do
         fields[#fields + 1] = k
      end
      table.sort(fields)
      assert.same({ '_type', 'gradInput', 'output' }, fields)
   end)

   it('takes inputs with gaps', function()
      local x = torch.randn(4, 3):t()
      local y = nn.Tanh():forward(x)
      assert.near(math.tanh(x[2][3]), y[2][3], 1e-15) -- two libraries' tanh: 4 units at most
   end)

   it('refuses operations without a gradient', function()
      for _, of in ipairs { nn.Pointwise.of, nn.Classwise.of } do
         raises('there is no operation fill_backward', of, nil, 'fill', 'PointwiseSpecFill')
         assert.is_nil(torch.getmetatable 'nn.PointwiseSpecFill') -- nor half of a class
         assert.is_nil(nn.PointwiseSpecFill)
      end
   end)
end)
