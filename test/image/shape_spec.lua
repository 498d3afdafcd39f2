-- Crops, flips, sizes and warps against PyTorch and SciPy (oracle.py), and closed forms.
local torch = require 'torch'
local image = require 'image'
local raises = require 'test.support.raises'
local support = require 'test.image.support'

local expected, near = support.expected, support.near
local types = { 'torch.ByteTensor', 'torch.CharTensor', 'torch.ShortTensor', 'torch.IntTensor',
   'torch.LongTensor', 'torch.FloatTensor', 'torch.DoubleTensor' }

-- 1, 2, 3, ... in a picture.
local function counted(...)
   local n = 1
   for _, size in ipairs { ... } do
      n = n * size
   end
   return torch.range(1, n):resize(...)
end

describe('image.crop', function()
   local x = counted(2, 4, 5)

   it('copies columns and rows, from 0, the last ones not included', function()
      local part = image.crop(x, 1, 2, 4, 4)
      near(x[{ {}, { 3, 4 }, { 2, 4 } }], part, 0)
      part:zero()
      assert.equal(40, x[2][4][5])
      near(x[1][{ { 1, 2 }, { 3, 5 } }], image.crop(x[1], 2.9, 0, 5, '2'), 0)
   end)

   it('goes on to the end, or to the size of dst', function()
      near(x[{ {}, { 3, 4 }, { 2, 5 } }], image.crop(x, 1, 2), 0)
      near(x[{ {}, { 3, 3 }, { 2, 3 } }], image.crop(torch.zeros(2, 1, 2), x, 1, 2), 0)
   end)

   it('takes places', function()
      local places = { c = { 2, 2 }, tl = { 1, 1 }, tr = { 1, 4 }, bl = { 3, 1 }, br = { 3, 4 } }
      for place, at in pairs(places) do
         near(x[{ {}, { at[1], at[1] + 1 }, { at[2], at[2] + 1 } }], image.crop(x, place, 2, 2), 0,
            place)
      end
   end)

   it('writes into dst, also where that is src', function()
      local dst = torch.Tensor()
      assert.equal(dst, image.crop(dst, x, 0, 0, 2, 2))
      near(x[{ {}, { 1, 2 }, { 1, 2 } }], dst, 0)
      local y = x:clone()
      near(x[{ {}, { 2, 3 }, { 2, 3 } }], image.crop(y, y, 1, 1, 3, 3), 0)
   end)

   it('says what is wrong', function()
      raises('columns 3 to 6 and rows 0 to 2 (counted from 0, the last ones not included) of a '
         .. 'picture of 5 x 4', image.crop, x, 3, 0, 6, 2)
      raises('columns 2 to 2', image.crop, x, 2, 0, 2, 2)
      raises('image.crop: columns', image.crop, x, 0 / 0, 0, 2, 2)
      raises("the place is 'middle', wanted one of 'bl', 'br', 'c', 'tl', 'tr'", image.crop, x,
         'middle', 2, 2)
      raises('x1 must be a number, got nothing', image.crop, x)
      raises('wanted a picture', image.crop, 5, 1, 1)
      raises('got a DoubleTensor of 3', image.crop, torch.zeros(3), 0, 0, 1, 1)
   end)
end)

describe('image.translate', function()
   it('moves right and down, and fills with 0', function()
      local x = counted(3, 3)
      assert.same({ 0, 0, 0, 0, 1, 2, 0, 4, 5 }, image.translate(x, 1, 1):view(-1):totable())
      assert.same({ 0, 0, 0, 2, 3, 0, 5, 6, 0 }, image.translate(x, -1, 1):view(-1):totable())
      assert.equal(0, image.translate(x, 3, 0):sum())
      local y = x:clone()
      near(image.translate(x, 0, -2), image.translate(y, y, 0, -2), 0)
   end)
end)

