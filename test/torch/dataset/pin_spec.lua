local torch = require 'torch'
local dataset = require 'torch.dataset'
local cuda = require 'test.support.cuda'

describe('dataset.Loader with pin', function()
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
end)
