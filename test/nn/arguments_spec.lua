-- Constructors, containers and methods with wrong arguments: the error names the layer and the
-- argument, at the user's line.

local torch = require 'torch'
local nn = require 'nn'

local function assert_says(text, f)
   local ok, err = pcall(f)
   assert.is_false(ok, 'accepted; wanted: ' .. text)
   assert.matches('^test/nn/arguments_spec.lua:%d+: ', err)
   assert.matches(text, err, 1, true)
end

describe('nn: arguments', function()
   it('constructors name the size that is missing or wrong, and show the call', function()
      local layers = {
         Linear = { 2, 3 },
         SpatialConvolution = { 1, 2, 3, 3 },
         SpatialFullConvolution = { 1, 2, 3, 3 },
         SpatialMaxPooling = { 2, 2 },
         SpatialAveragePooling = { 2, 2 },
         BatchNormalization = { 4 },
         SpatialBatchNormalization = { 4 },
         LookupTable = { 5, 2 },
         LinearWeightNorm = { 2, 3 },
         SparseLinear = { 2, 3 },
         PartialLinear = { 2, 3 },
         Bilinear = { 2, 3, 4 },
         Euclidean = { 2, 3 },
         WeightedEuclidean = { 2, 3 },
         Cosine = { 2, 3 },
         Kmeans = { 2, 3 },
         OneHot = { 3 },
         Collapse = { 2 },
      }
      for name, sizes in pairs(layers) do
         assert.equal('nn.' .. name, torch.typename(nn[name](unpack(sizes))))
         for i = 1, #sizes do
            for _, wrong in ipairs { false, 'a', 0, -1, {} } do
               local arguments = { unpack(sizes) }
               arguments[i] = wrong or nil
               assert_says('expected a number from 1 on: nn.', function()
                  nn[name](unpack(arguments, 1, #sizes))
               end)
            end
         end
      end
      assert_says('nn.Linear: inputSize is nil, expected a number from 1 on: '
         .. 'nn.Linear(inputSize, outputSize[, bias])', function() nn.Linear() end)
      assert_says('nn.SpatialConvolution: kW is nil', function() nn.SpatialConvolution(1, 2) end)
   end)

   it('constructors name options of the wrong type, and take those left out', function()
      assert_says('nn.SpatialConvolution: padW is a string, expected a number: ', function()
         nn.SpatialConvolution(1, 2, 3, 3, nil, nil, 'same')
      end)
      assert_says('nn.SpatialMaxPooling: dH is a table', function()
         nn.SpatialMaxPooling(2, 2, 2, {})
      end)
      assert_says('nn.Threshold: value is a string', function() nn.Threshold(0, 'a') end)
      assert.equal(1, nn.SpatialConvolution(1, 2, 3, 3, nil, nil, 1).padH)
   end)

   it('View and Reshape name the size', function()
      assert_says('nn.View: size 1 is nil, expected a number: nn.View(', function() nn.View() end)
      assert_says('nn.View: size 2 is a string', function() nn.View(2, 'a') end)
      assert_says('nn.Reshape: size 1 is a table', function() nn.Reshape { 2 } end)
      assert_says('nn.Reshape: size 1 is nil', function() nn.Reshape(true) end)
   end)

   it('containers take modules', function()
      for _, container in ipairs { nn.Sequential(), nn.Container() } do
         local name = torch.typename(container)
         assert_says(name .. ': got a number, expected a module', function() container:add(3) end)
         assert_says(name .. ': got a torch.', function()
            container:add(torch.DoubleTensor(1))
         end)
         assert_says(name .. ': got the class nn.Tanh, expected a module: add(nn.Tanh(...))',
            function() container:add(nn.Tanh) end)
         assert.equal(0, container:size())
      end
      assert_says('nn.Sequential: got nil, expected a module', function()
         nn.Sequential():add(nil)
      end)
      assert.equal(0, nn.ConcatTable():add(nil):size()) -- as in Torch7
      assert_says('nn.Sequential: got a table', function() nn.Sequential():insert({}, 1) end)
      local stand_in = { updateOutput = function(_, x) return x end } -- no class, as in Torch7
      assert.equal(3, nn.Sequential():add(stand_in):forward(3))
   end)

   it('steps are numbers', function()
      local layer = nn.Linear(2, 2)
      assert_says('nn.Linear: learningRate is a string, expected a number', function()
         layer:updateParameters 'a'
      end)
      assert_says('nn.Linear: learningRate is nil', function()
         nn.Sequential():add(layer):updateParameters()
      end)
      assert_says('nn.Linear: lr is nil', function()
         layer:accUpdateGradParameters(torch.Tensor(2), torch.Tensor(2))
      end)
   end)

   it('a storage of sizes stays the caller\'s', function()
      local sizes = torch.LongStorage { 2, 3 }
      local layers = { nn.Reshape(sizes), nn.View(sizes), nn.CMul(sizes), nn.CAdd(sizes) }
      sizes[1], sizes[2] = 7, 8
      for _, layer in ipairs(layers) do
         assert.same({ 2, 3 }, layer.size:totable())
         assert.equal(24, layer:forward(torch.ones(4, 2, 3)):nElement())
      end
   end)

   it('a criterion tells predictions from targets', function()
      local x = torch.randn(2, 3)
      for _, name in ipairs { 'MSECriterion', 'ClassNLLCriterion', 'MultiMarginCriterion' } do
         assert_says('nn.' .. name .. ': input is a torch.LongTensor, expected predictions',
            function()
               nn[name]():forward(torch.LongTensor { 1, 2 }, x)
            end)
      end
      assert_says('nn.MSECriterion: target is a torch.FloatTensor, but the input is a torch.Double',
         function() nn.MSECriterion():forward(x, x:float()) end)
      assert_says('input 2 is a torch.FloatTensor, but the first is a torch.Double', function()
         nn.CosineEmbeddingCriterion():forward({ x, x:float() }, torch.ones(2))
      end)
      assert_says('the classes of rows of 0 and 1 are _, classes = target:max(2)', function()
         nn.ClassNLLCriterion():forward(x, torch.eye(2, 3))
      end)
   end)

   it('what needs an output says that there was no forward', function()
      for _, layer in ipairs { nn.Tanh(), nn.SoftMax(), nn.LogSigmoid() } do
         assert_says('the output is empty: run forward on this input first', function()
            layer:backward(torch.ones(1, 4, 4), torch.ones(1, 4, 4))
         end)
      end
      for _, layer in ipairs { nn.Linear(8, 2), nn.LogSoftMax(), nn.SpatialMaxPooling(2, 2) } do
         assert_says('; before backward, run forward on this input', function()
            layer:backward(nn.Tanh().output, torch.ones(2, 2))
         end)
         local _, err = pcall(layer.forward, layer, torch.Tensor())
         assert.matches('input is empty, expected', err, 1, true)
         assert.is_nil(err:find('backward', 1, true))
      end
      for _, layer in ipairs { nn.View(4), nn.Transpose { 1, 2 }, nn.Narrow(1, 1, 1),
         nn.CAddTable() } do
         assert_says('; before backward, run forward on this input', function()
            layer:updateGradInput(torch.Tensor(), torch.ones(4))
         end)
      end
      assert_says('nn.Sequential: apply wants a function of a module, got 3', function()
         nn.Sequential():apply(3)
      end)
   end)

   it('types are those of tensors', function()
      assert_says('type: torch.Foo is not a tensor type', function()
         nn.Linear(2, 2):type 'torch.Foo'
      end)
      assert_says('type: 3 is not a tensor type', function() nn.MSECriterion():type(3) end)
      for _, criterion in ipairs {
         nn.MSECriterion(), nn.MultiCriterion():add(nn.AbsCriterion()), nn.CrossEntropyCriterion(),
         nn.ParallelCriterion():add(nn.AbsCriterion()),
      } do
         assert_says("riterion: type needs the name of one to convert to, such as "
            .. "'torch.FloatTensor'", function() criterion:type() end)
      end
      if not torch.CudaTensor then
         local advice = "there is no torch.CudaTensor yet: require 'cutorch' first"
         assert_says(advice, function() nn.Sequential():add(nn.Tanh()):cuda() end)
         assert_says(advice, function() nn.MSECriterion():cuda() end)
      end
   end)

   it('errors of operations begin with the layer', function()
      assert_says('nn.MSECriterion: ', function()
         nn.MSECriterion():forward(torch.Tensor(3), torch.Tensor(4))
      end)
      assert_says('nn.SpatialMaxPooling: ', function()
         nn.SpatialMaxPooling(5, 5):forward(torch.Tensor(1, 3, 3))
      end)
      local layer = nn.Linear(2, 3)
      assert_says('nn.Linear: gradOutput is 4x2, expected 4x3', function()
         layer:backward(torch.Tensor(4, 2), torch.Tensor(4, 2))
      end)
      assert_says('nn.Linear: gradOutput is 2, expected 3', function()
         layer:accGradParameters(torch.Tensor(2), torch.Tensor(2))
      end)
   end)

   it('positions and sizes are cut off when a layer is made, as C functions cut them', function()
      local x, list = torch.rand(3, 4), { torch.rand(3, 4), torch.rand(3, 4) }
      local function same(a, b, input)
         local y, z = a:forward(input), b:forward(input)
         assert.same(torch.serialize(z), torch.serialize(y), torch.type(a))
         local g = torch.isTensor(y) and y:clone() or y
         assert.same(torch.serialize(b:backward(input, g)), torch.serialize(a:backward(input, g)))
      end
      for _, name in ipairs { 'Sum', 'Mean', 'Max', 'Min', 'SplitTable', 'Unsqueeze' } do
         same(nn[name](2.5), nn[name](2), x)
      end
      same(nn.Select(2.9, 4.9), nn.Select(2, 4), x)
      same(nn.Select(2.1, -4.9), nn.Select(2, -4), x)
      same(nn.Narrow(2.5, 3.7, 2.9), nn.Narrow(2, 3, 2), x)
      same(nn.Transpose { 1, 2.5 }, nn.Transpose { 1, 2 }, x)
      same(nn.Transpose { '1', '2' }, nn.Transpose { 1, 2 }, x)
      same(nn.Replicate(3.6, 2.5), nn.Replicate(3, 2), x)
      same(nn.Padding(2.5, 1.5), nn.Padding(2, 1), x)
      same(nn.PReLU(4.6), nn.PReLU(4), x)
      same(nn.JoinTable(2.5), nn.JoinTable(2), list)
      same(nn.Index(2.5), nn.Index(2), { x, torch.LongTensor { 4, 1 } })
      same(nn.Concat(2.5):add(nn.Identity()):add(nn.Tanh()),
         nn.Concat(2):add(nn.Identity()):add(nn.Tanh()), x)
      assert.equal(2, nn.Sum(2.5).dimension)
   end)
end)
