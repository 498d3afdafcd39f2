-- Constants of a file: one parameter with one gradient for what several nodes read, numbers as they
-- are in the file.
local torch = require 'torch'
local nn = require 'nn'
local types = require 'onnx.types'
local differences = require 'test.onnx.gradients'
local nets = require 'test.onnx.support'

local node, value, floats = nets.node, nets.value, nets.floats
local choice, ON, import, refused = nets.choice, nets.ON, nets.import, nets.refused

describe('A constant that several nodes read', function()
   it('is one parameter with one gradient', function()
      for _, kind in ipairs { 'MatMul', 'Add' } do
         local w = kind == 'Add' and floats('w', 3) or floats('w', 3, 3)
         local net = import(nets.model({ choice({ node(kind, { 'x', 'w' }, 'a') },
            { node('Neg', { 'x' }, 'n'), node(kind, { 'n', 'w' }, 'b') }) },
            { input = { value('x', 2, 3), ON }, initializer = { w } }))
         local parameters, gradients = net:getParameters()
         assert.same({ #w.float_data, #w.float_data }, { parameters:size(1), gradients:size(1) })
         local x, wanted = torch.randn(2, 3):float(), nil
         for _, on in ipairs { 1, 0 } do -- both branches add to it
            local input = { x, torch.ByteTensor { on } }
            local y = net:forward(input)
            gradients:zero()
            net:backward(input, y:clone():fill(1))
            wanted = wanted or gradients:clone()
            local sign = kind == 'Add' and 1 or on == 1 and 1 or -1
            assert.is_true((gradients - wanted * sign):abs():max() < 1e-5)
         end
         assert.is_true(wanted:abs():max() > 0)
      end
   end)

   it('in a layer and its bias, too, and in copies and other types', function()
      local net = import(nets.model({ node('Gemm', { 'x', 'w', 'c' }, 'h'),
         node('Tanh', { 'h' }, 't'), node('Gemm', { 't', 'w', 'c' }, 'y') },
         { initializer = { floats('w', 3, 3), floats('c', 3) } }))
      assert.equal(2, #net:findModules 'nn.Linear')
      for _, one in ipairs { net, net:clone(), net:clone():double() } do
         local parameters, gradients = one:getParameters()
         assert.same({ 12, 12 }, { parameters:size(1), gradients:size(1) })
      end
   end)

   it('as it is and transposed', function()
      local turned = { name = 'transB', type = 2, i = 1 }
      local nodes = {
         ['both ways'] = { node('Gemm', { 'x', 'w' }, 'h'), node('Gemm', { 'h', 'w' }, 'y',
            { turned }) },
         ['as a product and a summand'] = { node('MatMul', { 'x', 'w' }, 'h'),
            node('ReduceSum', { 'h' }, 's'), node('Mul', { 's', 'w' }, 'y') },
         ['of a Transpose'] = { node('Transpose', { 'w' }, 't'), node('MatMul', { 'x', 'w' }, 'h'),
            node('MatMul', { 'h', 't' }, 'y') },
         ['of a Transpose, and in rows'] = { node('Transpose', { 'w' }, 't'),
            node('Shape', { 'x' }, 'rows', { { name = 'end', type = 2, i = 1 } }),
            node('Gather', { 'w', 'rows' }, 'row'), node('Add', { 'x', 'row' }, 'h'),
            node('MatMul', { 'h', 't' }, 'y') },
      }
      for name, list in pairs(nodes) do
         local net = import(nets.model(list, { initializer = { floats('w', 3, 3) } }))
         for _, one in ipairs { net, net:clone(), net:clone():double():float() } do
            local parameters, slopes = one:getParameters()
            assert.same({ name, 9, 9 }, { name, parameters:size(1), slopes:size(1) })
            differences.check(one:double(), { torch.randn(2, 3) })
         end
      end
   end)

   it('as a parameter and as what says how to compute, which does not learn', function()
      local one = { name = 'k', dims = { 1 }, data_type = 1, float_data = { 0.5 } }
      local net = import(nets.model({ node('Mul', { 'x', 'k' }, 'h'),
         node('QuantizeLinear', { 'h', 'k' }, 'q'), node('DequantizeLinear', { 'q', 'k' }, 'y') },
         { initializer = { one } }))
      local x = torch.FloatTensor(2, 3):fill(2)
      assert.equal(1, net:forward(x):max())
      net:getParameters():fill(2)
      assert.equal(4, net:forward(x):max()) -- 2 * 2 in steps of a half still, not in steps of 2
      net:getParameters():fill(0.6)
      assert.equal(1, net:forward(x):max())
      net = import(nets.model({ node('QuantizeLinear', { 'x', 'k' }, 'q', {}, 'com.microsoft'),
         node('DequantizeLinear', { 'q', 'k' }, 'y', {}, 'com.microsoft') },
         { initializer = { one } }))
      assert.same({ 2, 0 }, { net:forward(x):max(), net:getParameters():nElement() })
      net = import(nets.model({ node('Pow', { 'x', 'k' }, 'y') }, { initializer = { one } }))
      assert.same({ 2 ^ 0.5, 0 }, { net:double():forward(x:double()):max(),
         net:getParameters():nElement() })
   end)
end)

describe('Whole numbers of 64 bits', function()
   -- The largest is in no Lua number.
   local LARGEST = torch.LongTensor { 2 ^ 62 } - 1 + 2 ^ 62

   local function longs(name, t)
      return types.encode(name, t)
   end

   it('are what the file has', function()
      local big = torch.LongTensor { 2 ^ 60, -2 ^ 61, 0 } + 1
      local input = { { name = 'x', type = { tensor_type = { elem_type = 7,
         shape = { dim = { { dim_value = 3 } } } } } } }
      local net = import(nets.model({ node('Add', { 'x', 'c' }, 'y') }, { input = input,
         initializer = { longs('c', big) } }))
      local x = torch.LongTensor { 1, 2, 3 }
      for _, one in ipairs { net, net:clone(), net:clone():double() } do
         local y = one:forward(x)
         assert.equal('torch.LongTensor', y:type())
         assert.same({ 1, 2, 3 }, (y - big):totable())
      end
      net = import(nets.model({ node('Clip', { 'x', 'low', 'high' }, 'y') }, { input = input,
         initializer = { longs('low', torch.LongTensor { 2 }), longs('high', LARGEST) } }))
      assert.same({ 2, 2, 3 }, net:forward(x):totable())
   end)

   it('say "to the end" in attributes, too', function()
      local function slice(last)
         return nets.model { node('Constant', {}, 's', { { name = 'value_ints', type = 7,
            ints = { 1 } } }), node('Constant', {}, 'e', { { name = 'value_ints', type = 7,
               ints = { last } } }), node('Slice', { 'x', 's', 'e', 's' }, 'y') }
      end
      for _, last in ipairs { 3, 9223372036854775807LL } do
         local y = import(slice(last)):forward(torch.FloatTensor(2, 3))
         assert.same({ 2, 2 }, y:size():totable())
      end
      refused("node Constant 'constant': its operands are constants, and it cannot be computed: of "
         .. 'an attribute 1152921504606846976 is not read exactly: write it as a tensor',
         slice(2 ^ 60))
   end)
end)

describe('nn has layers of constants', function()
   it('but for statistics, which move', function()
      local net = import(nets.model({ node('BatchNormalization', { 'x', 'w', 'w', 'w', 'w' }, 'h'),
         node('BatchNormalization', { 'h', 'w', 'w', 'w', 'w' }, 'y') },
         { initializer = { floats('w', 3) } }))
      net:training()
      net:forward(torch.randn(2, 3):float())
      local first, second = net:get(1), net:get(2)
      assert.same({ 0.125, 0.25, 0.375 }, first.weight:totable())
      assert.is_true((first.running_mean - second.running_mean):abs():max() > 0)
      assert.is_true((first.running_mean - first.weight):abs():max() > 0)
   end)

   it('whose gradients are zeros at first', function()
      local net = import(nets.model({ node('Gemm', { 'x', 'w' }, 'y') },
         { initializer = { floats('w', 3, 3) } }))
      assert.equal(0, net:get(1).gradWeight:abs():max())
      assert.is_true(torch.isTypeOf(net:get(1), nn.Linear))
   end)
end)
