-- The example of the Trainer as its users run it, on a small data set.

local support = require 'test.examples.support'

describe('examples/fashion_mnist_trainer/train.lua', function()
   it('has less than 30 lines', function()
      local _, lines = support.read 'examples/fashion_mnist_trainer/train.lua':gsub('\n', '')
      assert.is_true(lines < 30)
   end)

   it('learns, logs, and goes on where it was', function()
      local folder = support.images(300, 100)
      local function train(epochs)
         return support.succeeds('fashion_mnist_trainer/train.lua',
            ('--data %s --folder %s/run --epochs %d --threads 1'):format(folder, folder, epochs))
      end
      local output = train(4)
      assert.matches('431,080 parameters', output)
      assert.matches('epoch 1  step 3  loss %d%.%d+  accuracy', output)
      local accuracy = output:match 'test accuracy: (%d%.%d%d%d%d)\n$'
      assert.is_true(tonumber(accuracy) >= 0.9, output)
      local again = train(5)
      assert.not_matches('epoch 4  step 12', again)
      assert.matches('epoch 5  step 15', again)
      local _, rows = support.read(folder .. '/run/log.csv'):gsub('\n', '')
      assert.equal(6, rows)
      support.remove(folder)
   end)
end)
