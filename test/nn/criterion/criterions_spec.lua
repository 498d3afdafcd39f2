-- What is particular to each; values are compared in oracle_spec, gradients walked.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

describe('nn.BCECriterion', function()
   it('is finite for probabilities 0 and 1', function()
      local x, t = torch.Tensor { 0, 1 }, torch.Tensor { 1, 0 }
      assert.near(-math.log(1e-12), nn.BCECriterion():forward(x, t), 1e-3)
      assert.is_true(math.abs(nn.BCECriterion():backward(x, t)[1]) < 1e13)
   end)

   it('says how many weights it has, and which it needs', function()
      assert.equal(3, nn.BCECriterion(torch.ones(3)):__len())
      assert.equal(0, nn.BCECriterion():__len())
      raises('nn.BCECriterion: weights is 3, expected one for each element of a sample of the '
         .. 'input, which is 2x4', function()
         nn.BCECriterion(torch.ones(3)):forward(torch.rand(2, 4), torch.rand(2, 4))
      end)
   end)

   it('has weights of a sample of several dimensions, or of its planes', function()
      local x, t = torch.rand(2, 3, 4), torch.rand(2, 3, 4)
      for _, weights in ipairs { torch.rand(3, 4), torch.rand(3) } do
         local each = weights:view(1, 3, -1):expand(2, 3, 4):clone()
         assert.near(nn.BCECriterion(each):forward(x, t), nn.BCECriterion(weights):forward(x, t),
            1e-14)
         numbers.same(nn.BCECriterion(each):backward(x, t),
            nn.BCECriterion(weights):backward(x, t), 1e-14)
      end
      raises('weights is 4, expected one for each element of a sample of the input, which is '
         .. '2x3x4, or for each plane of it', function()
         nn.BCECriterion(torch.ones(4)):forward(x, t)
      end)
   end)

   it('refuses what is no probability, and passes a NaN on', function()
      local t = torch.Tensor { 1, 0, 1 }
      for _, bad in ipairs { -0.1, 1.5, -math.huge, math.huge } do
         for _, x in ipairs { torch.Tensor { bad, 0.5, 1 }, torch.Tensor { 1, 0, bad } } do
            local message = 'nn.BCECriterion: input has 1 element outside of 0 to 1, where a '
               .. 'logarithm is no number; probabilities come of nn.Sigmoid, and scores go to '
               .. 'nn.BCEWithLogitsCriterion as they are'
            raises(message, nn.BCECriterion().forward, nn.BCECriterion(), x, t)
            local float = nn.BCECriterion(nil, false):float()
            raises(message, float.forward, float, x:float(), t:float())
            raises(message, nn.BCECriterion().forward, nn.BCECriterion(), x:requiresGrad(), t)
         end
      end
      raises('nn.BCECriterion: input has 2 elements outside of 0 to 1', nn.BCECriterion().forward,
         nn.BCECriterion(), torch.Tensor { 2, -1, 1 }, t)
      local loss = nn.BCECriterion():forward(torch.Tensor { 0 / 0, 0, 1 }, t)
      assert.is_true(loss ~= loss)
   end)
end)

describe('nn.BCEWithLogitsCriterion', function()
   it('is exact where a sigmoid is 0 or 1', function()
      local x, t = torch.Tensor { -800, 800 }, torch.Tensor { 1, 0 }
      assert.equal(800, nn.BCEWithLogitsCriterion():forward(x, t))
      numbers.equal({ -0.5, 0.5 }, nn.BCEWithLogitsCriterion():backward(x, t))
   end)
end)

describe('nn.MultiLabelSoftMarginCriterion', function()
   it('finds its weights where Torch7 has saved them', function()
      local x, t, w = torch.randn(2, 3), torch.Tensor(2, 3):bernoulli(), torch.Tensor { 0.5, 1, 2 }
      local criterion = nn.MultiLabelSoftMarginCriterion(w)
      local loss = criterion:forward(x, t)
      criterion.nll, criterion.weights = nn.BCECriterion(w), nil
      assert.near(loss, torch.deserialize(torch.serialize(criterion)):forward(x, t), 1e-15)
   end)
end)

describe('nn.FocalCriterion', function()
   it('weighs the cross entropy by what is missing to certainty', function()
      local x, t = torch.Tensor { 2, -1, 0.5 }, torch.Tensor { 1, 0, 0 }
      local sum = 0
      for i = 1, 3 do
         local p = 1 / (1 + math.exp(-x[i]))
         local sure = t[i] == 1 and p or 1 - p
         sum = sum - (t[i] == 1 and 0.25 or 0.75) * (1 - sure) ^ 2 * math.log(sure)
      end
      assert.near(sum / 3, nn.FocalCriterion():forward(x, t), 1e-14)
      assert.near(nn.BCEWithLogitsCriterion():forward(x, t), nn.FocalCriterion(0, -1):forward(x, t),
         1e-15)
   end)
end)

