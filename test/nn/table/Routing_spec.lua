-- Layers that rearrange tables: which tensors go where, and come back.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local function ones(n)
   return torch.ones(n)
end

-- Scripts put buffers of their own in their places, and look first what is there.
describe('Layers of tables', function()
   it('have outputs and gradients of Torch7\'s kinds from the start', function()
      for name, kinds in pairs {
         SplitTable = { 'torch.DoubleTensor', 'torch.DoubleTensor' },
         SelectTable = { 'torch.DoubleTensor', 'table' }, NarrowTable = { 'table', 'table' },
         FlattenTable = { 'table', 'table' }, CAddTable = { 'torch.DoubleTensor', 'table' },
         JoinTable = { 'torch.DoubleTensor', 'table' }, ParallelTable = { 'table', 'table' },
         ConcatTable = { 'table', 'torch.DoubleTensor' },
         Concat = { 'torch.DoubleTensor', 'torch.DoubleTensor' },
         Parallel = { 'torch.DoubleTensor', 'torch.DoubleTensor' },
      } do
         local layer = name == 'CAddTable' and nn.CAddTable() or nn[name](1, 1)
         assert.same(kinds, { torch.type(layer.output), torch.type(layer.gradInput) }, name)
      end
   end)
end)

describe('nn.SelectTable', function()
   local x = { ones(2), ones(3), { ones(4), { ones(5) } } }

   it('gives the entry itself, by number, from the end, or by key', function()
      assert.equal(x[2], nn.SelectTable(2):forward(x))
      assert.equal(x[3], nn.SelectTable(-1):forward(x))
      assert.equal(x[1], nn.SelectTable('a'):forward { a = x[1] })
      assert.equal('nn.SelectTable(-1)', tostring(nn.SelectTable(-1)))
   end)

   it('has gradients of the structure of the input, zero elsewhere', function()
      local layer, g = nn.SelectTable(2), torch.Tensor { 1, 2, 3 }
      layer:forward(x)
      for _ = 1, 2 do -- the second time into the same tensors
         local gx = layer:backward(x, g)
         numbers.equal({ 0, 0 }, gx[1])
         numbers.equal({ 1, 2, 3 }, gx[2])
         numbers.equal({ 0, 0, 0, 0 }, gx[3][1])
         numbers.equal({ 0, 0, 0, 0, 0 }, gx[3][2][1])
         assert.not_equal(g, gx[2])
      end
      local less = { ones(1), ones(3) }
      layer:forward(less)
      assert.equal(2, #layer:backward(less, g))
   end)

   it('says which entry is missing', function()
      raises('nn.SelectTable: input is a table of 3, expected a table with an entry 4',
         nn.SelectTable(4).forward, nn.SelectTable(4), x)
      raises('nn.SelectTable: input is 3, expected a table', nn.SelectTable(1).forward,
         nn.SelectTable(1), ones(3))
   end)

   it('lets go of the tensors when it is converted or cleared', function()
      for _, let_go in ipairs { 'float', 'clearState' } do
         local layer = nn.SelectTable(2)
         layer:forward(x)
         layer[let_go](layer)
         assert.equal(0, layer.output:nElement())
         assert.equal(3, x[2]:nElement())
      end
   end)
end)

describe('nn.NarrowTable', function()
   it('gives entries in a row', function()
      local layer, x = nn.NarrowTable(2, 2), { ones(1), ones(2), ones(3), ones(4) }
      local y = layer:forward(x)
      assert.equal(2, #y)
      assert.equal(x[2], y[1])
      assert.equal(x[3], y[2])
      local gx = layer:backward(x, { torch.Tensor { 5, 6 }, ones(3) })
      assert.equal(4, #gx)
      numbers.equal({ 5, 6 }, gx[2])
      numbers.equal({ 0, 0, 0, 0 }, gx[4])
      assert.equal(x[3], nn.NarrowTable(3):forward(x)[1])
      raises('nn.NarrowTable: input is a table of 2, expected a table of 3 or more entries',
         layer.forward, layer, { ones(1), ones(2) })
   end)
end)

describe('nn.SplitTable', function()
   it('gives slices, and puts their gradients together', function()
      local x = torch.range(1, 24):view(2, 3, 4)
      for _, case in ipairs { { 2, nil, 2 }, { 1, 2, 2 }, { -1, nil, 3 }, { -3, nil, 1 } } do
         local layer = nn.SplitTable(case[1], case[2])
         local y = layer:forward(x)
         assert.equal(x:size(case[3]), #y)
         numbers.same(x:select(case[3], 2), y[2])
         assert.equal(x:storage(), y[2]:storage())
         local g = {}
         for i = 1, #y do
            g[i] = y[i]:clone():mul(2)
         end
         numbers.same(x * 2, layer:backward(x, g))
      end
      raises('nn.SplitTable: input is 4, expected 2 dimensions or more', nn.SplitTable(2).forward,
         nn.SplitTable(2), ones(4))
   end)
end)

describe('nn.FlattenTable', function()
   it('lists the tensors, and nests their gradients', function()
      local layer, x = nn.FlattenTable(), { ones(1), { ones(2), { ones(3) } }, ones(4) }
      local y = layer:forward(x)
      assert.same({ x[1], x[2][1], x[2][2][1], x[3] }, y)
      local g = { ones(1), ones(2), ones(3), ones(4) }
      local gx = layer:backward(x, g)
      assert.equal(g[1], gx[1])
      assert.equal(g[2], gx[2][1])
      assert.equal(g[3], gx[2][2][1])
      assert.equal(g[4], gx[3])
   end)

   it('keeps its output as long as the input has the same tensors', function()
      local layer, x = nn.FlattenTable(), { ones(1), { ones(2) } }
      local y = layer:forward(x)
      assert.equal(y, layer:forward { x[1], { x[2][1] } })
      for _, changed in ipairs { { x[1], { x[2][1], ones(3) } }, { x[1] }, { ones(1), { x[2][1] } },
         { x[1], x[2][1] }, { { x[1] }, { x[2][1] } } } do
         layer:forward(x)
         y = layer.output
         assert.not_equal(y, layer:forward(changed))
      end
   end)
end)

describe('nn.ZipTable', function()
   local a, b, c, d = ones(1), ones(2), ones(3), ones(4)

   it('makes columns of rows', function()
      local layer, x = nn.ZipTable(), { { a, b }, { c, d }, { b, a } }
      assert.same({ { a, c, b }, { b, d, a } }, layer:forward(x))
      assert.same(x, layer:backward(x, layer.output))
      raises('nn.ZipTable: input 2 is a table of 1, expected a table of 2 entries', layer.forward,
         layer, { { a, b }, { c } })
   end)

   it('OneToMany puts one beside each, and adds up its gradients', function()
      local layer, x = nn.ZipTableOneToMany(), { b, { a, c, d } }
      local y = layer:forward(x)
      assert.same({ { b, a }, { b, c }, { b, d } }, y)
      for _ = 1, 2 do
         local gx = layer:backward(x, y)
         numbers.equal({ 3, 3 }, gx[1])
         assert.same({ a, c, d }, gx[2])
      end
      numbers.equal({ 1, 1 }, b)
   end)
end)

describe('nn.CAddTensorTable', function()
   it('adds the tensor to each of the table', function()
      local layer = nn.CAddTensorTable()
      local x = { torch.Tensor { 1, 2 }, { torch.Tensor { 10, 20 }, torch.Tensor { 30, 40 } } }
      local y = layer:forward(x)
      numbers.equal({ 11, 22 }, y[1])
      numbers.equal({ 31, 42 }, y[2])
      local gx = layer:backward(x, y)
      numbers.equal({ 42, 64 }, gx[1])
      numbers.equal({ 31, 42 }, gx[2][2])
   end)
end)
