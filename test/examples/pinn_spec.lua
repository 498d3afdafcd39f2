local support = require 'test.examples.support'

describe('examples/pinn', function()
   it('comes near to the solution that it was not told', function()
      local folder = support.folder()
      local path = folder .. '/heat.png'
      local output = support.succeeds('pinn/train.lua', '--steps 600 --picture ' .. path)
      local worst = tonumber(output:match 'largest error: (%d+%.%d+)')
      local picture = require('image').load(path, 3, 'byte')
      support.remove(folder)
      assert.is_true(worst < 0.2, output) -- of temperatures from 0 to 1

      assert.same({ 3, 14 + 202 + 13, 3 * 272 }, picture:size():totable())
      local function colour(row, column)
         return picture:select(3, 14 + 2 * column + 1):select(2, 14 + 2 * row + 1):totable()
      end
      -- exp(-pi^2 t / 10) sin(pi x): 1 (dark red) in the middle of the rod at first, 0 (dark blue)
      -- at its ends.
      local red, blue = colour(0, 50), colour(50, 0)
      assert.is_true(red[1] >= 127 and red[2] == 0 and red[3] == 0)
      assert.is_true(blue[3] >= 127 and blue[1] == 0 and blue[2] == 0)
      local top, bottom = colour(0, 105), colour(100, 105) -- of the scale
      assert.is_true(top[1] >= 127 and top[3] == 0 and bottom[3] >= 127 and bottom[1] == 0)
   end)
end)
