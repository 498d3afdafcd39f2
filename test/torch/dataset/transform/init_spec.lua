local torch = require 'torch'
local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'

local T = dataset.transform

describe('dataset.transform', function()
   before_each(function()
      torch.manualSeed(1)
   end)

   it('takes pictures and samples, one after the other, on workers too', function()
      local all = T.Compose(T.RandomCrop { size = 4, padding = 1 }, T.RandomFlip {},
         T.ColorJitter { brightness = 0.2, hue = 0.1 }, T.RandAugment {}, T.ToFloat {},
         T.RandomErasing {}, T.Normalize { mean = 0.5, std = 0.2 }, T.Cutout { size = 1 })
      local data = dataset.Tensors { input = torch.ByteTensor(6, 3, 5, 5):random(0, 255),
         target = torch.range(1, 6) }
      local before = data.fields.input:clone()
      local function run(workers)
         local loader = dataset.Loader { dataset = data, batchSize = 4, transform = all, seed = 3,
            workers = workers, transformBatch = T.Mixup { classes = 6 } }
         local list = {}
         for batch in loader() do
            list[#list + 1] = { batch.input, batch.target }
         end
         loader:stop()
         return list
      end
      local here, there = run(0), run(2)
      for k = 1, 2 do
         assert.same({ k == 1 and 4 or 2, 3, 4, 4 }, here[k][1]:size():totable())
         assert.is_true(here[k][1]:equal(there[k][1]) and here[k][2]:equal(there[k][2]))
      end
      assert.is_true(before:equal(data.fields.input))
      raises('wanted a picture (C x H x W) or a sample', T.ToFloat {}, 3)
      raises('wanted a picture of C x H x W, got 2x2 DoubleTensor', T.RandomFlip {},
         torch.zeros(2, 2))
      raises("there is no option 'paddding'; near: padding", T.RandomCrop,
         { size = 3, paddding = 1 })
      raises('argument 2 must be a function', T.Compose, T.ToFloat {}, 3)
   end)
end)
