-- Squeeze, Unsqueeze, Replicate, Transpose, Collapse, Contiguous, Convert.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local function sizes(y)
   return table.concat(y:size():totable(), 'x')
end

local function shape_of(layer, ...)
   return sizes(layer:forward(torch.Tensor(...)))
end

describe('nn.Squeeze and nn.Unsqueeze', function()
   it('take away and insert dimensions of size 1', function()
      assert.equal('2x3', shape_of(nn.Squeeze(), 2, 1, 3, 1))
      assert.equal('2x3x1', shape_of(nn.Squeeze(2), 2, 1, 3, 1))
      assert.equal('2x3', shape_of(nn.Squeeze(1), 2, 3))
      assert.equal('2x3x1', shape_of(nn.Squeeze(1, 3), 2, 1, 3, 1))
      assert.equal('1x2x3', shape_of(nn.Unsqueeze(1), 2, 3))
      assert.equal('2x3x1', shape_of(nn.Unsqueeze(3), 2, 3))
      assert.equal('5x1x2x3', shape_of(nn.Unsqueeze(1, 2), 5, 2, 3))
      assert.equal('5x2x1x3', shape_of(nn.Unsqueeze(2):setNumInputDims(2), 5, 2, 3))
   end)

   it('keep the dimension of a batch of one', function()
      assert.equal('1x3', shape_of(nn.Squeeze(nil, 2), 1, 1, 3))
      assert.equal('1x3', shape_of(nn.Squeeze():setNumInputDims(2), 1, 1, 3))
      assert.equal('3', shape_of(nn.Squeeze(nil, 2), 1, 3))
   end)

   it('print what they do', function()
      assert.equal('nn.Squeeze', tostring(nn.Squeeze()))
      assert.equal('nn.Squeeze(2)', tostring(nn.Squeeze(2)))
      assert.equal('nn.Unsqueeze(dim 2)', tostring(nn.Unsqueeze(2)))
   end)
end)

describe('nn.Replicate', function()
   it('shows one memory several times', function()
      local layer, x = nn.Replicate(3), torch.Tensor { 1, 2 }
      local y = layer:forward(x)
      x[1] = 7
      numbers.equal({ { 7, 2 }, { 7, 2 }, { 7, 2 } }, y)
      numbers.equal({ 9, 12 }, layer:backward(x, torch.Tensor { { 1, 2 }, { 3, 4 }, { 5, 6 } }))
      assert.equal('4x3x2', shape_of(nn.Replicate(2, 2, 1), 4, 3))
      assert.equal('4x2x3', shape_of(nn.Replicate(2, 1, 1), 4, 3))
   end)
end)

describe('nn.Transpose', function()
   it('swaps pair after pair', function()
      local x = torch.range(1, 24):view(2, 3, 4)
      local y = nn.Transpose({ 1, 2 }, { 2, 3 }):forward(x)
      assert.equal('3x4x2', sizes(y))
      assert.is_true(y:isContiguous())
      assert.equal(x[2][3][4], y[3][4][2])
      assert.equal('2x4x3', sizes(nn.Transpose({ 1, 2 }):setNumInputDims(2):forward(x)))
   end)

   it('wants pairs', function()
      raises('nn.Transpose: pairs 1 is 1, expected a table: nn.Transpose({pairs}, ...)',
         nn.Transpose, 1, 2)
      raises('pairs 1 is nil', nn.Transpose)
      raises('pairs 2 is { 3 }, expected two dimensions', nn.Transpose, { 1, 2 }, { 3 })
   end)
end)

