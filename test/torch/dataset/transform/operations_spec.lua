local torch = require 'torch'
local operations = require('torch.dataset.transform.operations')
local oracle = require 'test.torch.dataset.transform.oracle'

local op = operations.operations

local function floats(stored)
   return torch.FloatTensor(stored):view(unpack(stored.sizes))
end

local function near(a, b, tolerance)
   assert.is_true(a:isSameSizeAs(b))
   local difference = (a:double() - b:double()):abs():max()
   assert.is_true(difference <= (tolerance or 1e-5), difference)
end

describe('operations of augmentation policies', function()
   -- Pillow rounds down where it blends, we to the nearest at the end; its mean for contrast is a
   -- whole number, and so is its blurred picture.
   it('agree with Pillow in values', function()
      local grey, colours = floats(oracle.grey), floats(oracle.colours)
      near(op.equalize(grey:clone()), floats(oracle.grey_equalize))
      near(op.autocontrast(grey:clone()), floats(oracle.grey_autocontrast), 1)
      near(op.invert(colours:clone()), floats(oracle.invert))
      near(op.solarize(colours:clone(), 100), floats(oracle.solarize_100))
      near(op.posterize(colours:clone(), 3), floats(oracle.posterize_3))
      for _, name in ipairs { 'brightness', 'contrast', 'color', 'sharpness' } do
         local tolerance = name == 'brightness' and 1 or 1.5
         near(op[name](colours:clone(), 1.7):clamp(0, 255), floats(oracle[name .. '_more']),
            tolerance)
         near(op[name](colours:clone(), 0.4), floats(oracle[name .. '_less']), tolerance)
      end
   end)

   it('agree with Pillow in places', function()
      local field = floats(oracle.field)
      for _, row in ipairs { { 'rotate', 25, '25' }, { 'shearX', 0.3, '03' },
         { 'shearY', 0.3, '03' }, { 'translateX', 2.5, '25' }, { 'translateY', 2.5, '25' } } do
         local name, amount, shown = unpack(row)
         -- on the border Pillow takes the nearest pixel, we mix with what is off the picture
         local within = op[name](field:clone():fill(1), amount):ge(1 - 1e-6)
         assert.is_true(within:sum() > field:nElement() / 2)
         near(op[name](field:clone(), amount)[within],
            floats(oracle[name .. '_' .. shown])[within], 1)
      end
   end)

   it('have closed forms', function()
      local x = torch.FloatTensor { { { 10, 100, 200, 255 } } }
      near(op.identity(x:clone()), x)
      near(op.brightness(x:clone(), 1.9), torch.mul(x, 1.9))
      near(op.posterize(x:clone(), 4), torch.FloatTensor { { { 0, 96, 192, 240 } } })
      near(op.posterize(x:clone(), 8), x)
      near(op.solarize(x:clone(), 128), torch.FloatTensor { { { 10, 100, 55, 0 } } })
      near(op.solarize(x:clone(), 256), x)
      near(op.invert(x:clone()), torch.FloatTensor { { { 245, 155, 55, 0 } } })
      near(op.autocontrast(x:clone()), torch.FloatTensor { { { 0, 90 * 255 / 245, 190 * 255 / 245,
         255 } } }, 1e-3)
      near(op.autocontrast(torch.FloatTensor(1, 2, 2):fill(7)), torch.FloatTensor(1, 2, 2):fill(7))
      local flat = torch.FloatTensor(3, 4, 4):fill(50)
      for _, name in ipairs { 'contrast', 'color', 'sharpness' } do
         near(op[name](flat:clone(), 1.6), flat, 1e-3)
      end
      local point = torch.FloatTensor(1, 3, 3):zero()
      point[1][2][2] = 13
      local expected = point:clone()
      expected[1][2][2] = 13 * 1.9 - 5 * 0.9
      near(op.sharpness(point, 1.9), expected)
   end)

   it('equalize makes 512 levels in equal numbers even, and leaves a single one', function()
      local x = torch.range(0, 511):div(4):floor():add(64):float():view(1, 16, 32) -- 64..191
      -- 508 pixels without the last level: steps of 1, so each level becomes the count below it
      local expected = torch.range(0, 511):div(4):floor():mul(4):clamp(0, 255):float()
      near(op.equalize(x), expected:view(1, 16, 32))
      local flat = torch.FloatTensor(1, 20, 20):fill(7)
      near(op.equalize(flat:clone()), flat)
   end)

   it('move pictures as far as they say', function()
      local x = torch.FloatTensor(1, 331, 331):zero()
      x[1][166][166] = 1 -- the centre
      local function found(name, m, picture, strengths)
         local y = op[name]((picture or x):clone(), strengths[name](m, x))
         local _, at = y:view(-1):max(1)
         return math.floor((at[1] - 1) / 331) + 1, (at[1] - 1) % 331 + 1
      end
      assert.same({ 166, 166 }, { found('rotate', 1, x, operations.usual) })
      assert.same({ 166, 166 }, { found('shearX', 1, x, operations.usual) })
      local _, right = found('translateX', 0.1, x, operations.usual)
      assert.equal(15, math.abs(right - 166))
      local down = found('translateY', 0.1, x, operations.usual)
      assert.equal(15, math.abs(down - 166))
      local far = found('translateY', 1, x, operations.wide)
      assert.equal(32, math.abs(far - 166))
      local off = x:clone():zero()
      off[1][66][166] = 1 -- 100 above the centre: shear by 0.3 moves it 30 aside
      local row, column = found('shearX', 1, off, operations.usual)
      assert.equal(66, row)
      assert.equal(30, math.abs(column - 166))
   end)

   it('are as strong as the papers say', function()
      local y = torch.FloatTensor(3, 331, 662)
      for name, most in pairs { rotate = { 30, 135 }, shearX = { 0.3, 0.99 },
         shearY = { 0.3, 0.99 }, translateX = { 300, 32 }, translateY = { 150, 32 },
         brightness = { 1.9, 1.99 }, contrast = { 1.9, 1.99 }, color = { 1.9, 1.99 },
         sharpness = { 1.9, 1.99 }, posterize = { 4, 2 }, solarize = { 0, 0 } } do
         assert.near(most[1], operations.usual[name](1, y), 1e-9, name)
         assert.near(most[2], operations.wide[name](1, y), 1e-9, name)
      end
      assert.near(0.1, operations.usual.color(-1, y), 1e-9)
      assert.same({ 8, 8, 7, 7, 6, 6, 5, 5, 4, 4 }, (function()
         local bits = {}
         for m = 0, 9 do
            bits[m + 1] = operations.usual.posterize(m / 9, y)
         end
         return bits
      end)())
   end)
end)
