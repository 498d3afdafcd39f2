-- GradientReversal, ZeroGrad, PrintSize, Copy, Constant, OneHot, CAdd.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local x = torch.Tensor { { 1, 2, 3 }, { 4, 5, 6 } }

describe('nn.GradientReversal and nn.ZeroGrad', function()
   it('pass the input, and another gradient', function()
      local layer = nn.GradientReversal()
      numbers.same(x, layer:forward(x))
      numbers.equal({ -3 }, layer:backward(torch.ones(1), torch.Tensor { 3 }))
      layer:setLambda(2)
      numbers.equal({ -6 }, layer:backward(torch.ones(1), torch.Tensor { 3 }))
   end)

   it('learn to reverse as Torch7 did when they come from an old file', function()
      local old = nn.GradientReversal()
      old.lambda = nil
      assert.equal(1, torch.deserialize(torch.serialize(old)).lambda)
   end)

   it('have a zero for every tensor of a table', function()
      local layer, input = nn.ZeroGrad(), { x, { torch.ones(2) } }
      assert.equal(input, layer:forward(input))
      local g = layer:backward(input, input)
      numbers.equal({ { 0, 0, 0 }, { 0, 0, 0 } }, g[1])
      numbers.equal({ 0, 0 }, g[2][1])
   end)
end)

describe('nn.PrintSize', function()
   it('prints the sizes of input and gradOutput', function()
      local original, lines = _G.print, {}
      _G.print = function(text, size)
         lines[#lines + 1] = text .. table.concat(size:totable(), 'x')
      end
      local layer = nn.PrintSize 'here'
      local ok, err = pcall(function()
         assert(layer:forward(x) == x)
         assert(layer:backward(x, x) == x)
         nn.PrintSize():forward(x[1])
      end)
      _G.print = original
      assert.is_true(ok, err)
      assert.same({ 'here:input\n2x3', 'here:gradOutput\n2x3', 'PrintSize:input\n3' }, lines)
   end)
end)

describe('nn.Copy', function()
   it('converts there and back', function()
      local layer = nn.Copy('torch.DoubleTensor', 'torch.FloatTensor')
      local y = layer:forward(torch.DoubleTensor { 1, 2 })
      assert.equal('torch.FloatTensor', torch.typename(y))
      numbers.equal({ 1, 2 }, y)
      assert.equal('torch.DoubleTensor',
         torch.typename(layer:backward(torch.DoubleTensor { 1, 2 }, y)))
      numbers.equal({ 3, 4 }, layer:forward(torch.LongTensor { 3, 4 }))
      raises('nn.Copy: input is a table, expected a tensor', layer.forward, layer, { y })
   end)

   it('copies any type still when a network has been converted whole', function()
      local net = nn.Sequential():add(nn.Copy('torch.FloatTensor', 'torch.DoubleTensor'))
         :add(nn.Linear(2, 1)):float():double()
      local bytes = torch.ByteTensor { { 1, 2 } }
      local y = net:forward(bytes)
      assert.equal('torch.DoubleTensor', torch.typename(y))
      assert.equal('torch.DoubleTensor', torch.typename(net:backward(bytes, y)))
   end)

   it('passes on what is of its type, or copies it', function()
      assert.equal(x:data(), nn.Copy():forward(x):data())
      local layer, other = nn.Copy(), torch.ones(3)
      assert.is_true(rawequal(x, layer:forward(x)) and rawequal(other, layer:forward(other)))
      assert.is_true(rawequal(x, layer:updateGradInput(other, x)))
      assert.equal(x:data(), layer:backward(other, x):data())
      assert.are_not.equal(x:data(), nn.Copy(nil, nil, true):forward(x):data())
      local between = nn.Copy('torch.FloatTensor', 'torch.DoubleTensor'):double()
      assert.are_not.equal(x:data(), between:forward(x):data())
      raises('nn.Copy: input is a torch.LongTensor, but the layer is of type torch.DoubleTensor',
         nn.Copy.updateOutput, nn.Copy(), torch.LongTensor { 1 })
   end)

   it('keeps its types with dontCast', function()
      local layer = nn.Copy('torch.DoubleTensor', 'torch.LongTensor', false, true)
      layer:float()
      numbers.equal({ 1 }, layer:forward(torch.DoubleTensor { 1.5 }))
   end)
end)

describe('nn.Constant', function()
   it('is the same for every sample', function()
      local layer = nn.Constant(torch.Tensor { 7, 8 }, 1)
      numbers.equal({ { 7, 8 }, { 7, 8 } }, layer:forward(x))
      numbers.equal({ 7, 8 }, layer:forward(x[1]))
      numbers.equal({ { 0, 0, 0 }, { 0, 0, 0 } }, layer:backward(x, layer.output))
      numbers.equal({ 3 }, nn.Constant(3):forward(x))
      raises('nn.Constant: value is nil, expected a number or a tensor', nn.Constant)
   end)
end)

describe('nn.OneHot', function()
   it('has a 1 at each class', function()
      local layer, column = nn.OneHot(3), torch.Tensor { { 1 }, { 3 } }
      numbers.equal({ { 0, 1, 0 }, { 0, 0, 1 } }, layer:forward(torch.LongTensor { 2, 3 }))
      numbers.equal({ { { 1, 0, 0 } }, { { 0, 0, 1 } } }, layer:forward(column))
      numbers.equal({ 0, 1, 0 }, layer:forward(2))
      numbers.equal({ { 0 }, { 0 } }, layer:backward(column, torch.ones(2, 1, 3)))
      assert.equal(0, layer:backward(2, torch.ones(3)))
      numbers.equal({ { 0 }, { 0 } }, layer:backward(column, torch.ones(2, 1, 3)))
      raises('nn.OneHot: input is 4, expected a class from 1 to 3', layer.forward, layer, 4)
      raises('nn.OneHot: scatter: ', layer.forward, layer, torch.LongTensor { 4 })
   end)
end)

describe('nn.CAdd', function()
   it('repeats terms along dimensions of size 1', function()
      local layer = nn.CAdd(1, 3)
      layer.bias:copy(torch.Tensor { { 10, 20, 30 } })
      numbers.equal({ { 11, 22, 33 }, { 14, 25, 36 } }, layer:forward(x))
      layer:zeroGradParameters()
      layer:backward(x, x, 2)
      numbers.equal({ { 10, 14, 18 } }, layer.gradBias)
      assert.equal('nn.CAdd(1x3)', tostring(layer))
      layer = nn.CAdd(2, 4)
      raises('nn.CAdd: input is 2x3, expected 2x4 or N x 2x4', layer.forward, layer, x)
   end)
end)
