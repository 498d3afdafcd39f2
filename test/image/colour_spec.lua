-- Colour spaces against Python's colorsys (oracle.py) and published values; maps; ranges.
local torch = require 'torch'
local image = require 'image'
local raises = require 'test.support.raises'
local support = require 'test.image.support'

local expected, near = support.expected, support.near

-- A picture of one pixel.
local function pixel(r, g, b)
   return torch.DoubleTensor { r, g, b }:view(3, 1, 1)
end

describe('colour spaces', function()
   local x = expected 'colours'

   it('are those of colorsys', function()
      near(expected 'hsv', image.rgb2hsv(x), 1e-9)
      near(expected 'hsl', image.rgb2hsl(x), 1e-9)
      near(expected 'hsv', image.rgb2hsv(x:float()), 1e-5)
      near(x, image.hsv2rgb(expected 'hsv'), 1e-9)
      near(x, image.hsl2rgb(expected 'hsl'), 1e-9)
   end)

   it('have hues on a circle', function()
      near(image.hsv2rgb(pixel(0.25, 0.5, 0.8)), image.hsv2rgb(pixel(1.25, 0.5, 0.8)), 1e-12)
      near(image.hsl2rgb(pixel(0.25, 0.5, 0.3)), image.hsl2rgb(pixel(-0.75, 0.5, 0.3)), 1e-12)
      near(pixel(1, 0, 0), image.hsv2rgb(pixel(1, 1, 1)), 0)
   end)

   it("have CIE's lightness and axes", function() -- as tables of sRGB's primaries give them
      for _, case in ipairs {
         { pixel(1, 0, 0), pixel(53.24, 80.09, 67.20) },
         { pixel(0, 1, 0), pixel(87.73, -86.18, 83.18) },
         { pixel(0, 0, 1), pixel(32.30, 79.19, -107.86) },
         { pixel(1, 1, 1), pixel(100, 0, 0) },
         { pixel(0, 0, 0), pixel(0, 0, 0) },
      } do
         near(case[2], image.rgb2lab(case[1]), 0.02)
      end
      near(x, image.lab2rgb(image.rgb2lab(x)), 1e-4)
   end)

   it("have BT.601's brightness", function()
      near(x[1] * 0.299 + x[2] * 0.587 + x[3] * 0.114, image.rgb2y(x)[1], 1e-12)
      local yuv = image.rgb2yuv(x)
      near(image.rgb2y(x)[1], yuv[1], 1e-12)
      near((x[3] - yuv[1]) * 0.492, yuv[2], 1e-3) -- as the standard has them
      near((x[1] - yuv[1]) * 0.877, yuv[3], 1e-3)
      near(x, image.yuv2rgb(yuv), 1e-4)
   end)

   it('may leave brightness out', function()
      local n = image.rgb2nrgb(x)
      local sum = n:sum(1)[1]
      assert.equal(0, sum[1][4]) -- black
      sum[1][4] = 1
      near(torch.ones(4, 5), sum, 1e-12)
      near(pixel(0.5, 0.25, 0.25), image.rgb2nrgb(pixel(0.8, 0.4, 0.4)), 1e-12)
   end)

   it('take bytes for 255ths', function()
      local bytes = (x * 255):add(0.5):byte()
      local floats = bytes:double() / 255
      for _, name in ipairs { 'rgb2y', 'rgb2hsv', 'rgb2hsl', 'hsv2rgb', 'hsl2rgb', 'rgb2nrgb' } do
         near((image[name](floats:float()) * 255):round(), image[name](bytes), 0, name)
      end
      for _, name in ipairs { 'rgb2yuv', 'yuv2rgb', 'rgb2lab', 'lab2rgb' } do
         raises('ByteTensor cannot hold this colour space', image[name], bytes)
      end
   end)

   it('write into dst, also where that is src', function()
      local y = x:clone()
      assert.equal(y, image.rgb2hsv(y, y))
      near(expected 'hsv', y, 1e-9)
      local turned = x:transpose(2, 3):contiguous():transpose(2, 3)
      near(expected 'hsl', image.rgb2hsl(turned), 1e-9)
   end)

   it('want three channels', function()
      raises('image.rgb2y: wanted a picture of 3 x H x W, got 2x2', image.rgb2y, torch.zeros(2, 2))
      raises('IntTensor is not supported', image.rgb2hsv, torch.IntTensor(3, 1, 1))
      raises('image.rgb2hsv: wanted a picture', image.rgb2hsv, 'x')
   end)
end)

