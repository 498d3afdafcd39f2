-- Which values are numbers without dimensions: who unsqueezes one, or asks for its sizes, sees it.
local torch = require 'torch'
local onnx = require 'onnx'
local nets = require 'test.onnx.support'
local shell = require 'test.support.shell'
local types = require 'onnx.types'

local node = nets.node

local function int(name, value)
   return { name = name, type = 2, i = value }
end

local function text(name, value)
   return { name = name, type = 3, s = value }
end

-- The sizes of what nodes give under the name y of x, a tensor of 2 x 3, once unsqueezed in front.
local function unsqueezed(nodes, opset)
   nodes[#nodes + 1] = node('Unsqueeze', { 'y', 'front' }, 'z')
   local y
   shell.with_folder(function(folder)
      nets.store(folder .. '/x.onnx', nets.model(nodes, { output = { nets.value 'z' },
         opset_import = { { domain = '', version = opset or 17 } }, initializer = {
            types.encode('front', torch.LongTensor { 0 }),
            types.encode('pair', torch.LongTensor { 1, 2 }),
            types.encode('unit', torch.FloatTensor(1, 1):fill(2)),
            { name = 'none', dims = { 0 }, data_type = 7 } } }))
      y = onnx.import(folder .. '/x.onnx'):forward(torch.FloatTensor(2, 3):fill(0.5))
   end)
   return y:size():totable()
end

local function sum()
   return node('ReduceSum', { 'x' }, 's', { int('keepdims', 0) })
end

describe('A number without dimensions', function()
   it('is one of functions of each element', function()
      for _, kind in ipairs { 'Asin', 'Acos', 'Atan', 'Tan', 'Sinh', 'Cosh' } do
         assert.same({ 1 }, unsqueezed { sum(), node(kind, { 's' }, 'y') })
      end
   end)

   it('is what all dimensions of size 1 leave, as far as sizes are known', function()
      assert.same({ 1 }, unsqueezed { node('Squeeze', { 'unit' }, 'u'), sum(),
         node('Mul', { 'u', 's' }, 'y') })
      assert.same({ 1, 2, 3 }, unsqueezed { node('Squeeze', { 'x' }, 'y') })
   end)

   it('is an element that a tuple names, and none where there are several', function()
      assert.same({ 1 }, unsqueezed { node('GatherND', { 'x', 'pair' }, 'y') })
      assert.same({ 1, 3 }, unsqueezed { node('GatherND', { 'x', 'front' }, 'y') })
   end)

   it('is a product whose labels are all summed', function()
      for equation, sizes in pairs { ['ij->'] = { 1 }, ['ij,ij'] = { 1 }, ['i j , i j -> '] = { 1 },
         ['ij,kj->ik'] = { 1, 2, 2 }, ['ij,ij->j'] = { 1, 3 }, ['ij,kj'] = { 1, 2, 2 },
         ['...j->...'] = { 1, 2 } } do
         local operands = equation:find ',' and { 'x', 'x' } or { 'x' }
         assert.same({ equation, sizes }, { equation, unsqueezed { node('Einsum', operands, 'y',
            { text('equation', equation) }) } })
      end
   end)

   it('is a reduction of no axes, unless that reduces nothing', function()
      local away, still = int('keepdims', 0), int('noop_with_empty_axes', 1)
      for _, kind in ipairs { 'ReduceSum', 'ReduceMax', 'ReduceLogSumExp' } do
         for _, operands in ipairs { { 'x' }, { 'x', 'none' } } do
            assert.same({ 1 }, unsqueezed({ node(kind, operands, 'y', { away }) }, 18))
            assert.same({ 1, 2, 3 }, unsqueezed({ node(kind, operands, 'y', { away, still }) }, 18))
         end
         assert.same({ 1, 3 }, unsqueezed({ node(kind, { 'x', 'front' }, 'y', { away }) }, 18))
      end
   end)
end)

describe('Lists without entries', function()
   it('say nothing', function()
      assert.same({ 1, 2, 3 }, unsqueezed { node('Expand', { 'x', 'none' }, 'y') })
      assert.same({ 1, 2, 3 }, unsqueezed { node('Slice', { 'x', 'none', 'none' }, 'y') })
      assert.same({ 1, 2, 3 }, unsqueezed { node('Unsqueeze', { 'x', 'none' }, 'y') })
      assert.same({ 1 }, unsqueezed { node('ConstantOfShape', { 'none' }, 'one'), sum(),
         node('Add', { 'one', 's' }, 'y') })
   end)
end)
