local torch = require 'torch'
local support = require 'test.examples.support'

describe('examples/autoencoder', function()
   local folder

   setup(function()
      folder = support.images(300, 100)
   end)

   teardown(function()
      support.remove(folder)
   end)

   it('learns, and writes a picture of two rows of 16 images', function()
      local path = folder .. '/rows.pgm'
      local output = support.succeeds('autoencoder/train.lua',
         ('--data %s --threads 1 --batchSize 10 --epochs 6 --learningRate 2e-3 --picture %s')
            :format(folder, path))
      local losses = support.numbers(output, 'loss (%d+%.%d+)')
      assert.equal(6, #losses, output)
      assert.is_true(losses[6] < 0.5 * losses[1], output)
      assert.is_true(tonumber(output:match 'test error: (%d+%.%d+)') < 0.5 * losses[1], output)

      local picture = support.read(path)
      local head = 'P5\n482 62\n255\n'
      assert.equal(head, picture:sub(1, #head))
      local pixels = picture:sub(#head + 1)
      assert.equal(482 * 62, #pixels)
      assert.equal(('\255'):rep(2 * 482 + 2), pixels:sub(1, 2 * 482 + 2)) -- the gap
      -- The first test image, of class 1: its first row is bright on the left of the second bar.
      local function pixel(row, column)
         return pixels:byte((row + 2) * 482 + column + 2 + 1)
      end
      assert.is_true(pixel(0, 0) <= 60 and pixel(7, 3) >= 150 and pixel(7, 20) <= 60)
      -- Below it, what came out: bright and dark in the same places.
      assert.is_true(pixel(30 + 9, 7) > pixel(30 + 9, 22) + 50)
   end)
end)

describe('examples/common/picture.lua', function()
   local picture = dofile 'examples/common/picture.lua'

   it('writes colours, clamps, and rounds', function()
      local path = os.tmpname()
      local image = torch.Tensor { { { 0 } }, { { 0.5 } }, { { 2 } } }:view(1, 3, 1, 1)
      picture.save(path, image, 1)
      local white = ('\255'):rep(3)
      assert.equal('P6\n5 5\n255\n' .. white:rep(12) .. '\0\128\255' .. white:rep(12),
         support.read(path))
      os.remove(path)
   end)

   it('refuses images of two channels', function()
      assert.has_error(function()
         picture.save('x.ppm', torch.zeros(1, 2, 3, 3))
      end, 'x.ppm: a picture has 1 or 3 channels, the images have 2')
   end)
end)
