-- Targets of nn.CrossEntropyCriterion that are probabilities.
local torch = require 'torch'
local nn = require 'nn'
local cuda = require 'test.support.cuda'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local x = torch.Tensor { { 0.5, -1, 2 }, { 1.5, 0.25, -0.75 } }
local q = torch.Tensor { { 0.25, 0, 0.75 }, { 0.1, 0.6, 0.3 } }
local W = torch.Tensor { 0.5, 2, 1 }

-- PyTorch 2.15: F.cross_entropy(x, q, weight, reduction, label_smoothing) and x.grad, in float64.
local CASES = {
   { {}, 1.185991953032, { { -0.037354803930, 0.019556286635, 0.017798517295 },
      { 0.309220170576, -0.197081698001, -0.112138472574 } } },
   { { W }, 1.543094964578, { { 0.014189546561, 0.017111750806, -0.031301297367 },
      { 0.531791264392, -0.440476631902, -0.091314632490 } } },
   { { W, false }, 3.086189929156, { { 0.028379093123, 0.034223501612, -0.062602594734 },
      { 1.063582528784, -0.880953263804, -0.182629264981 } } },
   { { nil, true, 0.3 }, 1.315991953032, { { -0.049854803930, -0.030443713365, 0.080298517295 },
      { 0.274220170576, -0.157081698001, -0.117138472574 } } },
   { { W, true, 0.3 }, 1.755263658766, { { 0.015608501217, -0.081177074113, 0.065568572896 },
      { 0.472980944776, -0.372312236632, -0.100668708144 } } },
}

describe('nn.CrossEntropyCriterion of probabilities', function()
   it('is what PyTorch has', function()
      for _, case in ipairs(CASES) do
         local criterion = nn.CrossEntropyCriterion(unpack(case[1], 1, 3))
         assert.near(case[2], criterion:forward(x, q), 1e-11)
         numbers.same(torch.Tensor(case[3]), criterion:backward(x, q), 1e-11)
      end
   end)

   it('is that of classes where one has all of it', function()
      local classes = torch.LongTensor { 3, 1 }
      local certain = torch.zeros(2, 3):scatter(2, classes:view(2, 1), 1)
      for _, smoothing in ipairs { 0, 0.2 } do
         local criterion = nn.CrossEntropyCriterion(nil, true, smoothing)
         local loss = criterion:forward(x, classes)
         local gradient = criterion:backward(x, classes):clone()
         assert.near(loss, criterion:forward(x, certain), 1e-14)
         numbers.same(gradient, criterion:backward(x, certain), 1e-14)
         assert.near(criterion:forward(x[1], 3), criterion:forward(x[1], certain[1]), 1e-14)
         assert.equal(1, criterion:backward(x[1], certain[1]):dim())
      end
   end)

   -- The places of C x H x W and N x C x H x W as rows of N x C, which is compared above.
   it('has the classes where nn.LogSoftMax has them', function()
      for _, case in ipairs { { 4, 3, 2, 5 }, { 3, 2, 5 } } do
         local n = #case
         local dim = n == 4 and 2 or 1
         local scores = torch.randn(unpack(case))
         local shares = nn.SoftMax():forward(torch.randn(unpack(case))):clone()
         local function rows(t)
            t = n == 4 and t or t:view(1, unpack(case))
            return t:permute(1, 3, 4, 2):contiguous():view(-1, 3)
         end
         for _, arguments in ipairs { {}, { W }, { W, false, 0.3 }, { nil, true, 0.2 } } do
            local criterion = nn.CrossEntropyCriterion(unpack(arguments, 1, 3))
            local loss = criterion:forward(scores, shares)
            local gradient = criterion:backward(scores, shares):clone()
            assert.near(criterion:forward(rows(scores), rows(shares)), loss, 1e-13)
            numbers.same(criterion:backward(rows(scores), rows(shares)), rows(gradient), 1e-13)
            assert.same(case, gradient:size():totable())
            assert.is_true(gradient:sum(dim):abs():max() < 1e-14 or arguments[1] ~= nil)
         end
      end
   end)

   it('refuses other forms', function()
      local criterion = nn.CrossEntropyCriterion()
      local function refused(text, input, target)
         raises(text, function() criterion:forward(input, target) end)
      end
      refused('nn.CrossEntropyCriterion: input is 3, one sample, and target 3: expected one class, '
         .. 'or probabilities, which are real numbers', torch.randn(3), torch.LongTensor(3):fill(1))
      refused('nn.CrossEntropyCriterion: input is 2x3 and target 2x3, expected N x nClasses',
         torch.randn(2, 3), torch.LongTensor(2, 3):fill(1))
      refused('input is 2x3x4x5 and target 2x4x5, expected', torch.randn(2, 3, 4, 5),
         torch.LongTensor(2, 4, 5):fill(1))
      refused('input is 2x2x2x3x2 and target 2x2x2x3x2, expected', torch.randn(2, 2, 2, 3, 2),
         torch.rand(2, 2, 2, 3, 2))
      criterion = nn.CrossEntropyCriterion(torch.ones(5))
      refused('nn.CrossEntropyCriterion: input has 3 classes, there are weights of 5', x, q)
      assert.near(criterion:forward(torch.zeros(5), 2), math.log(5), 1e-14)
      -- Dimensions of size 1 are dropped, of classes.
      assert.near(math.log(5), criterion:forward(torch.zeros(2, 5, 1, 1),
         torch.LongTensor(2, 1):fill(3)), 1e-14)
   end)

   it('takes what Mixup makes', function()
      local mixup = require('torch.dataset').transform.Mixup { classes = 3, alpha = 1 }
      local batch = mixup { input = x, target = torch.LongTensor { 2, 3 } }
      local share = batch.target -- floats beside scores in double
      local wanted = -torch.cmul(nn.LogSoftMax():forward(x), share:double()):sum() / 2
      assert.near(wanted, nn.CrossEntropyCriterion():forward(x, share), 1e-7)
   end)

   if cuda.available then
      it('is the same on a device', function()
         require 'cunn'
         for _, case in ipairs(CASES) do
            local criterion = nn.CrossEntropyCriterion(unpack(case[1], 1, 3)):cuda()
            assert.near(case[2], criterion:forward(x:cuda(), q:cuda()), 1e-5)
            numbers.same(torch.Tensor(case[3]),
               criterion:backward(x:cuda(), q:cuda()):double(), 1e-6)
         end
      end)
   end
end)
