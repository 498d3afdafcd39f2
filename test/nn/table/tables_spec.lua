local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

describe('nn.CAddTable', function()
   local function inputs()
      return { torch.Tensor { 1, 2 }, torch.Tensor { 10, 20 }, torch.Tensor { 100, 200 } }
   end

   it('adds, and gives every input the gradient', function()
      local layer, g = nn.CAddTable(), torch.Tensor { 5, 6 }
      numbers.equal({ 111, 222 }, layer:forward(inputs()))
      local gx = layer:backward(inputs(), g)
      assert.equal(3, #gx)
      for i = 1, 3 do
         numbers.same(g, gx[i])
      end
      local two = { torch.ones(1), torch.ones(1) }
      layer:forward(two)
      assert.equal(2, #layer:backward(two, torch.ones(1)))
   end)

   it('writes over the first input in place', function()
      local layer, x = nn.CAddTable(true), inputs()
      numbers.equal({ 111, 222 }, layer:forward(x))
      numbers.equal({ 111, 222 }, x[1])
      local g = torch.ones(2)
      assert.equal(g:storage(), layer:backward(x, g)[2]:storage())
   end)

   -- Scripts switch on what has the field: nn.CAddTable's, without the argument, is nil in Torch7.
   it('has a field inplace only if it was given', function()
      assert.is_nil(nn.CAddTable().inplace)
      assert.is_false(nn.CAddTable(false).inplace)
   end)

   it('refuses what is no table of tensors of one size', function()
      local layer = nn.CAddTable()
      raises('nn.CAddTable: input is 3, expected a table of tensors', layer.forward, layer,
         torch.Tensor(3))
      raises('nn.CAddTable: input is a table, expected a table of tensors', layer.forward, layer,
         {})
      raises('nn.CAddTable: input 2 is 4, expected 3', layer.forward, layer,
         { torch.Tensor(3), torch.Tensor(4) })
      raises('nn.CAddTable: input 2 is a string, expected a tensor', layer.forward, layer,
         { torch.Tensor(3), 'x' })
   end)
end)

describe('element-wise table layers', function()
   local x = { torch.Tensor { 6, -4, 5 }, torch.Tensor { 2, 8, 5 } }
   local g = torch.Tensor { 1, 10, 100 }

   -- Class -> output, gradients by the two tensors, worked out by hand.
   local cases = {
      CSubTable = { { 4, -12, 0 }, { 1, 10, 100 }, { -1, -10, -100 } },
      CMulTable = { { 12, -32, 25 }, { 2, 80, 500 }, { 6, -40, 500 } },
      CDivTable = { { 3, -0.5, 1 }, { 0.5, 1.25, 20 }, { -1.5, 0.625, -20 } },
      CMaxTable = { { 6, 8, 5 }, { 1, 0, 100 }, { 0, 10, 0 } }, -- the first has it in a tie
      CMinTable = { { 2, -4, 5 }, { 0, 10, 100 }, { 1, 0, 0 } },
   }
   for name, expected in pairs(cases) do
      it(name .. ' has its values and gradients', function()
         local layer = nn[name]()
         numbers.equal(expected[1], layer:forward(x))
         local gx = layer:backward(x, g)
         numbers.equal(expected[2], gx[1])
         numbers.equal(expected[3], gx[2])
      end)
   end

   it('take a gradOutput of another shape with as many elements', function()
      local square = { torch.Tensor { { 1, 3 }, { 2, 4 } }, torch.Tensor { { 4, 2 }, { 3, 1 } } }
      local layer = nn.CMaxTable()
      layer:forward(square)
      numbers.equal({ { 5, 0 }, { 7, 0 } }, layer:backward(square, torch.Tensor { 5, 6, 7, 8 })[2])
      raises('nn.CMaxTable: gradOutput is 3, expected 2x2', layer.backward, layer, square, g)
   end)

   it('CMulTable has the gradients of a factor 0, and others by division', function()
      local layer, with_zero = nn.CMulTable(), { torch.Tensor { 0 }, torch.Tensor { 3 } }
      layer:forward(with_zero)
      numbers.equal({ 3 }, layer:backward(with_zero, torch.ones(1))[1])
      layer:forward(x)
      local exact = layer:updateGradInput(x, g)[2]:clone()
      numbers.same(exact, layer:updateGradInput_efficient(x, g)[2], 1e-12)
   end)

   it('of two tensors refuse three', function()
      for _, name in ipairs { 'CSubTable', 'CDivTable' } do
         local layer = nn[name]()
         raises(name .. ': input is a table of 3, expected a table of 2 tensors', layer.forward,
            layer, { x[1], x[1], x[1] })
      end
   end)
end)

describe('nn.JoinTable', function()
   it('joins along a dimension, counted in a sample where it knows one', function()
      local x = { torch.ones(2, 3), torch.ones(2, 4) * 2 }
      for _, layer in ipairs { nn.JoinTable(2), nn.JoinTable(1, 1), nn.JoinTable(-1) } do
         local y = layer:forward(x)
         assert.same({ 2, 7 }, y:size():totable())
         numbers.same(x[2], y:narrow(2, 4, 4))
         local g = torch.range(1, 14):view(2, 7)
         local gx = layer:backward(x, g)
         numbers.same(g:narrow(2, 1, 3), gx[1])
         numbers.same(g:narrow(2, 4, 4), gx[2])
      end
      assert.same({ 7 },
         nn.JoinTable(1, 1):forward { torch.ones(3), torch.ones(4) }:size():totable())
   end)
end)