describe('flips', function()
   it('put the last first, of any type', function()
      for _, name in ipairs(types) do
         local x = counted(2, 3, 4):type(name)
         for dim = 1, 3 do
            local backwards = torch.range(x:size(dim), 1, -1):long()
            near(x:index(dim, backwards), image.flip(x, dim), 0, name)
         end
         near(image.flip(x, 3), image.hflip(x), 0)
         near(image.flip(x, 2), image.vflip(x), 0)
      end
      near(image.flip(counted(3, 4), 1), image.flip(counted(3, 4):half(), 1):double(), 0)
   end)

   it('work in place and on strides', function()
      local x = counted(2, 3, 4)
      local wanted = image.hflip(x)
      image.hflip(x, x)
      near(wanted, x, 0)
      local turned = counted(4, 3):t()
      near(image.vflip(turned:clone()), image.vflip(turned), 0)
      image.vflip(turned, turned)
      near(torch.Tensor { { 3, 6, 9, 12 }, { 2, 5, 8, 11 }, { 1, 4, 7, 10 } }, turned, 0)
   end)

   it('say what is wrong', function()
      raises('image.flip: ', image.flip, torch.zeros(2, 2), 3)
      raises('the dimension must be a number', image.flip, torch.zeros(2, 2))
      raises('image.flip: the dimension is 1.5, wanted a whole number, 1 to 2', image.flip,
         torch.zeros(2, 2), 1.5)
      raises('image.flip: the dimension is nan', image.flip, torch.zeros(2, 2), 0 / 0)
      raises('types differ', image.hflip, torch.FloatTensor(2, 2), torch.zeros(2, 2))
   end)
end)

