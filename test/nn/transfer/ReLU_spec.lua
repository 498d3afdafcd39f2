local torch = require 'torch'
local nn = require 'nn'
local gradcheck = require 'test.support.gradcheck'
local numbers = require 'test.support.numbers'

describe('nn.ReLU and nn.Threshold', function()
   local x = torch.Tensor { { -2, -0.5, 0 }, { 1e-9, 0.5, 2 } }

   it('cut off what lies at or below the threshold', function()
      numbers.equal({ { 0, 0, 0 }, { 1e-9, 0.5, 2 } }, nn.ReLU():forward(x))
      numbers.equal({ { 7, 7, 7 }, { 7, 7, 2 } }, nn.Threshold(0.5, 7):forward(x))
      numbers.equal({ { 0, 0, 0 }, { 0, 0.5, 2 } }, nn.Threshold():forward(x))
   end)

   it('pass gradients on where the input lay above', function()
      local g = torch.Tensor { { 1, 2, 3 }, { 4, 5, 6 } }
      local relu = nn.ReLU()
      relu:forward(x)
      numbers.equal({ { 0, 0, 0 }, { 4, 5, 6 } }, relu:backward(x, g))
   end)

   it('have the gradients of central differences', function()
      -- Off the kink by at least 0.1.
      local away = torch.randn(4, 5)
      away:add(0.1, torch.sign(away))
      gradcheck(nn.ReLU(), away)
      gradcheck(nn.Threshold(0, -1), away)
   end)

   it('write over input and gradient in place', function()
      local input, g = x:clone(), torch.ones(2, 3)
      local relu = nn.ReLU(true)
      relu:forward(input)
      numbers.equal({ { 0, 0, 0 }, { 1e-9, 0.5, 2 } }, input)
      numbers.same(input, relu.output)
      relu:backward(input, g)
      numbers.equal({ { 0, 0, 0 }, { 1, 1, 1 } }, g)
      numbers.same(g, relu.gradInput)
   end)

   it('refuse in place what the output cannot tell from the input', function()
      local _, err = pcall(function() return nn.Threshold(0, 1, true) end)
      assert.matches('ReLU_spec.*requires value %(1%) not exceed threshold %(0%)', err)
      _, err = pcall(nn.ReLU, 'yes')
      assert.matches('nn.ReLU: inplace is a string, expected true or false', err)
   end)

   it('are related: a ReLU is a Threshold', function()
      local relu = nn.ReLU()
      assert.is_true(torch.isTypeOf(relu, 'nn.Threshold'))
      assert.same({ 0, 0, false }, { relu.threshold, relu.val, relu.inplace })
      assert.equal('nn.ReLU', tostring(relu))
   end)
end)
