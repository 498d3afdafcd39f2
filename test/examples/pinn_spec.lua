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

      assert.same({ 3, 202 + 9 + 4, 3 * 206 }, picture:size():totable())
      local function colour(row, column)
         return picture:select(3, 2 * column + 3):select(2, 2 * row + 3):totable()
      end
      -- exp(-pi^2 t / 10) sin(pi x): 1 (dark red) in the middle of the rod at first, 0 (dark blue)
      -- at its ends.
      local red, blue = colour(0, 50), colour(50, 0)
      assert.is_true(red[1] >= 127 and red[2] == 0 and red[3] == 0)
      assert.is_true(blue[3] >= 127 and blue[1] == 0 and blue[2] == 0)
   end)
end)
