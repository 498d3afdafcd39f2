local torch = require 'torch'
local dataset = require 'torch.dataset'
local makeParents = require 'paths.parents'
local raises = require 'test.support.raises'
local scratch = require 'test.support.scratch'

local write = scratch.write

describe('readers of torch.dataset', function()
   before_each(scratch.make)
   after_each(scratch.remove)

   describe('Folder', function()
      local image = require 'image'

      it('has a class for each folder, in alphabetical order', function()
         for k, name in ipairs { 'dog/b.png', 'cat/1.png', 'cat/deep/2.PPM', 'dog/a.ppm' } do
            write(name, '')
            image.savePPM(scratch.folder .. '/' .. name, torch.ByteTensor(3, 2, k):fill(10 * k))
         end
         write('cat/notes.txt', 'no picture')
         for _, name in ipairs { 'loop', 'again' } do -- back up to cat: endless, were they followed
            os.execute(("ln -s .. '%s/cat/deep/%s'"):format(scratch.folder, name))
         end
         write('.hidden/1.png', 'no class')
         write('cat/._1.png', 'no picture')
         local set = dataset.Folder { folder = scratch.folder }
         assert.same({ 'cat', 'dog' }, set.classes)
         assert.same({ 1, 1, 2, 2 }, set.targets:totable())
         assert.equal(scratch.folder .. '/dog/a.ppm', set.files[3])
         local sample = set:get(3)
         assert.same({ 3, 2, 4 }, sample.input:size():totable())
         assert.equal(40, sample.input[1][1][1])
         assert.equal('torch.ByteTensor', sample.input:type())
         assert.equal(2, sample.target)
         assert.equal(1, dataset.Folder({ folder = scratch.folder .. '/dog', depth = 1 }):get(1)
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

      it('has the classes of another set, and none without pictures', function()
         for k, name in ipairs { 'train/a/1.ppm', 'train/b/1.ppm', 'test/b/1.ppm',
            'some/b/1.ppm' } do
            makeParents(scratch.folder .. '/' .. name)
            image.savePPM(scratch.folder .. '/' .. name, torch.ByteTensor(3, 2, 2):fill(k))
         end
         local train = dataset.Folder { folder = scratch.folder .. '/train' }
         makeParents(scratch.folder .. '/test/a/1.ppm')
         for _, classes in ipairs { false, train.classes } do
            raises("there are no pictures (jpg, jpeg, png, ppm, pgm) in the folder of class 'a' in",
               dataset.Folder, { folder = scratch.folder .. '/test', classes = classes or nil })
         end
         local some = dataset.Folder { folder = scratch.folder .. '/some', classes = train.classes }
         assert.same({ { 2 }, { 'a', 'b' } }, { some.targets:totable(), some.classes })
         image.savePPM(scratch.folder .. '/test/a/1.ppm', torch.ByteTensor(3, 2, 2))
         local backwards = dataset.Folder { folder = scratch.folder .. '/test',
            classes = { 'b', 'a' } }
         assert.same({ 1, 2 }, backwards.targets:totable())
         assert.equal(3, backwards:get(1).input[1][1][1])
      end)

      it('names a damaged picture, and its index', function()
         write('a/1.jpg', 'not a picture')
         local loader = dataset.Loader { dataset = dataset.Folder { folder = scratch.folder } }
         local message = raises("sample 1 (batch 1 of epoch 1)", loader())
         assert.matches('a/1.jpg', message, 1, true)
      end)

      it('refuses folders without pictures', function()
         raises('there are no pictures (jpg, jpeg, png, ppm, pgm)', dataset.Folder,
            { folder = scratch.folder })
         raises('there is no folder', dataset.Folder, { folder = scratch.folder .. '/none' })
      end)
   end)
end)
