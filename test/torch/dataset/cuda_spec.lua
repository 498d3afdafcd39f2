local torch = require 'torch'
local dataset = require 'torch.dataset'
local cuda = require 'test.support.cuda'

describe('torch.dataset with CUDA', function()
   if not cuda.available then
      it('says what it wants', function()
         require 'test.support.raises'('pin wants cutorch', dataset.Loader,
            { dataset = dataset.List { 1 }, pin = true })
      end)
      return
   end
   local cutorch = require 'cutorch'

   for _, workers in ipairs { 0, 2 } do
      it(('gives batches in page-locked memory; %d workers'):format(workers), function()
         local data = dataset.Tensors { input = torch.rand(6, 3):float(),
            target = torch.range(1, 6):long() }
         local loader = dataset.Loader { dataset = data, batchSize = 4, pin = true,
            workers = workers, transform = function(s)
               return { input = s.input, target = s.target, extra = { torch.ByteTensor { 7 } },
                  name = 'x' }
            end }
         local first = 1
         for batch in loader() do
            local n = batch.input:size(1)
            assert.is_true(cutorch.isPinned(batch.input) and cutorch.isPinned(batch.target))
            assert.is_true(cutorch.isPinned(batch.extra[1]))
            assert.equal('x', batch.name[1])
            assert.is_true(batch.input:equal(data.fields.input:narrow(1, first, n)))
            local x = torch.CudaTensor(n, 3):copyAsync(batch.input)
            cutorch.synchronize()
            assert.is_true(x:float():equal(batch.input))
            first = first + n
         end
         loader:stop()
         assert.equal(7, first)
      end)
   end

   it('makes batches of tensors on a device', function()
      local x = torch.range(1, 12):view(6, 2)
      local data = dataset.Tensors { input = x:cuda(), target = torch.range(1, 6):cuda() }
      for _, collate in ipairs { false, dataset.collate.stack, dataset.collate.pad() } do
         local seen = 0
         for batch in dataset.Loader { dataset = data, batchSize = 4, shuffle = true, seed = 1,
            collate = collate or nil }() do
            assert.equal('torch.CudaTensor', batch.input:type())
            assert.equal('torch.CudaTensor', batch.target:type())
            assert.is_true(batch.input:double():equal(x:index(1, batch.target:long())))
            seen = seen + batch.target:size(1)
         end
         assert.equal(6, seen)
      end
   end)

   it('changes pictures on a device as on the host', function()
      local T = dataset.transform
      local floats, bytes = torch.rand(3, 9, 9):float(), torch.ByteTensor(3, 9, 9):random(0, 255)
      for _, x in ipairs { floats, bytes } do
         for _, f in ipairs { T.RandomCrop { size = 4, padding = 1 }, T.CenterCrop { size = 3 },
            T.Normalize { mean = 0.5, std = 0.5 }, T.RandomErasing { probability = 1 },
            T.Cutout { size = 3 }, T.ColorJitter { brightness = 0.5, contrast = 0.5,
               saturation = 0.5 } } do
            torch.manualSeed(2)
            local here = f(x)
            torch.manualSeed(2)
            local there = f(x == bytes and x:type 'torch.CudaByteTensor' or x:cuda())
            assert.matches('Cuda', there:type())
            local difference = (there:double() - here:double()):abs():max()
            assert.is_true(difference <= (here:type():match 'Byte' and 1 or 1e-5), difference)
         end
      end
      for _, mixture in ipairs { T.Mixup, T.CutMix } do
         local input, target = torch.rand(4, 3, 8, 8):float(), torch.LongTensor { 1, 2, 3, 1 }
         torch.manualSeed(2)
         local here = mixture { classes = 3 } { input = input, target = target }
         torch.manualSeed(2)
         local there = mixture { classes = 3 } { input = input:cuda(), target = target:cuda() }
         assert.is_true((there.input:float() - here.input):abs():max() < 1e-6)
         assert.equal('torch.CudaTensor', there.target:type())
         assert.is_true((there.target:float() - here.target):abs():max() < 1e-6)
      end
   end)
end)
