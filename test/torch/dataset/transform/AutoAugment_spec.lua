local torch = require 'torch'
local dataset = require 'torch.dataset'
local policies = require 'torch.dataset.transform.policies'
local raises = require 'test.support.raises'

local T = dataset.transform

describe('dataset.transform.AutoAugment', function()
   before_each(function()
      torch.manualSeed(1)
   end)

   it('has the policies of the paper', function()
      for name, rows in pairs {
         cifar10 = { [1] = { { 'invert', 0.1 }, { 'contrast', 0.2, 6 } },
            [13] = { { 'translateY', 0.4, 3 }, { 'sharpness', 0.2, 6 } },
            [25] = { { 'translateY', 0.7, 9 }, { 'autocontrast', 0.9 } } },
         svhn = { [1] = { { 'shearX', 0.9, 4 }, { 'invert', 0.2 } },
            [15] = { { 'contrast', 0.3, 3 }, { 'rotate', 0.8, 4 } },
            [25] = { { 'shearX', 0.7, 2 }, { 'invert', 0.1 } } },
         imagenet = { [1] = { { 'posterize', 0.4, 8 }, { 'rotate', 0.6, 9 } },
            [13] = { { 'equalize', 0 }, { 'equalize', 0.8 } },
            [18] = { { 'sharpness', 0.4, 7 }, { 'invert', 0.6 } },
            [25] = { { 'equalize', 0.8 }, { 'equalize', 0.6 } } },
      } do
         assert.equal(25, #policies[name])
         for i, expected in pairs(rows) do
            assert.same(expected, policies[name][i])
         end
         for _, sequence in ipairs(policies[name]) do
            assert.equal(2, #sequence)
         end
         assert.equal(policies[name], T.AutoAugment { policy = name }.policy)
      end
   end)

   it('applies one sequence of operations, each with its probability', function()
      local x = torch.ByteTensor(1, 1, 1):fill(55)
      local function times(policy, value)
         local count = 0
         for _ = 1, 2000 do
            count = count + (T.AutoAugment { policy = policy }(x)[1][1][1] == value and 1 or 0)
         end
         return count / 2000
      end
      assert.near(0.3, times({ { { 'invert', 0.3 } } }, 200), 0.04) -- 3.9 deviations
      -- 55 -> invert: 200 -> posterize to 4 bits: 192
      assert.equal(1, times({ { { 'invert', 1 }, { 'posterize', 1, 9 } } }, 192))
      assert.equal(0, times({ { { 'invert', 0 }, { 'posterize', 0, 9 } } }, 192))
      -- two sequences come equally often
      assert.near(0.5, times({ { { 'invert', 1 } }, { { 'identity', 1 } } }, 200), 0.045)
   end)

   it('keeps type, size and range', function()
      for _, x in ipairs { torch.ByteTensor(3, 9, 7):random(0, 255), torch.rand(3, 9, 7) } do
         for name in pairs(policies) do
            local policy = T.AutoAugment { policy = name }
            for _ = 1, 60 do
               local y = policy(x)
               assert.equal(x:type(), y:type())
               assert.is_true(x:isSameSizeAs(y) and y:min() >= 0
                  and y:max() <= (x:type() == 'torch.ByteTensor' and 255 or 1))
            end
         end
      end
   end)

   it('makes the same of a sample however many workers there are', function()
      local data = dataset.Tensors { input = torch.ByteTensor(12, 3, 8, 8):random(0, 255) }
      for _, policy in ipairs { T.AutoAugment { policy = 'cifar10' }, T.RandAugment {},
         T.TrivialAugment {} } do
         local function run(workers)
            local loader = dataset.Loader { dataset = data, batchSize = 5, transform = policy,
               seed = 3, workers = workers }
            local epochs = {}
            for epoch = 1, 2 do
               local list = {}
               for batch in loader() do
                  list[#list + 1] = batch.input
               end
               epochs[epoch] = torch.cat(list, 1)
            end
            loader:stop()
            return epochs
         end
         local here, one, three = run(0), run(1), run(3)
         for epoch = 1, 2 do
            assert.is_true(here[epoch]:equal(one[epoch]) and here[epoch]:equal(three[epoch]))
         end
         assert.is_false(here[1]:equal(here[2]))
         assert.is_false(here[1]:equal(data.fields.input))
      end
   end)

   it('names what is wrong with a policy', function()
      local function refuses(text, policy)
         raises(text, T.AutoAugment, { policy = policy })
      end
      refuses("dataset.transform.AutoAugment: policy is 'cifar', expected one of cifar10, imagenet"
         .. ', svhn, or a list', 'cifar')
      refuses('policy is 3, expected one of cifar10', 3)
      refuses('policy is a table, expected one of', {})
      refuses('policy 1 is 3, expected a list of {operation, probability, magnitude}', { 3 })
      refuses("policy 1, operation 1 is 'invert', expected {operation", { { 'invert', 1 } })
      refuses("policy 1, operation 2: there is no operation 'turn'; there are autocontrast",
         { { { 'invert', 1 }, { 'turn', 1 } } })
      refuses('operation 1: the probability of invert is 2, expected a number from 0 to 1',
         { { { 'invert', 1 } }, { { 'invert', 2 } } })
      refuses('operation 1: the magnitude of rotate is nil, expected a number from 0 to 9',
         { { { 'rotate', 1 } } })
      refuses('policy 1, operation 1: the magnitude of rotate is 10', { { { 'rotate', 1, 10 } } })
   end)
end)
