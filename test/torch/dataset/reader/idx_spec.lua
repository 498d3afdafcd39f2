local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'
local scratch = require 'test.support.scratch'

local write = scratch.write

describe('readers of torch.dataset', function()
   before_each(scratch.make)
   after_each(scratch.remove)

   describe('IDX', function()
      it('reads bytes, and numbers of other types, highest byte first', function()
         local x = dataset.readIdx(write('a', '\0\0\8\2\0\0\0\2\0\0\0\3\1\2\3\4\5\255'))
         assert.equal('torch.ByteTensor', x:type())
         assert.same({ { 1, 2, 3 }, { 4, 5, 255 } }, x:totable())
         assert.same({ -1, 258 }, dataset.readIdx(write('b',
            '\0\0\11\1\0\0\0\2\255\255\1\2')):totable())
         assert.same({ 1.5 }, dataset.readIdx(write('c', '\0\0\13\1\0\0\0\1\63\192\0\0')):totable())
         assert.same({ -2 }, dataset.readIdx(write('d',
            '\0\0\14\1\0\0\0\1\192\0\0\0\0\0\0\0')):totable())
         assert.same({ -1 }, dataset.readIdx(write('e', '\0\0\9\1\0\0\0\1\255')):totable())
      end)

      it('says what is wrong with a file', function()
         raises('its data has 5 bytes instead of 6', dataset.readIdx,
            write('short', '\0\0\8\2\0\0\0\2\0\0\0\3\1\2\3\4\5'))
         raises('its header says that its data has 18446744065119617024 bytes', dataset.readIdx,
            write('huge', '\0\0\8\2\255\255\255\255\255\255\255\255'))
         raises('its header has 2 bytes instead of 4', dataset.readIdx, write('head', '\0\0'))
         raises('there are bytes after its data', dataset.readIdx, write('long',
            '\0\0\8\1\0\0\0\1\1\2'))
         raises('not an IDX file: it begins with 137 80 78 71', dataset.readIdx,
            write('png', '\137PNG'))
         raises('it has 1 dimensions (1), wanted 3', dataset.readIdx, write('one',
            '\0\0\8\1\0\0\0\1\1'), 3)
         raises('cannot open ' .. scratch.folder .. '/none: No such file', dataset.readIdx,
            scratch.folder .. '/none')
         raises('truncated or damaged', dataset.readIdx, write('damaged.gz', 'no gzip at all'))
      end)

      it('takes no damaged bytes from gzip', function()
         local path = write('x', '\0\0\8\1\0\1\0\0' .. ('abcdefgh'):rep(8192))
         os.execute(("gzip -n -f '%s'"):format(path))
         local file = io.open(path .. '.gz', 'rb')
         local packed = file:read '*a'
         file:close()
         assert.equal(65536, dataset.readIdx(write('whole.gz', packed)):size(1))
         assert.equal(65536, dataset.readIdx(write('more.gz', packed .. 'and more')):size(1))
         local wrong = string.char((packed:byte(-6) + 1) % 256)
         for name, text in pairs {
            checksum = packed:sub(1, -7) .. wrong .. packed:sub(-5), ['end'] = packed:sub(1, -5),
         } do
            raises('gzip cannot unpack it, or its checksum is wrong', dataset.readIdx,
               write(name .. '.gz', text))
         end
      end)

      it('makes MNIST of a folder, packed or not', function()
         write('train-images-idx3-ubyte', '\0\0\8\3\0\0\0\2\0\0\0\1\0\0\0\2\10\20\30\40')
         local labels = write('train-labels-idx1-ubyte', '\0\0\8\1\0\0\0\2\9\0')
         os.execute(("gzip -f '%s'"):format(labels))
         local set = dataset.Mnist { folder = scratch.folder }
         assert.equal(2, set:size())
         assert.same({ { { 30, 40 } } }, set:get(2).input:totable())
         assert.same({ 10, 1 }, { set:get(1).target, set:get(2).target })
         assert.equal(1, dataset.Mnist({ folder = scratch.folder, count = 1 }):size())
         write('t10k-images-idx3-ubyte', '\0\0\8\3\0\0\0\1\0\0\0\1\0\0\0\1\10')
         write('t10k-labels-idx1-ubyte', '\0\0\8\1\0\0\0\2\9\0')
         raises('1 images, but 2 labels', dataset.Mnist, { folder = scratch.folder, part = 'test' })
         raises("the part is 'train' or 'test', got 'x'", dataset.Mnist,
            { folder = scratch.folder, part = 'x' })
      end)
   end)
end)
