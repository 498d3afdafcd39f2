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

   it('learns, and writes a picture of two rows of 12 images', function()
      local path = folder .. '/rows.png'
      local output = support.succeeds('autoencoder/train.lua',
         ('--data %s --threads 1 --batchSize 10 --epochs 6 --learningRate 2e-3 --picture %s')
            :format(folder, path))
      local losses = support.numbers(output, 'step %d+  loss (%d+%.%d+)')
      assert.equal(6, #losses, output)
      assert.is_true(losses[6] < 0.5 * losses[1], output)
      assert.is_true(tonumber(output:match 'test error: (%d+%.%d+)') < 0.5 * losses[1], output)

      local picture = require('image').load(path, 1, 'byte')
      assert.same({ 1, 2 * 60, 12 * 60 }, picture:size():totable())
      assert.equal(255, picture:narrow(2, 1, 2):min()) -- the gap
      -- The first test image, of class 1: its first row is bright on the left of the second bar.
      local function pixel(row, column) -- each is four of the picture
         return picture[1][2 * row + 3][2 * column + 3]
      end
      assert.is_true(pixel(0, 0) <= 60 and pixel(7, 3) >= 150 and pixel(7, 20) <= 60)
      -- Below it, what came out: bright and dark in the same places.
      assert.is_true(pixel(30 + 9, 7) > pixel(30 + 9, 22) + 50)
   end)
end)

describe('examples/common/picture.lua', function()
   local picture = dofile 'examples/common/picture.lua'

   it('shows colours, clamped, each pixel as four', function()
      local colour = torch.Tensor { 0, 0.5, 2 }:view(1, 3, 1, 1)
      local read = picture.compose(colour, 1)
      assert.same({ 3, 6, 6 }, read:size():totable())
      assert.same({ 1, 1, 1 }, read:select(3, 1):select(2, 1):totable())
      for row = 3, 4 do
         for column = 3, 4 do
            assert.same({ 0, 0.5, 1 }, read:select(3, column):select(2, row):totable())
         end
      end
   end)

   it('writes words below images', function()
      local images = torch.zeros(3, 20, 20)
      local plain = picture.compose(images, 2)
      local read = picture.compose(images, 2, { { 'I' }, { 'L' }, { 'I' } })
      assert.same({ 88, 88 }, { plain:size(plain:dim() - 1), plain:size(plain:dim()) })
      assert.same({ 3, 2 * (44 + 9), 88 }, read:size():totable())
      local words = {}
      for i, place in ipairs { { 0, 0 }, { 0, 44 }, { 53, 0 } } do
         words[i] = read[1]:narrow(1, place[1] + 43, 9):narrow(2, place[2] + 3, 40)
         assert.is_true(words[i]:eq(0):sum() > 5, 'no letter below image ' .. i)
      end
      assert.is_true(words[1]:equal(words[3]))
      assert.is_false(words[1]:equal(words[2]))
   end)
end)