describe('nn.WeightedMSECriterion', function()
   it('weighs the target, as Torch7 does', function()
      local criterion = nn.WeightedMSECriterion(torch.Tensor { 2, 0.5 })
      local x, t = torch.Tensor { { 1, 2 }, { 3, 4 } }, torch.Tensor { { 1, 2 }, { 1, 4 } }
      assert.near((1 + 1 + 1 + 4) / 4, criterion:forward(x, t), 1e-15)
      numbers.equal({ { -0.5, 0.5 }, { 0.5, 1 } }, criterion:backward(x, t))
   end)
end)

describe('nn.ClassSimplexCriterion', function()
   it('has corners of length 1, equally far from each other', function()
      for _, n in ipairs { 2, 3, 7 } do
         local corners = nn.ClassSimplexCriterion(n).simplex
         assert.same({ n, n }, corners:size():totable())
         local products = torch.mm(corners, corners:t())
         for i = 1, n do
            for j = 1, n do
               assert.near(i == j and 1 or -1 / (n - 1), products[i][j], 1e-14)
            end
         end
      end
   end)

   it('predicts the class of the nearest corner', function()
      local criterion = nn.ClassSimplexCriterion(4)
      numbers.equal({ 3, 1 }, criterion:getTopPrediction(criterion.simplex:index(1,
         torch.LongTensor { 3, 1 })))
      numbers.equal({ 2 }, criterion:getTopPrediction(criterion.simplex[2]))
      assert.near(1, criterion:getPredictions(criterion.simplex[2])[2], 1e-14)
      assert.near(0, criterion:forward(criterion.simplex[2], 2), 1e-30)
   end)

   it('needs two classes', function()
      raises('nn.ClassSimplexCriterion: nClasses is 1, expected a whole number from 2 on',
         nn.ClassSimplexCriterion, 1)
   end)
end)

describe('criterions of margins', function()
   it('refuse other numbers than their targets may be', function()
      raises('nn.MultiMarginCriterion: p is 3, expected 1 or 2', nn.MultiMarginCriterion, 3)
      raises('nn.MultiMarginCriterion: a target is 5, classes must be from 1 to 4', function()
         nn.MultiMarginCriterion():forward(torch.rand(2, 4), torch.LongTensor { 5, 1 })
      end)
      raises('nn.MultiMarginCriterion: target is 3, expected 2, a class for each sample', function()
         nn.MultiMarginCriterion():forward(torch.rand(2, 4), torch.LongTensor { 1, 1, 1 })
      end)
      raises('nn.MarginRankingCriterion: target is a string, expected 1, -1 or a tensor of them',
         function() nn.MarginRankingCriterion():forward({ torch.rand(1), torch.rand(1) }, '1') end)
      raises('nn.CosineEmbeddingCriterion: target is 3, expected 2, one for each pair', function()
         nn.CosineEmbeddingCriterion():forward({ torch.rand(2, 4), torch.rand(2, 4) },
            torch.ones(3))
      end)
      raises('nn.L1HingeEmbeddingCriterion: input 2 is 3, expected 4', function()
         nn.L1HingeEmbeddingCriterion():forward({ torch.rand(4), torch.rand(3) }, 1)
      end)
   end)

   it('take a number for the target of one sample', function()
      local pair = { torch.Tensor { 0.25 }, torch.Tensor { 0.5 } }
      assert.near(1.25, nn.MarginRankingCriterion():forward(pair, 1), 1e-15)
      assert.near(0.75, nn.MarginRankingCriterion():forward(pair, -1), 1e-15)
      assert.near(0.25, nn.L1HingeEmbeddingCriterion():forward(pair, 1), 1e-15)
      assert.near(0.75, nn.L1HingeEmbeddingCriterion():forward(pair, -1), 1e-15)
      assert.near(0.25, nn.HingeEmbeddingCriterion():forward(pair[1], 1), 1e-15)
      assert.near(0, nn.CosineEmbeddingCriterion():forward(pair, 1), 1e-10)
   end)
end)

describe('nn.L1Cost and nn.L1Penalty', function()
   local x = torch.Tensor { { -1, 0 }, { 2, 3 } }

   it('are the sum of magnitudes', function()
      local criterion = nn.L1Cost()
      assert.equal(6, criterion:forward(x))
      numbers.equal({ { -1, 0 }, { 1, 1 } }, criterion:backward(x))
   end)

   it('pass the input on and add to the gradient', function()
      local layer, g = nn.L1Penalty(0.5), torch.ones(2, 2)
      assert.is_true(layer:forward(x):equal(x))
      assert.equal(3, layer.loss)
      numbers.equal({ { 0.5, 1 }, { 1.5, 1.5 } }, layer:backward(x, g))
      layer = nn.L1Penalty(0.5, true, false)
      layer:forward(x)
      assert.equal(0.75, layer.loss)
      numbers.equal({ { -0.125, 0 }, { 0.125, 0.125 } }, layer:backward(x, g))
   end)
end)

