-- Targets of nn.CrossEntropyCriterion that are probabilities.
local torch = require 'torch'
local nn = require 'nn'
local cuda = require 'test.support.cuda'
local numbers = require 'test.support.numbers'

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