describe('image.scale', function()
   local x = expected 'picture'

   it("interpolates as PyTorch does between the corners", function()
      near(expected 'bilinear_9x11', image.scale(x, 11, 9), 1e-9)
      near(expected 'bilinear_9x11', image.scale(x:float(), 11, 9), 1e-6)
   end)

   it('takes means of areas', function()
      near(expected 'area_3x4', image.scale(x, 4, 3), 1e-9)
      near(expected 'area_3x4', image.scale(x:float(), 4, 3), 1e-6)
      near(expected('bytes_box_2x3'):view(1, 2, 3), image.scale(expected('bytes'):byte(), 3, 2), 1)
   end)

   it('picks pixels', function()
      near(expected 'nearest_3x4', image.scale(x, 4, 3, 'simple'), 1e-12)
      local long = torch.LongTensor { { 2 ^ 53, 1 } }
      assert.equal(2 ^ 53, image.scale(long, 4, 1, 'simple')[1][2])
      -- Numbers that no double holds stay what they are.
      long:data()[0], long:data()[1] = 9007199254740993LL, 9223372036854775807LL
      local wide = image.scale(long, 4, 2, 'simple')
      assert.is_true(wide:data()[5] == 9007199254740993LL
         and wide:data()[7] == 9223372036854775807LL)
   end)

   it('follows lines to their ends and parabolas within, with cubics', function()
      local ramp = torch.range(0, 8):view(1, 9)
      near(torch.linspace(0, 8, 33):view(1, 33), image.scale(ramp, 33, 1, 'bicubic'), 1e-12)
      local parabola = torch.range(0, 8):pow(2):view(1, 9)
      local fine = image.scale(parabola, 33, 1, 'bicubic')
      local exact = torch.linspace(0, 8, 33):pow(2):view(1, 33)
      near(exact:narrow(2, 5, 25), fine:narrow(2, 5, 25), 1e-12)
   end)

   it('keeps even pictures even, of every type', function()
      for _, name in ipairs(types) do
         local even = torch.Tensor(3, 37, 23):fill(101):type(name)
         for _, mode in ipairs { 'simple', 'bilinear', 'bicubic' } do
            for _, size in ipairs { { 50, 60 }, { 7, 5 }, { 1, 1 }, { 23, 80 }, { 64, 3 } } do
               local y = image.scale(even, size[1], size[2], mode):double()
               assert.same({ 3, size[2], size[1] }, y:size():totable())
               assert((y - 101):abs():max() < 1e-4, name .. mode)
            end
         end
      end
   end)

   it('rounds whole numbers and keeps to their range', function()
      local edge = torch.ByteTensor { { 0, 0, 255, 255 } }
      local cubic = image.scale(edge, 31, 1, 'bicubic')
      assert.is_true(cubic:max() == 255 and cubic:min() == 0)
      local chars = torch.CharTensor { { -127, 127 } }
      assert.same({ -127, 0, 127 }, image.scale(chars, 3, 1)[1]:totable())
      local ints = torch.IntTensor { { 2 ^ 31 - 1, 2 ^ 31 - 1 } }
      assert.same({ 2 ^ 31 - 1 }, image.scale(ints, 1, 1)[1]:totable())
   end)

   it('leaves infinities where they are', function()
      for _, name in ipairs { 'torch.FloatTensor', 'torch.DoubleTensor' } do
         local row = torch.Tensor(1, 9):fill(1):type(name)
         row[1][5] = math.huge
         local y = image.scale(row, 17, 1)
         for i = 1, 17 do
            assert.equal(i >= 8 and i <= 10 and math.huge or 1, y[1][i], name .. i)
         end
      end
   end)

   it('takes sizes in words', function()
      local wide = torch.rand(3, 30, 40)
      for size, wanted in pairs { [20] = { 20, 15 }, ['20'] = { 20, 15 }, ['^15'] = { 20, 15 },
         ['*2'] = { 80, 60 }, ['*1/2'] = { 20, 15 }, ['*0.1'] = { 4, 3 }, ['7x9'] = { 7, 9 } } do
         assert.same({ 3, wanted[2], wanted[1] }, image.scale(wide, size):size():totable(),
            tostring(size))
      end
      near(image.scale(wide, 20, 15, 'simple'), image.scale(wide, '^15', 'simple'), 0)
   end)

   it('takes strides, batches and dst', function()
      local batch = torch.rand(2, 3, 8, 6)
      local both = image.scale(batch, 4, 5)
      near(image.scale(batch[2], 4, 5), both[2], 0)
      local turned = batch[1]:transpose(2, 3)
      near(image.scale(turned:clone(), 4, 5), image.scale(turned, 4, 5), 0)
      local dst = torch.Tensor(3, 5, 4)
      assert.equal(dst, image.scale(dst, batch[1], 'bicubic'))
      near(image.scale(batch[1], 4, 5, 'bicubic'), dst, 0)
   end)

   it('gives the same on any number of threads', function()
      local big = torch.rand(3, 300, 500):float()
      local before = torch.getnumthreads()
      torch.setnumthreads(1)
      local alone = image.scale(big, 211, 97)
      torch.setnumthreads(4)
      local together = image.scale(big, 211, 97)
      torch.setnumthreads(before)
      near(alone, together, 0)
   end)

   it('says what is wrong', function()
      raises("the size is 'big'; wanted a number (the longer side), '^N' (the shorter side)",
         image.scale, x, 'big')
      raises('the size is nothing, wanted a width and a height', image.scale, x)
      raises("the size is '^0', wanted a number above 0", image.scale, x, '^0')
      raises("the size is 'nan', wanted a number above 0", image.scale, x, 0 / 0)
      raises('the new size is 0x10 (width x height)', image.scale, x, '0x10')
      raises("the size is '0xff'; wanted a number", image.scale, x, '0xff')
      raises('the new size is 0x5', image.scale, x, 0, 5)
      raises('the new size is', image.scale, x, 0 / 0, 5)
      raises('the new size is', image.scale, x, 1e12, 5)
      raises("the mode is 'linear', wanted one of 'bicubic', 'bilinear', 'simple'", image.scale, x,
         2, 2, 'linear')
      raises('got a DoubleTensor of 4', image.scale, torch.zeros(4), 2, 2)
      raises('HalfTensor is not supported', image.scale, torch.zeros(4, 4):half(), 2, 2)
   end)
end)

