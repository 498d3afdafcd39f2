local support = require 'test.examples.support'

describe('examples/pinn', function()
   it('comes near to the solution that it was not told', function()
      local folder = support.folder()
      local path = folder .. '/heat.pgm'
      local output = support.succeeds('pinn/train.lua', '--steps 600 --picture ' .. path)
      local worst = tonumber(output:match 'largest error: (%d+%.%d+)')
      local picture = support.read(path)
      support.remove(folder)
      assert.is_true(worst < 0.2, output) -- of temperatures from 0 to 1

      local head = 'P5\n311 105\n255\n'
      assert.equal(head, picture:sub(1, #head))
      local pixels = picture:sub(#head + 1)
      assert.equal(311 * 105, #pixels)
      local function pixel(row, column)
         return pixels:byte((row + 2) * 311 + column + 2 + 1)
      end
      -- exp(-pi^2 t / 10) sin(pi x) in the middle of the rod: 1 at first, 0.373 at last.
      assert.equal(255, pixel(0, 50))
      assert.equal(math.floor(255 * math.exp(-math.pi ^ 2 / 10) + 0.5), pixel(100, 50))
      assert.equal(0, pixel(50, 0))
   end)
end)
