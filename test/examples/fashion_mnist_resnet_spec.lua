-- The residual net with augmented images, on a small data set.

local support = require 'test.examples.support'

describe('examples/fashion_mnist_resnet', function()
   it('learns from augmented images, and shows its mistakes', function()
      local folder = support.images(400, 100)
      local function train(arguments)
         return support.succeeds('fashion_mnist_resnet/train.lua', ('--data %s --folder %s/run '
            .. '--batchSize 20 --epochs 3 --width 4 --threads 1 %s'):format(folder, folder,
            arguments))
      end
      local output = train '--workers 1'
      local losses = support.numbers(output, 'step %d+  loss (%d+%.%d+)')
      assert.equal(3, #losses, output)
      assert.is_true(losses[3] < 0.7 * losses[1], output)
      local picture = require('image').load(folder .. '/run/mistakes.png', 3, 'byte')
      assert.same({ 3, 3 * (60 + 18), 8 * 60 }, picture:size():totable())

      -- The same images whoever makes them; and a run that was complete is only shown again.
      local again = train ''
      assert.equal(output:match 'test accuracy: (%S+)', again:match 'test accuracy: (%S+)')
      support.shell('rm -r ' .. folder .. '/run')
      assert.same(losses, support.numbers(train '', 'step %d+  loss (%d+%.%d+)'))
      support.remove(folder)
   end)
end)
