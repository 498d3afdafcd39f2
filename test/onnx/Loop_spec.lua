-- onnx.Loop and onnx.If as modules: what they keep, what they say of inputs that are none.
local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local raises = require 'test.support.raises'

-- A Scan of rows: the state and the row go through a layer, which gives the next state and a value.
local function scan(layer)
   local net = nn.Sequential():add(nn.CAddTable()):add(layer)
      :add(nn.ConcatTable():add(nn.Identity()):add(nn.Identity()))
   return onnx.Loop(net, { counted = false, states = 1, slices = { { axis = 0 } },
      sums = { { axis = 0 } } })
end

local function linear()
   torch.manualSeed(1)
   return scan(nn.Sequential():add(nn.Linear(3, 3)):add(nn.Tanh()))
end

local INPUT = { torch.linspace(-1, 1, 6):view(2, 3), torch.linspace(-2, 1, 24):view(4, 2, 3) }
local G = { torch.linspace(0, 1, 6):view(2, 3), torch.linspace(1, -1, 24):view(4, 2, 3) }

-- The gradients of inputs and parameters.
local function gradients(loop)
   loop:zeroGradParameters()
   local found = loop:backward(INPUT, G)
   local _, slopes = loop:parameters()
   return { found[1]:totable(), found[2]:totable(), slopes[1]:totable(), slopes[2]:totable() }
end

describe('onnx.Loop', function()
   it('keeps what its rounds took in training alone, and in no file', function()
      local loop = linear()
      loop:forward(INPUT)
      assert.equal(4, #loop.taken)
      local wanted = gradients(loop)
      assert.is_nil(torch.deserialize(torch.serialize(loop)).taken)
      assert.equal(4, #loop.taken)
      loop:evaluate()
      loop:forward(INPUT)
      assert.is_nil(loop.taken)
      assert.same(wanted, gradients(loop))
   end)

   it('computes anew what was dropped', function()
      local loop = linear()
      loop:forward(INPUT)
      local wanted = gradients(loop)
      assert.same(wanted, gradients(loop:clearState()))
      assert.same(wanted, gradients(linear()))
      loop:forward(INPUT)
      assert.same(wanted, gradients(loop:clone()))
      loop:float():double()
      assert.is_true(math.abs(wanted[1][1][1] - gradients(loop)[1][1][1]) < 1e-6)
   end)

   it('moves running statistics once in each round', function()
      local norm = nn.BatchNormalization(3)
      local loop = scan(norm)
      loop:forward(INPUT)
      local mean, variance = norm.running_mean:clone(), norm.running_var:clone()
      assert.is_true(torch.abs(mean):max() > 0)
      gradients(loop)
      gradients(loop:clearState())
      assert.same({ mean:totable(), variance:totable() },
         { norm.running_mean:totable(), norm.running_var:totable() })
      assert.equal(0.1, norm.momentum)
   end)

   it('says what is missing', function()
      local loop = linear()
      raises('onnx.Loop: the input is 1 tensors, expected at least 2: the rounds and the truth '
         .. 'where they are not known, 1 states, 1 that are taken apart', loop.forward, loop,
         INPUT[1])
   end)
end)

describe('onnx.If', function()
   it('says what its truth is, where that is none', function()
      local choice = onnx.If(nn.SelectTable(2), nn.SelectTable(2))
      local x = torch.randn(2, 3)
      assert.equal(x, choice:forward { torch.ByteTensor { 1 }, x })
      raises('onnx.If: the truth is a tensor of 6, expected a tensor of one element: the input, '
         .. 'or the first of a list', choice.forward, choice, { x, x })
      raises('onnx.If: the truth is a nil, expected', choice.forward, choice, {})
      raises('onnx.If: the truth is a boolean, expected', choice.forward, choice, { true, x })
      raises('onnx.If: the truth is a number, expected', choice.forward, choice, 1)
   end)
end)
