local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'
local scratch = require 'test.support.scratch'

local write = scratch.write

describe('readers of torch.dataset', function()
   before_each(scratch.make)
   after_each(scratch.remove)

   describe('CIFAR', function()
      local function row(label, first)
         local pixels = {}
         for k = 0, 3071 do
            pixels[k + 1] = string.char((first + k) % 256)
         end
         return label .. table.concat(pixels)
      end

      it('reads CIFAR-10: planes of 32 x 32', function()
         for k = 1, 5 do
            write(('data_batch_%d.bin'):format(k), row(string.char(k), k))
         end
         local set = dataset.Cifar { folder = scratch.folder }
         assert.equal(5, set:size())
         local sample = set:get(3)
         assert.equal(4, sample.target)
         assert.same({ 3, 32, 32 }, sample.input:size():totable())
         assert.equal((3 + 1024 * 2 + 32 * 5 + 7) % 256, sample.input[3][6][8])
      end)

      it('reads both classes of CIFAR-100', function()
         write('test.bin', row('\3\77', 0) .. row('\19\99', 1))
         local set = dataset.Cifar { folder = scratch.folder, classes = 100, part = 'test' }
         assert.same({ 4, 78 }, { set:get(1).coarse, set:get(1).target })
         assert.same({ 20, 100 }, { set:get(2).coarse, set:get(2).target })
         assert.equal(2, set:get(2).input[1][1][2])
      end)

      it('says what is wrong with a file', function()
         write('test_batch.bin', row('\1', 0):sub(1, -2))
         raises('it has 3072 bytes, which is no multiple of the 3073', dataset.Cifar,
            { folder = scratch.folder, part = 'test' })
         write('test_batch.bin', row('\200', 0))
         raises('row 1 has the class 200; classes are 0 to 9', dataset.Cifar,
            { folder = scratch.folder, part = 'test' })
         raises('data_batch_1.bin; nothing is downloaded: folder is what', dataset.Cifar,
            { folder = scratch.folder })
      end)
   end)
end)