describe('maps of colours', function()
   it('are even on the wheel', function()
      near(torch.Tensor { { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 }, { 0, 1, 1 }, { 0, 0, 1 },
         { 1, 0, 1 } },
         image.colormap(6), 1e-12)
   end)

   it("are MATLAB's jet", function()
      near(torch.Tensor { { 0, 0, 1 }, { 0, 0.5, 1 }, { 0, 1, 1 }, { 0.5, 1, 0.5 }, { 1, 1, 0 },
         { 1, 0.5, 0 }, { 1, 0, 0 }, { 0.5, 0, 0 } }, image.jetColormap(8), 1e-12)
      raises('wanted at least 1', image.jetColormap, 0)
   end)

   it('colour levels', function()
      local map = image.jetColormap(4)
      local levels = torch.Tensor { { 1, 4 }, { 2.7, 0 } }
      local y = image.y2jet(levels)
      assert.equal(2.7, levels[2][1])
      near(map[1], y[{ {}, 1, 1 }], 0)
      near(map[4], y[{ {}, 1, 2 }], 0)
      near(map[2], y[{ {}, 2, 1 }], 0)
      near(map[1], y[{ {}, 2, 2 }], 0)
      near(map[1], image.y2jet(torch.Tensor { -1 / 0, 4 })[{ {}, 1, 1 }], 0)
      raises('image.y2jet: wanted levels', image.y2jet, torch.zeros(2, 2, 2))
      raises('image.y2jet: a level is nan, wanted numbers', image.y2jet, torch.Tensor { 0 / 0, 1 })
      raises('image.y2jet: the highest level is inf, wanted at most 2^24', image.y2jet,
         torch.Tensor { 1 / 0, 1 })
   end)
end)

describe('image.minmax', function()
   it('moves a range to 0..1', function()
      local x = torch.Tensor { -1, 0, 3 }
      near(torch.Tensor { 0, 0.25, 1 }, image.minmax { tensor = x }, 1e-12)
      near(torch.Tensor { 0, 0, 1 }, image.minmax { tensor = x, min = 0, max = 2 }, 1e-12)
      near(torch.Tensor { -0.5, 0, 1.5 }, image.minmax { tensor = x, min = 0, max = 2,
         saturate = false }, 1e-12)
      near(torch.Tensor { 2 / 6, 0.5, 1 }, image.minmax { tensor = x, symm = true }, 1e-12)
      near(torch.Tensor { 0, 0 }, image.minmax { tensor = torch.Tensor { 4, 4 } }, 0)
      assert.equal(-1, x[1])
      local out = torch.Tensor()
      assert.equal(out, image.minmax { tensor = x, tensorOut = out })
      assert.equal(x, image.minmax { tensor = x, inplace = true })
      near(out, x, 0)
      near(torch.Tensor { 0, 1 }, image.minmax { tensor = torch.ByteTensor { 5, 9 } }, 0)
   end)

   it('says what is wrong', function()
      raises('image.minmax: there is no argument mini; it takes inplace, max, min', image.minmax,
         { tensor = torch.zeros(2), mini = 1 })
      raises('cannot hold 0..1 in place', image.minmax, { tensor = torch.ByteTensor { 1 },
         inplace = true })
      raises('wanted a picture', image.minmax, {})
   end)
end)
