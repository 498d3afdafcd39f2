-- onnx.Operator: values by definition, gradients by differences, saving, conversion.
local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local raises = require 'test.support.raises'

local function operator(name, attributes, ...)
   attributes = attributes or {}
   attributes.ranks = attributes.ranks or {}
   attributes.outputs = attributes.outputs or 1
   return onnx.Operator(name, attributes, { ... })
end

local function integers(...)
   return { kind = 'long', sizes = { select('#', ...) }, values = { ... } }
end

-- The gradients of sum(w .* output) by central differences.
local function check(layer, ...)
   local inputs = { ... }
   local input = #inputs == 1 and inputs[1] or inputs
   local y = layer:forward(input)
   local w = torch.randn(y:size())
   local function loss()
      return torch.cmul(layer:forward(input), w):sum()
   end
   layer:zeroGradParameters()
   local gx = layer:backward(input, w)
   local list = { unpack(inputs) }
   local found = torch.isTensor(gx) and { gx } or { unpack(gx) }
   local parameters, gradients = layer:parameters()
   for i, p in ipairs(parameters or {}) do
      list[#list + 1], found[#found + 1] = p, gradients[i]
   end
   for k, x in ipairs(list) do
      local flat, g = x:view(-1), found[k]:contiguous():view(-1)
      for i = 1, flat:size(1) do
         local kept = flat[i]
         flat[i] = kept + 1e-5
         local high = loss()
         flat[i] = kept - 1e-5
         local low = loss()
         flat[i] = kept
         assert.is_true(math.abs((high - low) / 2e-5 - g[i]) < 1e-6)
      end
   end
   return y
end

describe('onnx.Operator', function()
   before_each(function()
      torch.manualSeed(1)
   end)

   it('has gradients of inputs and of constants that are reals', function()
      check(operator('Add', {}, 1, { weight = torch.randn(3, 1) }), torch.randn(2, 3, 4))
      check(operator('MatMul', {}, 1, 2), torch.randn(2, 3, 4), torch.randn(4, 5))
      check(operator('Mul', {}, 1, 1), torch.randn(3))
      check(operator('Softmax', { axis = 1 }, 1), torch.randn(2, 3, 2))
      check(operator('LayerNormalization', { axis = -1 }, 1, { weight = torch.randn(4) },
         { weight = torch.randn(4) }), torch.randn(2, 4))
      check(operator('Pad', { mode = 'reflect' }, 1, integers(0, 2, 0, 1)), torch.randn(2, 4))
      check(operator('Resize', { mode = 'linear' }, 1, false,
         { kind = 'float', sizes = { 2 }, values = { 1, 1.5 } }), torch.randn(2, 4))
   end)

   it('computes what the definitions say', function()
      local x = torch.range(0, 5):view(2, 3)
      local function value(name, attributes, ...)
         return operator(name, attributes, 1, ...):forward(x):totable()
      end
      assert.same({ { 5, 4 }, { 2, 1 } }, operator('Slice', {}, 1, integers(-1, -1),
         integers(-3, -3), integers(0, 1), integers(-1, -1)):forward(x):totable())
      assert.same({ { 1, 2, 0 }, { 4, 5, 3 } }, value('Gather', { axis = 1 }, integers(1, 2, 0)))
      assert.same({ 3, 12 }, value('ReduceSum', { keepdims = 0 }, integers(1)))
      assert.same({ 2, 3 }, operator('Shape', {}, 1):forward(x):totable())
      assert.same({ { 0, 1, 2, 3, 4, 5 } }, value('Flatten', { axis = 0 }))
      assert.same({ { 0, 0, 1, 2 }, { 3, 3, 4, 5 } }, value('Pad', { mode = 'edge' },
         integers(0, 1, 0, 0)))
      assert.same({ 2, 2 }, value('ArgMax', { axis = 1, keepdims = 0 }))
   end)

   it('knows the error function as its series gives it', function()
      local function series(z) -- 2 / sqrt(pi) sum (-1)^n z^(2n+1) / (n! (2n+1))
         local sum, term = 0, z
         for n = 0, 60 do
            sum = sum + term / (2 * n + 1)
            term = -term * z * z / (n + 1)
         end
         return 2 / math.sqrt(math.pi) * sum
      end
      local x = torch.linspace(-3, 3, 41)
      local y = operator('Erf', {}, 1):forward(x)
      for i = 1, 41 do
         assert.is_true(math.abs(y[i] - series(x[i])) < 2e-7)
      end
   end)

   it('keeps the type of a value that is no parameter', function()
      local layer = operator('ConstantOfShape', { value = torch.LongTensor { 7 } }, 1):float()
      local y = layer:forward(torch.LongTensor { 2, 1 })
      assert.equal('torch.LongTensor', y:type())
      assert.same({ { 7 }, { 7 } }, y:totable())
   end)

   it('rounds the middle to even numbers', function()
      assert.same({ 0, 2, 2, -2, -4, 1, -1 }, operator('Round', {}, 1)
         :forward(torch.Tensor { 0.5, 1.5, 2.5, -2.5, -3.5, 0.9, -1.2 }):totable())
   end)

   it('saves, converts and says what was wrong', function()
      local layer = operator('Gather', { axis = 0 }, { weight = torch.randn(4, 2) }, 1)
      local at = torch.LongTensor { 3, 0 }
      local again = torch.deserialize(torch.serialize(layer)):float()
      assert.equal('torch.FloatTensor', again:forward(at):type())
      local off = (again:forward(at):double() - layer:forward(at)):abs():max()
      assert.is_true(off < 1e-6)
      assert.equal('onnx.Operator(Gather)', tostring(layer))
      raises('onnx.Operator Gather: position 9 of 4', layer.forward, layer, torch.LongTensor { 9 })
      raises('onnx.Operator Add: sizes 2x3 and 4 do not stretch to each other',
         nn.Module.forward, operator('Add', {}, 1, { weight = torch.randn(4) }), torch.randn(2, 3))
   end)
end)