describe('nn.CriterionTable', function()
   it('is its criterion as a layer', function()
      local layer = nn.Sequential():add(nn.CriterionTable(nn.MSECriterion()))
      local x, t = torch.Tensor { 1, 5 }, torch.Tensor { 1, 3 }
      assert.equal(2, layer:forward { x, t })
      numbers.equal({ 0, 2 }, layer:backward({ x, t })[1])
      raises('nn.CriterionTable: got nil, expected a criterion', nn.CriterionTable)
   end)
end)

describe('nn.MultiCriterion and nn.ParallelCriterion', function()
   it('weigh their criterions', function()
      local x, t = torch.Tensor { 1, 5 }, torch.Tensor { 1, 3 }
      local criterion = nn.MultiCriterion():add(nn.MSECriterion()):add(nn.AbsCriterion(), 0.5)
      assert.equal(2.5, criterion:forward(x, t))
      numbers.equal({ 0, 2.25 }, criterion:backward(x, t))
      numbers.equal({ 0, 2.25 }, criterion:clone():backward(x, t))
   end)

   it('give each criterion its entry, or the whole target', function()
      local x, t = torch.Tensor { 1, 5 }, torch.Tensor { 1, 3 }
      local criterion = nn.ParallelCriterion(true):add(nn.MSECriterion()):add(nn.AbsCriterion(), 2)
      assert.equal(4, criterion:forward({ x, x }, t))
      local gx = criterion:backward({ x, x }, t)
      numbers.equal({ 0, 2 }, gx[1])
      numbers.equal({ 0, 1 }, gx[2])
      raises('nn.ParallelCriterion: input is a table of 1, expected a table of 2 entries',
         function() criterion:forward({ x }, t) end)
      raises('nn.MultiCriterion: got nil, expected a criterion', function()
         nn.MultiCriterion():add()
      end)
   end)
end)

describe('nn.ModuleCriterion', function()
   it('converts the target\'s module unless told otherwise', function()
      local kind = torch.FloatTensor():type()
      local inner = nn.ModuleCriterion(nn.MSECriterion(), nn.Tanh(), nn.Tanh()):type(kind)
      assert.equal(kind, inner.targetModule:type())
      inner = nn.ModuleCriterion(nn.MSECriterion(), nn.Tanh(), nn.Tanh(), false):type(kind)
      assert.equal('torch.DoubleTensor', nn.Tanh():type())
      assert.equal(nn.Tanh():type(), inner.targetModule:type())
      assert.equal(kind, inner.inputModule:type())
   end)

   it('refuses parameters that nobody would update', function()
      raises('nn.ModuleCriterion: inputModule has parameters', nn.ModuleCriterion,
         nn.MSECriterion(), nn.Linear(2, 2))
   end)
end)

describe('nn.CrossEntropyCriterion with smoothing', function()
   local x = torch.Tensor { { 1, 2, 0 }, { -1, 0.5, 3 } }

   it('does not smooth towards classes for ignored targets', function()
      local all = nn.CrossEntropyCriterion(nil, true, 0.2)
      local some = all:clone()
      some.nll.ignoreIndex = 3
      local t = torch.LongTensor { 1, 3 }
      assert.near(all:forward(x[1], 1), some:forward(x, t), 1e-15)
      local gx = some:backward(x, t)
      numbers.same(all:backward(x[1], 1), gx[1], 1e-15)
      numbers.equal({ 0, 0, 0 }, gx[2])
      assert.equal(0, some:forward(x[1], 3))
   end)

   it('refuses shares that are none, and files without the field do without', function()
      raises('nn.CrossEntropyCriterion: labelSmoothing is 1, expected 0 to less than 1',
         nn.CrossEntropyCriterion, nil, true, 1)
      local old = nn.CrossEntropyCriterion()
      old.labelSmoothing = nil
      old = torch.deserialize(torch.serialize(old))
      assert.equal(nn.CrossEntropyCriterion():forward(x, torch.LongTensor { 1, 2 }),
         old:forward(x, torch.LongTensor { 1, 2 }))
   end)
end)

describe('a criterion without a field', function()
   it('names it', function()
      for _, make in ipairs { nn.MSECriterion, nn.MarginRankingCriterion, nn.CTCCriterion } do
         local criterion = make()
         criterion.gradInput = nil
         local x = torch.rand(2, 3)
         raises('its field gradInput is nil, expected a tensor', function()
            criterion:backward(torch.typename(criterion):match 'Ranking' and { x, x } or x,
               torch.typename(criterion):match 'CTC' and { 2 } or x)
         end)
      end
      for _, field in ipairs { 'gradInput', 'lsm', 'nll' } do
         local criterion = nn.CrossEntropyCriterion()
         criterion[field] = nil
         raises(('nn.CrossEntropyCriterion: its field %s is nil'):format(field), function()
            criterion:forward(torch.rand(2, 3), torch.LongTensor { 1, 1 })
         end)
      end
   end)
end)
