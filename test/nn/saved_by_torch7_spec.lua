-- Modules with the bytes and fields that Torch7 gives them; the format is written out by hand.

local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'

-- A tensor with storage as the ASCII format has it; `index` and `index + 1` are free object
-- numbers.
local function tensor(index, sizes, strides, values)
   local count = select(2, values:gsub('%S+', ''))
   local geometry = ('%d;%s;%s;1'):format(select(2, sizes:gsub('%S+', '')), sizes, strides)
   return ('4;%d;3;V 1;18;torch.DoubleTensor;%s;4;%d;3;V 1;19;torch.DoubleStorage;%d;%s'):format(
      index, geometry, index + 1, count, values)
end

local function field(name, value)
   return ('2;%d;%s;%s'):format(#name, name, value)
end

local function empty(index)
   return ('4;%d;3;V 1;18;torch.DoubleTensor;0;1;0'):format(index)
end

local linear = table.concat({
   '4;1;3;V 1;9;nn.Linear;3;2;8',
   field('_type', '2;18;torch.DoubleTensor'),
   field('output', empty(3)),
   field('gradInput', empty(4)),
   field('weight', tensor(5, '2 3', '3 1', '1 2 3 4 5 6')),
   field('bias', tensor(7, '2', '1', '0.5 -0.5')),
   field('gradWeight', tensor(9, '2 3', '3 1', '0 0 0 0 0 0')),
   field('gradBias', tensor(11, '2', '1', '0 0')),
   field('addBuffer', tensor(13, '4', '1', '1 1 1 1')),
}, ';'):gsub(';', '\n') .. '\n'

-- Defaults for what a file lacks come when it is read.
local function again(object)
   return torch.deserialize(torch.serialize(object))
end

describe('modules saved by Torch7', function()
   it('load and run: nn.Linear', function()
      local layer = torch.deserialize(linear, 'ascii')
      assert.equal('nn.Linear(3 -> 2)', tostring(layer))
      local x = torch.Tensor { { 1, 0, -1 }, { 0, 1, 0 } }
      numbers.equal({ { -1.5, -2.5 }, { 2.5, 4.5 } }, layer:forward(x))
      layer:backward(x, torch.ones(2, 2))
      numbers.equal({ { 1, 1, -1 }, { 1, 1, -1 } }, layer.gradWeight)
      numbers.equal({ 2, 2 }, layer.gradBias)
   end)

   it('work without the fields of later versions: nn.SpatialMaxPooling', function()
      local layer = nn.SpatialMaxPooling(2, 2)
      layer.padW, layer.padH, layer.ceil_mode = nil, nil, nil
      layer.indices = torch.Tensor(1, 1, 1) -- once of the layer's own type
      layer = again(layer)
      local x = torch.Tensor { { { 1, 2 }, { 4, 3 } } }
      numbers.equal({ { { 4 } } }, layer:forward(x))
      numbers.equal({ { { 0, 0 }, { 5, 0 } } }, layer:backward(x, torch.Tensor(1, 1, 1):fill(5)))
      assert.equal('nn.SpatialMaxPooling(2x2, 2,2)', tostring(layer))
   end)

   it('work without the fields of later versions: criteria', function()
      local nll = nn.ClassNLLCriterion()
      nll.output_tensor, nll.total_weight_tensor, nll.target, nll.ignoreIndex = nil, nil, nil, nil
      nll = again(nll)
      local x = torch.Tensor { { -1, -2 }, { -3, -4 } }
      assert.equal(2.5, nll:forward(x, torch.Tensor { 1, 2 }))
      numbers.equal({ { -0.5, 0 }, { 0, -0.5 } }, nll:backward(x, torch.Tensor { 1, 2 }))
      assert.equal(7.5, nn.MSECriterion():forward(x, torch.zeros(2, 2)))
   end)

   it('work without the fields of later versions: nn.Dropout', function()
      local layer = nn.Dropout(0.5)
      layer.stochastic_inference, layer.inplace = nil, nil
      layer = again(layer)
      layer:evaluate()
      numbers.equal({ 1, 2 }, layer:forward(torch.Tensor { 1, 2 }))
   end)
end)
