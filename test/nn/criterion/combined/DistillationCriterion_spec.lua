local torch = require 'torch'
local nn = require 'nn'
local raises = require 'test.support.raises'

describe('nn.DistillationCriterion', function()
   it('is the temperature squared times the divergence, and the cross entropy', function()
      local x = torch.DoubleTensor { { 1, 0, -1 }, { 0.5, 2, 0 } }
      local teacher = torch.DoubleTensor { { 2, 1, 0 }, { -1, 3, 0.5 } }
      local classes = torch.LongTensor { 1, 3 }
      local T, share = 3, 0.7
      local function softmax(t, i)
         local p, sum = {}, 0
         for k = 1, 3 do
            p[k] = math.exp(t[i][k])
            sum = sum + p[k]
         end
         for k = 1, 3 do
            p[k] = p[k] / sum
         end
         return p
      end
      local expected = 0
      for i = 1, 2 do
         local p, q = softmax(teacher / T, i), softmax(x / T, i)
         for k = 1, 3 do
            expected = expected + share * T * T * p[k] * math.log(p[k] / q[k]) / 2
         end
         expected = expected - (1 - share) * math.log(softmax(x, i)[classes[i]]) / 2
      end
      local criterion = nn.DistillationCriterion(T, share):double()
      assert.near(expected, criterion:forward(x, { teacher, classes }), 1e-12)
   end)

   it('says what is wrong', function()
      local x = torch.randn(2, 3)
      raises('temperature is 0, expected a number above 0', function()
         nn.DistillationCriterion(0)
      end)
      raises('share is 2, expected a number from 0 to 1', function()
         nn.DistillationCriterion(1, 2)
      end)
      raises("target is 2x3, expected { the teacher's scores, classes }", function()
         nn.DistillationCriterion():forward(x, x)
      end)
      raises("input is 2x3 and the teacher's scores are 2x4", function()
         nn.DistillationCriterion(2, 1):forward(x, torch.randn(2, 4))
      end)
   end)
end)
