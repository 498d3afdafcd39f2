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
      local path = folder .. '/plane.png'
      local output = support.succeeds('vae/train.lua',
         ('--data %s --threads 1 --batchSize 10 --epochs 4 --hidden 64 --picture %s')
            :format(folder, path))
      local losses = support.numbers(output, 'step %d+  loss (%d+%.%d+)')
      assert.equal(4, #losses, output)
      assert.is_true(losses[4] < 0.9 * losses[1], output)
      local total, code = output:match 'test: (%S+) nats an image, (%S+) of them for the code'
      -- Fewer than the 784 bits of images of which nothing is known.
      assert.is_true(tonumber(total) < 784 * math.log(2), output)
      assert.is_true(tonumber(code) > 0 and tonumber(code) < tonumber(total), output)

      local picture = require('image').load(path, 1, 'byte')
      assert.same({ 1, 16 * 60, 16 * 60 }, picture:size():totable())
      assert.is_true(picture:narrow(2, 3, 56):narrow(3, 3, 56):float():std() > 1) -- not one grey
   end)
end)
