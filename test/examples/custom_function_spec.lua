-- The net of signs, as its users run it, on a small data set.

local support = require 'test.examples.support'

describe('examples/custom_function', function()
   it('learns with signs alone, and draws them', function()
      local folder = support.images(600, 100)
      local output = support.succeeds('custom_function/train.lua',
         ('--data %s --threads 1 --epochs 6 --hidden 64 --learningRate 5e-3 --picture %s/signs.png')
            :format(folder, folder))
      local accuracy = tonumber(output:match 'test accuracy: (%d%.%d+)')
      assert.is_true(accuracy > 0.8, output)
      local shares = support.numbers(output, 'positive1 (%d%.%d+)')
      assert.equal(6, #shares)
      for _, share in ipairs(shares) do
         assert.is_true(share > 0.2 and share < 0.8, output)
      end
      local picture = require('image').load(folder .. '/signs.png', 1, 'byte')
      assert.same({ 2 * 116, 6 * 116 }, { picture:size(2), picture:size(3) })
      -- Black or white, nothing between: they are signs.
      assert.equal(picture:nElement(), picture:eq(0):sum() + picture:eq(255):sum())
      assert.is_true(picture:eq(0):sum() > 0)
      support.remove(folder)
   end)
end)
