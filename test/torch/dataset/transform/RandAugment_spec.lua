local torch = require 'torch'
local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'

local T = dataset.transform

local function near(a, b, tolerance)
   assert.is_true(a:isSameSizeAs(b))
   local difference = (a:double() - b:double()):abs():max()
   assert.is_true(difference <= (tolerance or 1e-5), difference)
end

describe('dataset.transform', function()
   before_each(function()
      torch.manualSeed(1)
   end)

   describe('RandAugment', function()
      local operations = require('torch.dataset.transform.RandAugment').operations

      local function apply(name, x, m)
         return operations[name][1](x:clone(), m)
      end

      it('is made of operations with closed forms', function()
         local x = torch.FloatTensor { { { 10, 100, 200, 255 } } }
         near(apply('identity', x, 1), x)
         near(apply('brightness', x, 1), torch.mul(x, 1.9))
         near(apply('posterize', x, 1), torch.FloatTensor { { { 0, 96, 192, 240 } } })
         near(apply('solarize', x, 0.5), torch.FloatTensor { { { 10, 100, 55, 0 } } })
         near(apply('solarize', x, 0), x)
         near(apply('autocontrast', x, 1), torch.FloatTensor { { { 0, 90 * 255 / 245,
            190 * 255 / 245, 255 } } }, 1e-3)
         near(apply('equalize', x, 1), torch.FloatTensor { { { 0, 85, 170, 255 } } })
         near(apply('equalize', torch.FloatTensor(1, 2, 2):fill(7), 1),
            torch.FloatTensor(1, 2, 2):fill(7))
         local flat = torch.FloatTensor(3, 4, 4):fill(50)
         for _, name in ipairs { 'contrast', 'color', 'sharpness' } do
            near(apply(name, flat, 0.7), flat, 1e-3)
         end
         local point = torch.FloatTensor(1, 3, 3):zero()
         point[1][2][2] = 13
         local expected = torch.FloatTensor(1, 3, 3):zero()
         expected[1][2][2] = 13 * 1.9 - 5 * 0.9
         near(apply('sharpness', point, 1), expected)
      end)

      it('moves pictures as far as it says', function()
         local x = torch.FloatTensor(1, 331, 331):zero()
         x[1][166][166] = 1 -- the centre
         local function found(name, m, picture)
            local y = apply(name, picture or x, m)
            local _, at = y:view(-1):max(1)
            return math.floor((at[1] - 1) / 331) + 1, (at[1] - 1) % 331 + 1
         end
         assert.same({ 166, 166 }, { found('rotate', 1) })
         assert.same({ 166, 166 }, { found('shearX', 1) })
         local _, right = found('translateX', 0.1)
         assert.equal(15, math.abs(right - 166))
         local down = found('translateY', 0.1)
         assert.equal(15, math.abs(down - 166))
         local off = torch.FloatTensor(1, 331, 331):zero()
         off[1][166]:fill(0)
         off[1][66][166] = 1 -- 100 above the centre: shear by 0.3 moves it 30 aside
         local row, column = found('shearX', 1, off)
         assert.equal(66, row)
         assert.equal(30, math.abs(column - 166))
      end)

      it('keeps type, size and range', function()
         for _, x in ipairs { torch.ByteTensor(3, 9, 7):random(0, 255), torch.rand(1, 9, 7),
            torch.rand(3, 2, 2):float() } do
            for _ = 1, 40 do
               local y = T.RandAugment { magnitude = 30, count = 3 }(x)
               assert.equal(x:type(), y:type())
               assert.is_true(x:isSameSizeAs(y) and y:min() >= 0
                  and y:max() <= (x:type() == 'torch.ByteTensor' and 255 or 1))
            end
         end
         raises("there is no operation 'turn'; there are autocontrast", T.RandAugment,
            { operations = { 'turn' } })
         raises('magnitude must be from 0 to 30', T.RandAugment, { magnitude = 31 })
      end)
   end)
end)
