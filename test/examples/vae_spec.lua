local support = require 'test.examples.support'

describe('examples/vae', function()
   local folder

   setup(function()
      folder = support.images(300, 100)
   end)

   teardown(function()
      support.remove(folder)
   end)

   it('learns, and writes what the decoder makes of a plane', function()
      local path = folder .. '/plane.pgm'
      local output = support.succeeds('vae/train.lua',
         ('--data %s --threads 1 --batchSize 10 --epochs 4 --hidden 64 --picture %s')
            :format(folder, path))
      local losses = support.numbers(output, 'loss (%d+%.%d+)')
      assert.equal(4, #losses, output)
      assert.is_true(losses[4] < 0.9 * losses[1], output)
      local total, pixels, code =
         output:match 'test: (%S+) nats an image, (%S+) of pixels and (%S+)'
      assert.is_true(math.abs(total - pixels - code) < 0.011, output)
      -- Fewer than the 784 bits of images of which nothing is known.
      assert.is_true(tonumber(pixels) < 784 * math.log(2), output)
      assert.is_true(tonumber(code) > 0, output)

      local picture = support.read(path)
      local head = 'P5\n482 482\n255\n'
      assert.equal(head, picture:sub(1, #head))
      assert.equal(482 * 482, #picture - #head)
   end)
end)
