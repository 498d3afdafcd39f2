local torch = require 'torch'
local optim = require 'optim'
local numbers = require 'test.support.numbers'

describe('optim.ConfusionMatrix', function()
   local confusion

   before_each(function()
      confusion = optim.ConfusionMatrix { 'cat', 'dog', 'bird' }
   end)

   it('counts true classes in rows and predictions in columns', function()
      confusion:add(1, 2)
      confusion:add(torch.Tensor { 0.1, 0.7, 0.2 }, 2)
      confusion:add(torch.Tensor { 0.1, 0.2, 0.7 }, torch.Tensor { 1, 0, 0 })
      confusion:add(1, 0) -- no class: left out
      numbers.equal({ { 0, 0, 1 }, { 1, 1, 0 }, { 0, 0, 0 } }, confusion.mat)
   end)

   it('counts batches of classes or scores, of any type', function()
      local scores = torch.FloatTensor { { 9, 1, 1 }, { 1, 9, 1 }, { 9, 1, 1 } }
      confusion:batchAdd(scores, torch.LongTensor { 1, 2, 3 })
      confusion:batchAdd(torch.LongTensor { 1, 2, 1 }, torch.DoubleTensor { 1, 2, 3 })
      confusion:batchAdd(torch.ByteTensor { 1, 2, 1 }, torch.eye(3))
      numbers.equal({ { 3, 0, 0 }, { 0, 3, 0 }, { 3, 0, 0 } }, confusion.mat)
   end)

   it('works out its rates', function()
      confusion.mat:copy(torch.LongTensor { { 8, 2, 0 }, { 1, 4, 5 }, { 0, 0, 0 } })
      confusion:updateValids()
      assert.near(12 / 20, confusion.totalValid, 1e-12)
      assert.near((0.8 + 0.4) / 2, confusion.averageValid, 1e-6) -- no birds: not in the mean
      assert.near((8 / 11 + 4 / 12 + 0) / 3, confusion.averageUnionValid, 1e-6)
      numbers.equal({ 8 / 11, 4 / 12, 0 }, confusion.unionvalids, 1e-6)
   end)

   it('works out false rejection and acceptance', function()
      confusion.mat:copy(torch.LongTensor { { 8, 2, 0 }, { 1, 4, 5 }, { 0, 0, 0 } })
      local class_frr, class_far, frr, far = confusion:farFrr()
      numbers.equal({ 0.2, 0.6, -1 }, class_frr, 1e-12)
      numbers.equal({ 0.1, 0.2, -1 }, class_far, 1e-12)
      numbers.equal({ 0.2, 0.6 }, frr, 1e-12)
      numbers.equal({ 0.1, 0.2 }, far, 1e-12)
   end)

   it('prints a row for each class, and the averages', function()
      confusion.mat:copy(torch.LongTensor { { 8, 2, 0 }, { 1, 4, 5 }, { 0, 0, 10 } })
      local text = tostring(confusion)
      assert.matches('^ConfusionMatrix:\n%[%[ +8 +2 +0%] +80.000%%  %[class: cat%]\n', text)
      assert.matches('\n %[ +0 +0 +10%]%] +100.000%%  %[class: bird%]\n', text)
      assert.matches('average row correct: 73.33', text)
      assert.matches('global correct: 73.33', text)
   end)

   it('starts anew on zero', function()
      confusion:add(1, 1)
      confusion:updateValids()
      confusion:zero()
      assert.equal(0, confusion.mat:sum())
      assert.equal(0, confusion.totalValid)
   end)

   it('draws a picture of shares', function()
      confusion.mat:copy(torch.LongTensor { { 8, 2, 0 }, { 1, 4, 5 }, { 0, 0, 10 } })
      local picture = confusion:render('class', false, 2, 10)
      assert.same({ 3, 6, 16 }, picture:size():totable())
      assert.near(0.8, picture[2][1][1], 1e-12) -- hits are green
      assert.near(0.2, picture[1][1][3], 1e-12) -- errors are red
   end)

   it('refuses what is no class, and counts that differ', function()
      local function message(f)
         return select(2, pcall(f))
      end
      assert.matches('ConfusionMatrix_spec.*prediction 4 and target 1 must be classes from 1 to 3',
         message(function() confusion:add(4, 1) end))
      assert.matches('expected a class number or a tensor of scores, got a string',
         message(function() confusion:add('cat', 1) end))
      assert.matches('2 predictions for 3 targets',
         message(function() confusion:batchAdd(torch.ones(2), torch.ones(3)) end))
      assert.matches('predictions are 2x5, expected N classes or N x 3 scores',
         message(function() confusion:batchAdd(torch.ones(2, 5), torch.ones(2)) end))
      assert.equal(0, confusion.mat:sum())
   end)

   it('survives saving', function()
      confusion:add(2, 2)
      local again = torch.deserialize(torch.serialize(confusion))
      assert.equal(tostring(confusion), tostring(again))
   end)
end)
