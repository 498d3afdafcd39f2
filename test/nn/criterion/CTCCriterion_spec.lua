local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

-- Repetitions once, then no blanks.
local function collapse(path, blank)
   local labels, last = {}, nil
   for _, class in ipairs(path) do
      if class ~= last and class ~= blank then
         labels[#labels + 1] = class
      end
      last = class
   end
   return table.concat(labels, ' ')
end

-- The probability of labels: the sum over every path of classes that collapses to them.
local function by_enumeration(scores, labels, blank)
   local T, C = scores:size(1), scores:size(2)
   local p, wanted, sum, path = nn.SoftMax():forward(scores), table.concat(labels, ' '), 0, {}
   local function go(t, product)
      if t > T then
         sum = sum + (collapse(path, blank) == wanted and product or 0)
         return
      end
      for class = 1, C do
         path[t] = class
         go(t + 1, product * p[t][class])
      end
   end
   go(1, 1)
   return sum
end

describe('nn.CTCCriterion', function()
   it('sums over all paths that collapse to the labels', function()
      torch.manualSeed(4)
      local scores = torch.randn(5, 3)
      for _, blank in ipairs { 1, 3 } do
         local a, b = blank == 1 and 2 or 1, blank == 1 and 3 or 2
         for _, labels in ipairs { {}, { a }, { a, a }, { a, b }, { b, b, a }, { a, b, a, b } } do
            assert.near(-math.log(by_enumeration(scores, labels, blank)),
               nn.CTCCriterion(blank):forward(scores, labels), 1e-12)
         end
      end
   end)

   it('treats each sample of a batch by itself, with its own frames', function()
      torch.manualSeed(4)
      local scores, criterion = torch.randn(6, 3, 4), nn.CTCCriterion(1, false)
      local labels, frames = { { 2, 3, 3 }, { 4 }, { 2, 2 } }, { 6, 3, 4 }
      local sum, gradient = 0, torch.zeros(6, 3, 4)
      for n = 1, 3 do
         local one = scores:select(2, n):narrow(1, 1, frames[n])
         sum = sum + criterion:forward(one, labels[n])
         gradient:select(2, n):narrow(1, 1, frames[n]):copy(criterion:backward(one, labels[n]))
      end
      assert.near(sum, criterion:forward(scores, labels, frames), 1e-12)
      numbers.same(gradient, criterion:backward(scores, labels, frames), 1e-13)
      local mean, flipped = nn.CTCCriterion(1, true, true), scores:transpose(1, 2)
      assert.near(sum / 3, mean:forward(flipped, labels, torch.LongTensor(frames)), 1e-12)
      numbers.same(gradient:transpose(1, 2) / 3, mean:backward(flipped, labels, frames), 1e-13)
   end)

   it('finds labels impossible that need more frames than there are', function()
      local scores, criterion = torch.randn(2, 2, 3), nn.CTCCriterion()
      local labels = { { 2, 2 }, { 2, 3 } } -- a blank is needed between the same two
      assert.equal(math.huge, criterion:forward(scores, labels))
      local gx = criterion:backward(scores, labels)
      assert.equal(0, gx:select(2, 1):clone():abs():max())
      assert.is_true(gx:select(2, 2):clone():abs():max() > 0)
   end)

   it('has gradients of gradients, with frames and labels that are impossible', function()
      local criterion = nn.CTCCriterion()
      local x = torch.randn(5, 3, 4):requiresGrad()
      local labels, sizes = { { 2, 3, 3 }, { 4, 4, 4 }, {} }, { 5, 4, 3 } -- 4, 4, 4 takes 5
      local function f(v)
         return torch.cmin(criterion:forward(v, labels, sizes), 1e30)
      end
      local function slope(v)
         return torch.grad(criterion:forward(v, labels, sizes), v, { createGraph = true })
      end
      assert.equal(math.huge, criterion:forward(x:detach(), labels, sizes))
      assert.equal(0, criterion:backward(x:detach(), labels, sizes):select(2, 2):norm())
      assert.is_true(torch.gradcheck(slope, x))
      labels[2] = { 4, 4 }
      assert.is_true(torch.gradgradcheck(f, x))
      local behind = slope(x):detach()
      assert.equal(0, behind:select(2, 2):narrow(1, 5, 1):norm())
   end)

   it('stays exact over many frames', function()
      -- Equal scores: all paths are as likely, and there are T (T + 1) / 2 ways to say one label.
      local T = 2000
      local criterion, scores = nn.CTCCriterion(), torch.zeros(T, 2)
      assert.near(T * math.log(2) - math.log(T * (T + 1) / 2), criterion:forward(scores, { 2 }),
         1e-9)
      assert.near(0, criterion:backward(scores, { 2 }):sum(2):abs():max(), 1e-9)
   end)

   it('does not look behind the frames of a sample', function()
      local criterion, scores, labels = nn.CTCCriterion(), torch.randn(4, 2, 3), { { 2 }, { 3 } }
      local expected = criterion:forward(scores, labels, { 4, 2 })
      local gradient = criterion:backward(scores, labels, { 4, 2 }):clone()
      for _, value in ipairs { 0 / 0, math.huge, -math.huge } do
         scores:select(2, 2):narrow(1, 3, 2):fill(value)
         assert.equal(expected, criterion:forward(scores, labels, { 4, 2 }))
         numbers.same(gradient, criterion:backward(scores, labels, { 4, 2 }))
         local loss, g = criterion(scores, labels, { 4, 2 }) -- a call of the criterion itself
         assert.equal(expected, loss)
         numbers.same(gradient, g)
      end
      assert.is_true(criterion:forward(scores, labels) ~= expected)
   end)

   it('takes scores of -math.huge as impossible, and NaN as no number', function()
      local criterion, scores = nn.CTCCriterion(), torch.randn(3, 3)
      local without = by_enumeration(scores, { 2 }, 1)
      scores[2][3] = -math.huge
      assert.near(-math.log(by_enumeration(scores, { 2 }, 1)), criterion:forward(scores, { 2 }),
         1e-12)
      assert.is_true(without < by_enumeration(scores, { 2 }, 1))
      local g = criterion:backward(scores, { 2 })
      assert.equal(0, g[2][3])
      assert.near(0, g:sum(2):abs():max(), 1e-12)
      scores:select(2, 2):fill(-math.huge)
      assert.equal(math.huge, criterion:forward(scores, { 2 }))
      assert.equal(0, criterion:backward(scores, { 2 }):abs():max())
      scores[1][1] = 0 / 0
      local loss = criterion:forward(scores, { 2 })
      assert.is_true(loss ~= loss)
   end)

   it('computes half and bfloat16 in float', function()
      local scores, labels = torch.randn(6, 2, 4), { { 2, 3, 3 }, { 4 } }
      for name, tolerance in pairs { Half = 1e-3, BFloat16 = 1e-2 } do
         local typename = 'torch.' .. name .. 'Tensor'
         local x = scores:type(typename)
         local rounded, criterion = x:double(), nn.CTCCriterion()
         local expected = criterion:forward(rounded, labels)
         local gradient = criterion:backward(rounded, labels):clone()
         criterion:type(typename)
         assert.near(expected, criterion:forward(x, labels), 1e-4)
         local g = criterion:backward(x, labels)
         assert.equal(typename, g:type())
         numbers.same(gradient, g:double(), tolerance)
      end
   end)

   it('refuses labels that are none, and other counts', function()
      local criterion, scores = nn.CTCCriterion(), torch.randn(4, 2, 3)
      raises('nn.CTCCriterion: label 2 of target 1 is 1, expected a class from 1 to 3 but',
         function() criterion:forward(scores, { { 2, 1 }, { 2 } }) end)
      raises('nn.CTCCriterion: target is of 1, expected the labels of 2 samples', function()
         criterion:forward(scores, { { 2 } })
      end)
      raises('nn.CTCCriterion: size 2 is 5, expected 1 to 4', function()
         criterion:forward(scores, { { 2 }, { 3 } }, { 4, 5 })
      end)
      raises('nn.CTCCriterion: label 1 of target 1 is 2.5, expected a class', function()
         criterion:forward(scores, { { 2.5 }, { 3 } })
      end)
      raises('nn.CTCCriterion: size 1 is 1.5, expected 1 to 4', function()
         criterion:forward(scores, { { 2 }, { 3 } }, { 1.5, 4 })
      end)
      raises('nn.CTCCriterion: target 1 is a table, expected a table or tensor of numbers',
         function() criterion:forward(scores, { { 'a' }, { 3 } }) end)
      raises('nn.CTCCriterion: input is 3, expected T x C or T x N x C', function()
         criterion:forward(torch.randn(3), { 2 })
      end)
   end)
end)
