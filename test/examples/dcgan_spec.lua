local torch = require 'torch'
local support = require 'test.examples.support'

describe('examples/dcgan', function()
   it('learns, and writes a picture of 64 images after each epoch', function()
      local folder = support.images(200)
      local output = support.succeeds('dcgan/train.lua',
         ('--data %s --threads 1 --batchSize 20 --epochs 2 --pictures %s/made'):format(
            folder, folder))
      -- A critic that knows nothing has the loss 2 log 2.
      local losses = support.numbers(output, '%%  loss (%d+%.%d+)')
      assert.equal(2, #losses, output)
      assert.is_true(losses[2] < losses[1] and losses[2] < 2 * math.log(2), output)
      local wishes = support.numbers(output, "generator's loss (%d+%.%d+)")
      assert.equal(2, #wishes, output)
      local image = require 'image'
      local first = image.load(folder .. '/made-1.png', 1, 'byte')
      local second = image.load(folder .. '/made-2.png', 1, 'byte')
      assert.same({ 1, 8 * 60, 8 * 60 }, first:size():totable())
      assert.is_true(first:isSameSizeAs(second))
      assert.is_false(first:equal(second))
      support.remove(folder)
   end)

   it('says before it begins that its pictures cannot be written', function()
      local output, status = support.run('dcgan/train.lua', '--pictures /nowhere/made')
      assert.equal(1, status)
      assert.equal('examples/dcgan/train.lua: --pictures: cannot write /nowhere/made-1.png: '
         .. 'No such file or directory\n', output)
   end)

   it('is a generator of images and a critic of them', function()
      local models = dofile 'examples/dcgan/models.lua'
      local generator, critic = models.generator(5), models.critic()
      local images = generator:forward(torch.randn(3, 5))
      assert.same({ 3, 1, 28, 28 }, images:size():totable())
      assert.is_true(images:min() >= -1 and images:max() <= 1)
      local verdict = critic:forward(images)
      assert.same({ 3, 1 }, verdict:size():totable())
      assert.is_true(verdict:min() > 0 and verdict:max() < 1)
   end)
end)
