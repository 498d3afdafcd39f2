local torch = require 'torch'
local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'

local T = dataset.transform

local function near(a, b, tolerance)
   assert.is_true(a:isSameSizeAs(b))
   local difference = (a:double() - b:double()):abs():max()
   assert.is_true(difference <= (tolerance or 1e-5), difference)
end

describe('dataset.transform', function()
   before_each(function()
      torch.manualSeed(1)
   end)

   describe('mixtures', function()
      local mix = require 'torch.dataset.transform.mix'

      it('draw from the Beta distribution', function()
         for _, a in ipairs { 0.3, 1, 4 } do
            local n, sum, squares = 20000, 0, 0
            for _ = 1, n do
               local x = mix.beta(a, a)
               sum, squares = sum + x, squares + x * x
            end
            local mean = sum / n
            assert.is_true(math.abs(mean - 0.5) < 0.015)
            assert.is_true(math.abs(squares / n - mean * mean - 1 / (4 * (2 * a + 1))) < 0.006)
         end
         local sum = 0
         for _ = 1, 20000 do
            sum = sum + mix.beta(2, 6)
         end
         assert.is_true(math.abs(sum / 20000 - 0.25) < 0.01)
      end)

      it('of Mixup mix inputs and targets alike', function()
         local batch = { input = torch.eye(4), target = torch.range(1, 4):long(), name = 'x' }
         for _ = 1, 20 do
            local mixed = T.Mixup { classes = 4, alpha = 1 }(batch)
            near(mixed.input, mixed.target, 1e-6) -- inputs are the classes
            near(mixed.target:sum(2), torch.ones(4, 1), 1e-6)
            assert.equal('x', mixed.name)
         end
         assert.is_true(batch.input:equal(torch.eye(4)))
         raises('targets from 1 to 4, but classes are 1 to 3', T.Mixup { classes = 3 }, batch)
         raises('wanted a batch with input', T.Mixup { classes = 3 }, torch.zeros(2))
      end)

      it('of CutMix label by the area', function()
         local input = torch.Tensor(4, 1, 10, 10)
         for i = 1, 4 do
            input[i]:fill(i)
         end
         local batch = { input = input, target = torch.LongTensor { 1, 2, 3, 4 } }
         local cut = 0
         for _ = 1, 50 do
            local mixed = T.CutMix { classes = 4 }(batch)
            for i = 1, 4 do
               for class = 1, 4 do
                  local area = mixed.input[i]:eq(class):sum() / 100
                  assert.is_true(math.abs(area - mixed.target[i][class]) < 1e-6)
                  cut = cut + (class ~= i and area > 0 and 1 or 0)
               end
            end
         end
         assert.is_true(cut > 20)
      end)
   end)
end)