describe('image.warp', function()
   local x, field = expected 'warped', expected 'field'

   it('takes positions as SciPy does', function()
      near(expected 'warp_bilinear', image.warp(x, field, 'bilinear', false), 1e-9)
      near(expected 'warp_simple', image.warp(x, field, 'simple', false), 1e-9)
      near(expected 'warp_bilinear', image.warp(x:float(), field:float(), nil, false), 1e-5)
   end)

   it('pads as PyTorch does', function()
      near(expected 'warp_padded', image.warp(x, field, 'bilinear', false, 'pad', 0.25), 1e-9)
   end)

   it('adds where a pixel is', function()
      for _, mode in ipairs { 'simple', 'bilinear', 'bicubic', 'lanczos' } do
         near(x, image.warp(x, torch.zeros(2, 6, 8), mode), 1e-12, mode)
         local shift = torch.zeros(2, 6, 8)
         shift[2]:fill(2)
         near(image.translate(x, -2, 0):narrow(3, 1, 6),
            image.warp(x, shift, mode):narrow(3, 1, 6), 1e-12, mode)
      end
   end)

   it('interpolates with cubics and with windowed sines', function()
      local function at(i, j)
         return x[1][math.max(1, math.min(i, 6))][math.max(1, math.min(j, 8))]
      end
      local function hermite(p, t) -- Catmull-Rom's curve by its powers
         return 0.5 * (2 * p[2] + (p[3] - p[1]) * t
            + (2 * p[1] - 5 * p[2] + 4 * p[3] - p[4]) * t ^ 2
            + (3 * p[2] - p[1] - 3 * p[3] + p[4]) * t ^ 3)
      end
      local function sinc(d)
         return d == 0 and 1 or math.sin(math.pi * d) / (math.pi * d)
      end
      local y, z = 1.3, 4.6 -- from 0
      local columns, sum, weights = {}, 0, 0
      for i = 1, 4 do
         columns[i] = hermite({ at(i, 4), at(i, 5), at(i, 6), at(i, 7) }, 0.6)
      end
      for i = -1, 4 do
         for j = 2, 7 do
            local w = sinc(y - i) * sinc((y - i) / 3) * sinc(z - j) * sinc((z - j) / 3)
            sum, weights = sum + w * at(i + 1, j + 1), weights + w
         end
      end
      local one = torch.DoubleTensor { y, z }:view(2, 1, 1)
      local cubic, sines = hermite(columns, 0.3), sum / weights
      assert(math.abs(cubic - image.warp(x, one, 'bicubic', false)[1][1][1]) < 1e-12)
      assert(math.abs(sines - image.warp(x, one, 'lanczos', false)[1][1][1]) < 1e-12)
   end)

   it('takes positions that are no numbers, or far off', function()
      local odd = torch.DoubleTensor { 0 / 0, math.huge, -1e300, 1e300 }:view(1, 1, 4)
         :expand(2, 1, 4)
      for _, mode in ipairs { 'simple', 'bilinear', 'bicubic', 'lanczos' } do
         local padded = image.warp(x, odd, mode, false, 'pad', 7)
         assert.equal(7, padded:min(), mode)
         local clamped = image.warp(x[1], odd, mode, false)
         local first, last = x[1][1][1], x[1][6][8]
         near(torch.DoubleTensor { { first, last, first, last } }, clamped, 1e-12)
      end
   end)

   it('rounds bytes', function()
      local y = image.warp(torch.ByteTensor { { 0, 255 } }, torch.Tensor { 0, 0.3 }:view(2, 1, 1))
      assert.equal(77, y[1][1]) -- 76.5
   end)

   it('writes into dst, also where that is src', function()
      local y = x:clone()
      assert.equal(y, image.warp(y, y, field, 'bilinear', false))
      near(expected 'warp_bilinear', y, 1e-9)
   end)

   it('says what is wrong', function()
      raises('the field is 6x8, wanted 2 x H x W', image.warp, x, torch.zeros(6, 8))
      raises('the field is nothing, wanted a tensor', image.warp, x)
      raises("needs clamp_mode 'pad'", image.warp, x, field, 'simple', false, 'clamp', 1)
      raises("clamp_mode is 'wrap', wanted one of 'clamp', 'pad'", image.warp, x, field, 'simple',
         false, 'wrap')
   end)
end)

describe('image.rotate', function()
   it('turns against the clock', function()
      local x = counted(2, 5, 5)
      local quarter = image.flip(x:transpose(2, 3), 2)
      for _, mode in ipairs { 'simple', 'bilinear' } do
         near(quarter, image.rotate(x, math.pi / 2, mode), 1e-6, mode)
         near(image.hflip(image.vflip(x)), image.rotate(x, math.pi, mode), 1e-6, mode)
         near(x, image.rotate(x, 0, mode), 0)
      end
   end)

   it('interpolates as SciPy does', function()
      near(expected 'rotated', image.rotate(expected 'warped', 0.7, 'bilinear'), 1e-9)
   end)

   it('writes into dst', function()
      local x = torch.rand(4, 4)
      local y = image.rotate(x, 1)
      near(y, image.rotate(x, x, 1), 0)
      raises('the angle must be a number', image.rotate, x)
   end)
end)

