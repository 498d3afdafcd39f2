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

   it('ToFloat and Normalize', function()
      local bytes = torch.ByteTensor { { { 0, 51, 255 } }, { { 255, 0, 51 } } }
      near(T.ToFloat {}(bytes)[1], torch.FloatTensor { { 0, 0.2, 1 } })
      local normalize = T.Normalize { mean = { 0.5, 0.2 }, std = { 0.5, 0.1 } }
      near(normalize(bytes), torch.FloatTensor { { { -1, -0.6, 1 } }, { { 8, -2, 0 } } })
      near(normalize(T.ToFloat {}(bytes)), normalize(bytes))
      near(T.Normalize { mean = 1, std = 2 }(torch.zeros(3, 1, 1)), torch.Tensor(3, 1, 1)
         :fill(-0.5))
      raises('2 means, but the picture has 3 channels', normalize, torch.zeros(3, 1, 1))
      raises('std[2] must be a number above 0, got 0', T.Normalize,
         { mean = { 1, 1 }, std = { 1, 0 } })
      raises('1 means and 2 deviations', T.Normalize, { mean = { 1 }, std = { 1, 1 } })
   end)

   describe('ColorJitter', function()
      local colour = require 'torch.dataset.transform.colour'
      local x = torch.FloatTensor { { { 0.2, 0.4 } }, { { 0.6, 0.4 } }, { { 0.1, 0.4 } } }
      local luma = { 0.299 * 0.2 + 0.587 * 0.6 + 0.114 * 0.1, 0.4 }

      it('is made of operations with closed forms', function()
         near(colour.brightness(x:clone(), 1.5), torch.mul(x, 1.5))
         local mean = (luma[1] + luma[2]) / 2
         near(colour.contrast(x:clone(), 0.25), torch.mul(x, 0.25):add(0.75 * mean))
         local plain = colour.saturation(x:clone(), 0)
         for c = 1, 3 do
            near(plain[c][1], torch.FloatTensor(luma))
         end
         near(colour.saturation(x:clone(), 1), x)
         -- A third of the circle turns red into green, green into blue.
         local third = colour.hue(x:clone(), 1 / 3, 1)
         near(third, x:index(1, torch.LongTensor { 3, 1, 2 }), 1e-3)
         near(colour.hue(torch.mul(x, 255), -1 / 3, 255), torch.mul(x, 255):index(1,
            torch.LongTensor { 2, 3, 1 }), 0.1)
      end)

      it('draws factors within their bounds, and keeps type and range', function()
         local jitter, seen = T.ColorJitter { brightness = 0.5 }, {}
         for k = 1, 300 do
            seen[k] = jitter(torch.DoubleTensor(3, 1, 1):fill(0.4))[1][1][1] / 0.4
         end
         table.sort(seen)
         assert.is_true(seen[1] >= 0.5 - 1e-9 and seen[1] < 0.55)
         assert.is_true(seen[300] <= 1.5 + 1e-9 and seen[300] > 1.45)
         local y = T.ColorJitter { brightness = 3, contrast = 1, saturation = 1, hue = 0.5 }(
            torch.ByteTensor(3, 4, 4):random(0, 255))
         assert.equal('torch.ByteTensor', y:type())
         raises('hue must be from 0 to 0.5, got 0.6', T.ColorJitter, { hue = 0.6 })
         raises('a picture of floats from 100 to 200, wanted 0 to 1', jitter,
            torch.FloatTensor(3, 2, 2):fill(100):indexFill(1, torch.LongTensor { 2 }, 200))
         raises('a picture of torch.IntTensor; wanted a ByteTensor', jitter,
            torch.IntTensor(3, 2, 2):fill(100))
      end)
   end)
end)
