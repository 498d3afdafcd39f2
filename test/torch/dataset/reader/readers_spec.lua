local torch = require 'torch'
local paths = require 'paths'
local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'

local folder

local function write(name, text)
   local path = folder .. '/' .. name
   paths.mkdir(paths.dirname(path))
   local file = assert(io.open(path, 'wb'))
   file:write(text)
   file:close()
   return path
end

describe('readers of torch.dataset', function()
   before_each(function()
      folder = os.tmpname()
      os.remove(folder)
      paths.mkdir(folder)
   end)

   after_each(function()
      paths.rmall(folder, 'yes')
   end)

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
         raises('its header has 2 bytes instead of 4', dataset.readIdx, write('head', '\0\0'))
         raises('there are bytes after its data', dataset.readIdx, write('long',
            '\0\0\8\1\0\0\0\1\1\2'))
         raises('not an IDX file: it begins with 137 80 78 71', dataset.readIdx,
            write('png', '\137PNG'))
         raises('it has 1 dimensions (1), wanted 3', dataset.readIdx, write('one',
            '\0\0\8\1\0\0\0\1\1'), 3)
         raises('cannot open ' .. folder .. '/none: No such file', dataset.readIdx,
            folder .. '/none')
         raises('truncated or damaged', dataset.readIdx, write('damaged.gz', 'no gzip at all'))
      end)

      it('makes MNIST of a folder, packed or not', function()
         write('train-images-idx3-ubyte', '\0\0\8\3\0\0\0\2\0\0\0\1\0\0\0\2\10\20\30\40')
         local labels = write('train-labels-idx1-ubyte', '\0\0\8\1\0\0\0\2\9\0')
         os.execute(("gzip -f '%s'"):format(labels))
         local set = dataset.Mnist { folder = folder }
         assert.equal(2, set:size())
         assert.same({ { { 30, 40 } } }, set:get(2).input:totable())
         assert.same({ 10, 1 }, { set:get(1).target, set:get(2).target })
         assert.equal(1, dataset.Mnist({ folder = folder, count = 1 }):size())
         write('t10k-images-idx3-ubyte', '\0\0\8\3\0\0\0\1\0\0\0\1\0\0\0\1\10')
         write('t10k-labels-idx1-ubyte', '\0\0\8\1\0\0\0\2\9\0')
         raises('1 images, but 2 labels', dataset.Mnist, { folder = folder, part = 'test' })
         raises("the part is 'train' or 'test', got 'x'", dataset.Mnist,
            { folder = folder, part = 'x' })
      end)
   end)

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
         local set = dataset.Cifar { folder = folder }
         assert.equal(5, set:size())
         local sample = set:get(3)
         assert.equal(4, sample.target)
         assert.same({ 3, 32, 32 }, sample.input:size():totable())
         assert.equal((3 + 1024 * 2 + 32 * 5 + 7) % 256, sample.input[3][6][8])
      end)

      it('reads both classes of CIFAR-100', function()
         write('test.bin', row('\3\77', 0) .. row('\19\99', 1))
         local set = dataset.Cifar { folder = folder, classes = 100, part = 'test' }
         assert.same({ 4, 78 }, { set:get(1).coarse, set:get(1).target })
         assert.same({ 20, 100 }, { set:get(2).coarse, set:get(2).target })
         assert.equal(2, set:get(2).input[1][1][2])
      end)

      it('says what is wrong with a file', function()
         write('test_batch.bin', row('\1', 0):sub(1, -2))
         raises('it has 3072 bytes, which is no multiple of the 3073', dataset.Cifar,
            { folder = folder, part = 'test' })
         write('test_batch.bin', row('\200', 0))
         raises('row 1 has the class 200; classes are 0 to 9', dataset.Cifar,
            { folder = folder, part = 'test' })
         raises('cannot open', dataset.Cifar, { folder = folder })
      end)
   end)

   describe('Folder', function()
      local image = require 'image'

      it('has a class for each folder, in alphabetical order', function()
         for k, name in ipairs { 'dog/b.png', 'cat/1.png', 'cat/deep/2.PPM', 'dog/a.ppm' } do
            write(name, '')
            image.savePPM(folder .. '/' .. name, torch.ByteTensor(3, 2, k):fill(10 * k))
         end
         write('cat/notes.txt', 'no picture')
         write('empty/x.txt', '')
         local set = dataset.Folder { folder = folder }
         assert.same({ 'cat', 'dog' }, set.classes)
         assert.same({ 1, 1, 2, 2 }, set.targets:totable())
         assert.equal(folder .. '/dog/a.ppm', set.files[3])
         local sample = set:get(3)
         assert.same({ 3, 2, 4 }, sample.input:size():totable())
         assert.equal(40, sample.input[1][1][1])
         assert.equal('torch.ByteTensor', sample.input:type())
         assert.equal(2, sample.target)
         assert.equal(1, dataset.Folder({ folder = folder .. '/dog', depth = 1 }):get(1)
            .input:size(1))
         local loader = dataset.Loader { dataset = set, batchSize = 4, workers = 2,
            transform = function(s)
               return { input = s.input:float():sum(), target = s.target }
            end }
         local batch = loader()()
         loader:stop()
         assert.same({ 2 * 2 * 3 * 20, 3 * 2 * 3 * 30, 4 * 2 * 3 * 40, 1 * 2 * 3 * 10 },
            batch.input:totable())
         assert.equal('torch.LongTensor', batch.target:type())
      end)

      it('names a damaged picture, and its index', function()
         write('a/1.jpg', 'not a picture')
         local loader = dataset.Loader { dataset = dataset.Folder { folder = folder } }
         local message = raises("sample 1 (batch 1 of epoch 1)", loader())
         assert.matches('a/1.jpg', message, 1, true)
      end)

      it('refuses folders without pictures', function()
         raises('there are no pictures (jpg, jpeg, png, ppm, pgm)', dataset.Folder,
            { folder = folder })
         raises('there is no folder', dataset.Folder, { folder = folder .. '/none' })
      end)
   end)

   describe('CSV', function()
      it('reads quotes, line ends, missing values and types', function()
         local path = write('x.csv', '\239\187\191a,name,"b ""q"""\r\n1,"x, y",2.5\n\n'
            .. ',"two\nlines",NA\n-3e2,x,')
         local read = dataset.readCsv(path)
         assert.equal(3, read.rows)
         assert.same({ 'a', 'name', 'b "q"' }, read.names)
         local a = read.columns.a
         assert.same({ 1, -300 }, { a[1], a[3] })
         assert.is_true(a[2] ~= a[2])
         local b = read.columns['b "q"']
         assert.equal(2.5, b[1])
         assert.is_true(b[2] ~= b[2] and b[3] ~= b[3])
         assert.same({ 'two\nlines', 'x', 'x, y' }, read.levels.name)
         assert.same({ 3, 1, 2 }, read.columns.name:totable())
         read = dataset.readCsv(path, { types = { a = 'text', name = 'text' } })
         assert.same({ '1', false, '-3e2' }, read.columns.a)
         assert.same({ 'x, y', 'two\nlines', 'x' }, read.columns.name)
      end)

      it('reads other separators, and tables without a header', function()
         local read = dataset.readCsv(write('x.tsv', '1\t2\n3\t4\n'),
            { separator = '\t', header = false })
         assert.same({ '1', '2' }, read.names)
         assert.same({ 2, 4 }, read.columns['2']:totable())
         read = dataset.readCsv(write('y', 'a;b\n1;"2"'), { separator = ';' })
         assert.same({ 2 }, read.columns.b:totable())
      end)

      it('says in which line something is wrong', function()
         raises('line 3: 1 fields, wanted 2', dataset.readCsv, write('a', 'x,y\n1,2\n3\n'))
         raises('line 4: 3 fields, wanted 2', dataset.readCsv,
            write('a', 'x,y\n1,"a\nb"\n3,4,5\n'))
         raises('line 2: a quote is not closed', dataset.readCsv, write('a', 'x,y\n1,"2\n3,4\n'))
         raises('line 2: after a quoted field there is "z"', dataset.readCsv,
            write('a', 'x,y\n"1"z,2\n'))
         raises("line 3: y is 'four', wanted a number", dataset.readCsv,
            write('a', 'x,y\n1,2\n3,four\n'), { types = { y = 'number' } })
         raises("has no column 'z'; there are x, y", dataset.readCsv, write('a', 'x,y\n1,2\n'),
            { types = { z = 'text' } })
         raises("two columns are called 'x'", dataset.readCsv, write('a', 'x,x\n1,2\n'))
         raises('is empty', dataset.readCsv, write('a', ''))
         raises('cannot read', dataset.readCsv, folder .. '/none')
      end)

      it('makes samples of columns', function()
         local path = write('iris.csv', 'w,h,kind\n1,2,b\n3,4,a\n5,6,b\n')
         local set = dataset.Csv { path = path, target = 'kind' }
         assert.same({ 3, 4 }, set:get(2).input:totable())
         assert.equal('torch.FloatTensor', set:get(2).input:type())
         assert.same({ 2, 1, 2 }, set.fields.target:totable())
         assert.same({ 'a', 'b' }, set.levels.kind)
         local other = dataset.Csv { path = path, inputs = { 'h' }, target = 'w',
            tensor = 'torch.DoubleTensor' }
         assert.same({ 6 }, other:get(3).input:totable())
         assert.equal(5, other:get(3).target)
         raises("has no column 'colour'", dataset.Csv, { path = path, target = 'colour' })
         raises("there is no option 'seperator'; near: separator", dataset.Csv,
            { path = path, seperator = ';' })
      end)
   end)

   it('Npy maps arrays', function()
      local npy = require 'npy'
      npy.save(folder .. '/x.npy', torch.range(1, 6):view(3, 2))
      npy.save(folder .. '/t.npy', torch.LongTensor { 7, 8, 9 })
      local set = dataset.Npy { input = folder .. '/x.npy', target = folder .. '/t.npy' }
      assert.same({ 3, 4 }, set:get(2).input:totable())
      assert.equal(8, set:get(2).target)
      npy.savez(folder .. '/both.npz', { input = torch.zeros(2, 1), target = torch.ones(2) })
      assert.equal(1, dataset.Npy({ path = folder .. '/both.npz' }):get(2).target)
      npy.save(folder .. '/few.npy', torch.zeros(2))
      raises('input has 3 samples, target has 2', dataset.Npy,
         { input = folder .. '/x.npy', target = folder .. '/few.npy' })
      raises('is one array', dataset.Npy, { path = folder .. '/x.npy' })
   end)

   it('Hdf5 reads rows as they are asked for, also on workers', function()
      local hdf5 = require 'hdf5'
      local path = folder .. '/x.h5'
      local file = hdf5.open(path, 'w')
      file:write('/x', torch.range(1, 20):view(10, 2))
      file:write('/y', torch.range(1, 10):long())
      file:write('/few', torch.range(1, 9))
      file:close()
      local set = dataset.Hdf5 { path = path, fields = { input = '/x', target = '/y' } }
      assert.equal(10, set:size())
      assert.same({ 5, 6 }, set:get(3).input:totable())
      assert.equal(3, set:get(3).target)
      local batch = set:batch(torch.LongTensor { 4, 5, 1 })
      assert.same({ { 7, 8 }, { 9, 10 }, { 1, 2 } }, batch.input:totable())
      local function all(workers)
         local loader = dataset.Loader { dataset = set, batchSize = 3, shuffle = true, seed = 1,
            workers = workers }
         local list = {}
         for b in loader() do
            list[#list + 1] = { b.input:totable(), b.target:totable(), b.target:type() }
         end
         loader:stop()
         return list
      end
      assert.same(all(0), all(2))
      raises('has 9', dataset.Hdf5, { path = path, fields = { a = '/few', b = '/x' } })
   end)

   it('Lines gives the lines of a file, whatever their ends', function()
      local set = dataset.Lines(write('x.txt', 'one\r\n\nthree\0x\nfour'))
      assert.equal(4, set:size())
      assert.same({ 'one', '', 'three\0x', 'four' },
         { set:get(1), set:get(2), set:get(3), set:get(4) })
      assert.equal(1, dataset.Lines(write('y.txt', 'a\n')):size())
      assert.equal(0, dataset.Lines(write('z.txt', '')):size())
      assert.equal(3, dataset.Lines(write('y.txt', 'abc\n'), function(s) return #s end):get(1))
      raises('cannot open', dataset.Lines, folder .. '/none')
      local loader = dataset.Loader { dataset = set, batchSize = 4, workers = 1 }
      assert.same({ 'one', '', 'three\0x', 'four' }, loader()())
      loader:stop()
   end)

   it('Tokens gives windows of a mapped file', function()
      local path = folder .. '/t.bin'
      dataset.Tokens.write(path, torch.LongTensor { 1, 300, 65536, 4, 5, 6, 7 })
      local set = dataset.Tokens { path = path, length = 2 }
      assert.equal(3, set:size())
      assert.same({ 1, 300 }, set:get(1).input:totable())
      assert.same({ 300, 65536 }, set:get(1).target:totable())
      assert.same({ 6, 7 }, set:get(3).target:totable())
      assert.equal(5, dataset.Tokens({ path = path, length = 2, stride = 1 }):size())
      dataset.Tokens.write(path, torch.LongTensor { 0, 2 ^ 32 - 1 }, { bytes = 4, offset = 0 })
      assert.same({ 2 ^ 32 - 1 }, dataset.Tokens({ path = path, length = 1, bytes = 4, offset = 0 })
         :get(1).target:totable())
      raises('2 tokens are too few for a window of 2', dataset.Tokens,
         { path = path, length = 2, bytes = 4 })
      raises('token 70000 at place 2 is not in 1..65536', dataset.Tokens.write, path,
         torch.LongTensor { 1, 70000 })
      raises('has 3 bytes, no multiple of 2', dataset.Tokens,
         { path = write('odd', 'abc'), length = 1 })
      raises('give path, or tokens', dataset.Tokens, { length = 1 })
   end)
end)