describe('nn.Collapse and nn.Contiguous', function()
   it('make one dimension of a sample', function()
      assert.equal('8x60', shape_of(nn.Collapse(3), 8, 3, 4, 5))
      assert.equal('60', shape_of(nn.Collapse(3), 3, 4, 5))
      numbers.equal({ 1, 3, 2, 4 }, nn.Collapse(2):forward(torch.range(1, 4):view(2, 2):t()))
   end)

   it('copy only what has gaps, and never into an earlier input', function()
      local layer, x = nn.Contiguous(), torch.range(1, 4):view(2, 2)
      assert.equal(x:data(), layer:forward(x):data())
      numbers.equal({ { 1, 3 }, { 2, 4 } }, layer:forward(x:t()))
      assert.is_true(layer.output:isContiguous())
      numbers.equal({ { 1, 2 }, { 3, 4 } }, x)
   end)
end)

describe('nn.Convert', function()
   it('moves dimensions, of batches and single samples', function()
      local x = torch.randn(8, 3, 5, 4)
      numbers.same(x:permute(2, 3, 4, 1), nn.Convert('bchw', 'chwb'):forward(x))
      numbers.same(x:view(8, 60), nn.Convert('chw', 'bf'):forward(x))
      numbers.same(x[1]:permute(2, 3, 1), nn.Convert('chw', 'hwc'):forward(x[1]))
      numbers.same(x[1]:view(60), nn.Convert('bchw', 'bf'):forward(x[1]))
      numbers.same(x:permute(1, 3, 4, 2):contiguous():view(8, 5, 4, 3),
         nn.Convert('bchw', 'bhwc'):forward(x))
   end)

   it('changes the element type', function()
      local x = torch.DoubleTensor { { 1, 2 } }
      assert.equal('torch.FloatTensor', torch.typename(nn.Convert():float():forward(x)))
      assert.equal('torch.FloatTensor', torch.typename(nn.Convert('bf', 'fb'):float():forward(x)))
   end)

   it('refuses shapes that do not fit', function()
      raises("nn.Convert: 'bchw' cannot become 'bcw': a dimension is missing there", nn.Convert,
         'bchw', 'bcw')
      raises("nn.Convert: 'bchw' cannot become 'bt': a dimension is missing", nn.Convert, 'bchw',
         'bt')
      raises("nn.Convert: 'bchw' cannot become 'bx': there is no x", nn.Convert, 'bchw', 'bx')
      local layer = nn.Convert('bf', 'b')
      raises('nn.Convert: input is 2x3, expected 1 feature', layer.forward, layer,
         torch.ones(2, 3))
   end)

   it('adds and takes away dimensions of one target', function()
      local x = torch.Tensor { { 1, 2 }, { 3, 4 } }
      numbers.equal({ { 5 }, { 6 } }, nn.Convert('b', 'bf'):forward(torch.Tensor { 5, 6 }))
      numbers.equal({ { 5 }, { 6 } }, nn.Convert('b', 'bt'):forward(torch.Tensor { 5, 6 }))
      numbers.equal({ 5, 6 }, nn.Convert('bf', 'b'):forward(torch.Tensor { { 5 }, { 6 } }))
      local layer = nn.Convert('bt', 'b')
      numbers.equal({ 1, 3 }, layer:forward(x))
      numbers.equal({ { 7, 0 }, { 8, 0 } }, layer:backward(x, torch.Tensor { 7, 8 }))
   end)

   it('has a module for each conversion', function()
      local layer = nn.Convert('bchw', 'bhwc')
      local x = torch.randn(2, 3, 4, 5)
      numbers.same(layer:forward(x), layer:buildConverter():forward(x))
      numbers.same(layer.output, layer:transpose('bhwc'):forward(x))
      numbers.same(x:view(2, 60), layer:bf():forward(x))
      numbers.equal({ { 5 } }, nn.Convert('b', 'b'):bt():forward(torch.Tensor { 5 }))
      numbers.equal({ 5 }, nn.Convert('bf', 'bf'):b():forward(torch.Tensor { { 5 } }))
      assert.equal(x, layer:default():forward(x))
      assert.equal(3, layer:findAxis 'h')
      assert.is_nil(layer:findAxis('t', nil, true))
      raises("nn.Convert: there is no t in 'bchw'", layer.findAxis, layer, 't')
   end)
end)