describe('image.affinetransform', function()
   it('is the warp by its definition', function()
      local x = expected 'warped'
      local m, t = torch.Tensor { { 1.1, 0.3 }, { -0.2, 0.9 } }, torch.Tensor { 0.5, -1.25 }
      local field = torch.DoubleTensor(2, 6, 8)
      for i = 1, 6 do
         for j = 1, 8 do
            local dy, dx = i - 3.5, j - 4.5
            field[1][i][j] = 2.5 + m[1][1] * dy + m[1][2] * dx - t[1]
            field[2][i][j] = 3.5 + m[2][1] * dy + m[2][2] * dx - t[2]
         end
      end
      near(image.warp(x, field, 'bicubic', false), image.affinetransform(x, m, 'bicubic', t), 1e-12)
      near(image.warp(x, field, 'simple', false, 'pad', 3),
         image.affinetransform(x, m, 'simple', { 0.5, -1.25 }, 'pad', 3), 1e-12)
      raises('the matrix is a DoubleTensor of 3x3', image.affinetransform, x, torch.eye(3))
      raises('the translation has 3 numbers', image.affinetransform, x, m, nil, { 1, 2, 3 })
   end)
end)

describe('polar coordinates', function()
   -- A picture of its distance from the centre, and one of its angle there.
   local radius, angle = torch.DoubleTensor(41, 41), torch.DoubleTensor(41, 41)
   for i = 1, 41 do
      for j = 1, 41 do
         radius[i][j] = math.sqrt((i - 21) ^ 2 + (j - 21) ^ 2)
         angle[i][j] = math.atan2(21 - i, j - 21) % (2 * math.pi)
      end
   end

   it('have radii in columns and angles in rows', function()
      local y = image.polar(radius, 'bilinear')
      local z = image.polar(torch.zeros(8, 40), angle, 'bilinear')
      assert.same({ 41, 41 }, y:size():totable())
      for i = 15, 41 do
         assert(math.abs(y[3][i] - 20 * (i - 1) / 41) < 0.05, i)
      end
      for row = 2, 7 do
         assert(math.abs(z[row][30] - 2 * math.pi * (row - 1) / 8) < 0.05, row)
      end
   end)

   it('have logarithms of radii', function()
      local y = image.logpolar(radius, 'bilinear')
      for i = 20, 41 do
         assert(math.abs(y[5][i] - 20 ^ ((i - 1) / 41)) < 0.05, i)
      end
   end)

   it('reach the corners, with 0 off the picture', function()
      local full = image.polar(radius:clone():fill(1), 'simple', 'full')
      assert.equal(0, full[1][41])
      assert.equal(1, full[1][28])
      assert.equal(1, image.polar(radius:clone():fill(1), 'bilinear'):min())
      raises("the mode is 'all', wanted one of 'full', 'valid'", image.polar, radius, 'simple',
         'all')
   end)
end)

describe('low-level functions', function()
   it('are those of image with src first', function()
      local x = torch.rand(3, 6, 8)
      local dst = torch.Tensor(3, 4, 5)
      x.image.scaleBilinear(x, dst)
      near(image.scale(x, 5, 4), dst, 0)
      x.image.rotateBilinear(x, dst, 1)
      near(image.rotate(x, 1, 'bilinear'), dst, 0)
      local bytes = torch.ByteTensor(2, 2):fill(255)
      assert.equal(bytes, bytes.image.saturate(bytes))
      assert.equal(image.float, torch.FloatTensor(1).image)
      local map = torch.Tensor { { 1, 2, 3 }, { 4, 5, 6 } }
      torch.Tensor(1).image.colorize(torch.Tensor { { 1, 0 } }, dst, map)
      near(torch.Tensor { { { 4, 1 } }, { { 5, 2 } }, { { 6, 3 } } }, dst, 0)
   end)
end)
