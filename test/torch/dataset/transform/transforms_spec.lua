local torch = require 'torch'
local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'

local T = dataset.transform

-- A picture whose values say where they are: channel c, row i, column j is 100 c + 10 i + j.
local function marked(channels, height, width)
   local x = torch.FloatTensor(channels, height, width)
   for c = 1, channels do
      for i = 1, height do
         for j = 1, width do
            x[c][i][j] = 100 * c + 10 * i + j
         end
      end
   end
   return x
end

local function near(a, b, tolerance)
   assert.is_true(a:isSameSizeAs(b))
   local difference = (a:double() - b:double()):abs():max()
   assert.is_true(difference <= (tolerance or 1e-5), difference)
end

-- Share of how often something is true.
local function share(n, f)
   local count = 0
   for _ = 1, n do
      count = count + (f() and 1 or 0)
   end
   return count / n
end

describe('dataset.transform', function()
   before_each(function()
      torch.manualSeed(1)
   end)

   describe('RandomCrop', function()
      it('takes every place equally often', function()
         local crop = T.RandomCrop { width = 3, height = 2 }
         local x, counts = marked(1, 4, 4), {}
         for _ = 1, 3000 do
            local y = crop(x)
            assert.same({ 1, 2, 3 }, y:size():totable())
            local corner = y[1][1][1]
            near(y, torch.FloatTensor { { { 0, 1, 2 }, { 10, 11, 12 } } }:add(corner))
            counts[corner] = (counts[corner] or 0) + 1
         end
         local places = 0
         for _, count in pairs(counts) do -- 6 places, 500 each, deviation 20
            places = places + 1
            assert.is_true(math.abs(count - 500) < 110)
         end
         assert.equal(6, places)
      end)

      it('frames the picture first', function()
         local seen = {}
         for _ = 1, 200 do
            local y = T.RandomCrop { size = 1, padding = 1, fill = 7 }(marked(1, 1, 1))
            seen[y[1][1][1]] = true
         end
         assert.same({ [7] = true, [111] = true }, seen)
         raises('a part of 5 x 5 of a picture of 4 x 3', T.RandomCrop { size = 5 },
            torch.zeros(1, 3, 4))
         raises('give size, or width and height', T.RandomCrop, { width = 3 })
      end)
   end)

   it('CenterCrop and Resize', function()
      near(T.CenterCrop { width = 2, height = 1 }(marked(1, 3, 4)),
         torch.FloatTensor { { { 122, 123 } } })
      assert.same({ 1, 4, 6 }, T.Resize { size = 4 }(torch.rand(1, 8, 12)):size():totable())
      assert.same({ 1, 5, 3 }, T.Resize { width = 3, height = 5 }(torch.rand(1, 8, 12)):size()
         :totable())
      near(T.Resize { width = 2, height = 1 }(torch.Tensor { { { 1, 3, 5, 7 }, { 1, 3, 5, 7 } } }),
         torch.Tensor { { { 2, 6 } } }) -- the means of the halves
   end)

   describe('RandomResizedCrop', function()
      it('draws areas and forms within their bounds', function()
         local crop = T.RandomResizedCrop { size = 8, scale = { 0.2, 0.6 }, ratio = { 0.5, 2 } }
         local least, most, wide = 1, 0, 0
         for _ = 1, 2000 do
            local left, top, width, height = crop:region(200, 100)
            assert.is_true(left >= 0 and top >= 0 and left + width <= 200 and top + height <= 100)
            local area, ratio = width * height / 20000, width / height
            assert.is_true(area > 0.19 and area < 0.61 and ratio > 0.48 and ratio < 2.1)
            least, most = math.min(least, area), math.max(most, area)
            wide = wide + (ratio > 1 and 1 or 0)
         end
         assert.is_true(least < 0.22 and most > 0.55)
         assert.is_true(wide > 1000) -- tall ones fit more seldom into a wide picture
      end)

      it('falls back to the middle where nothing fits', function()
         local crop = T.RandomResizedCrop { size = 8, scale = { 1, 1 }, ratio = { 1, 1 } }
         assert.same({ 45, 0, 10, 10 }, { crop:region(100, 10) })
         assert.same({ 0, 45, 10, 10 }, { crop:region(10, 100) })
      end)

      it('gives that part in its new size', function()
         local whole = T.RandomResizedCrop { width = 2, height = 2, scale = { 1, 1 },
            ratio = { 1, 1 } }
         near(whole(torch.Tensor { { { 1, 1, 3, 3 }, { 1, 1, 3, 3 }, { 5, 5, 7, 7 },
            { 5, 5, 7, 7 } } }), torch.Tensor { { { 1, 3 }, { 5, 7 } } })
         raises('scale must be two numbers such as {0.08, 1}', T.RandomResizedCrop,
            { size = 2, scale = { 1, 0.5 } })
      end)
   end)

   it('RandomFlip mirrors with its probability', function()
      local x = marked(2, 2, 3)
      near(T.RandomFlip { horizontal = 1 }(x)[1], torch.FloatTensor { { 113, 112, 111 },
         { 123, 122, 121 } })
      near(T.RandomFlip { horizontal = 0, vertical = 1 }(x)[2], torch.FloatTensor {
         { 221, 222, 223 }, { 211, 212, 213 } })
      local flip = T.RandomFlip { horizontal = 0.25 }
      local flipped = share(2000, function() return flip(x)[1][1][1] == 113 end)
      assert.is_true(math.abs(flipped - 0.25) < 0.05) -- deviation 0.01
   end)

   it('RandomRotation turns against the clock, about the centre', function()
      local x = marked(1, 5, 5)
      local quarter = T.RandomRotation { degrees = { 90, 90 } }(x)
      for i = 1, 5 do
         for j = 1, 5 do
            assert.is_true(math.abs(quarter[1][i][j] - x[1][j][6 - i]) < 1e-3)
         end
      end
      near(T.RandomRotation { degrees = { 180, 180 } }(x)[1][1], x[1][5]:index(1,
         torch.LongTensor { 5, 4, 3, 2, 1 }), 1e-3)
      -- A linear picture, turned by 30 degrees: the linear picture along the turned axes.
      local angle, size = math.pi / 6, 21
      local plane = torch.DoubleTensor(1, size, size)
      for i = 1, size do
         for j = 1, size do
            plane[1][i][j] = 1000 + 3 * (i - 11) + 7 * (j - 11)
         end
      end
      local turned = T.RandomRotation { degrees = { 30, 30 }, fill = -1 }(plane)
      for i = 8, 14 do
         for j = 8, 14 do
            -- (dx, -dy) turned back by the angle is where the value came from
            local dx, dy = j - 11, -(i - 11)
            local u = dx * math.cos(angle) + dy * math.sin(angle)
            local v = -dx * math.sin(angle) + dy * math.cos(angle)
            assert.is_true(math.abs(turned[1][i][j] - (1000 - 3 * v + 7 * u)) < 1e-6)
         end
      end
      assert.equal(-1, turned[1][1][1])
      raises('degrees must be two numbers', T.RandomRotation, { degrees = 'x' })
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
      end)
   end)

   it('Cutout leaves squares out, less at the border', function()
      local cutout = T.Cutout { size = 3 }
      local full = 0
      for _ = 1, 500 do
         local y = cutout(torch.ones(2, 5, 5))
         local gone = 25 - y[1]:sum()
         assert.is_true(gone == 9 or gone == 6 or gone == 4)
         assert.is_true(y[1]:equal(y[2]))
         full = full + (gone == 9 and 1 or 0)
      end
      assert.is_true(math.abs(full / 500 - 9 / 25) < 0.1) -- centres off the border; deviation 0.02
   end)

   it('RandomErasing replaces a rectangle within the picture', function()
      local erase = T.RandomErasing { probability = 1, scale = { 0.1, 0.2 }, fill = 5 }
      for _ = 1, 200 do
         local x = torch.zeros(1, 30, 20)
         local y = erase(x)
         assert.equal(0, x:sum())
         local area = y:eq(5):sum() / 600
         assert.is_true(area > 0.07 and area < 0.25)
         local rows, columns = y[1]:eq(5):sum(2):gt(0):sum(), y[1]:eq(5):sum(1):gt(0):sum()
         assert.equal(y:eq(5):sum(), rows * columns)
      end
      local never = share(2000, function()
         return T.RandomErasing { probability = 0.3, fill = 'noise' }(torch.zeros(1, 9, 9))
            :abs():sum() > 0
      end)
      assert.is_true(math.abs(never - 0.3) < 0.06) -- deviation 0.01
   end)

   describe('mixtures', function()
      local mix = require 'torch.dataset.transform.mix'

      it('draw from the Beta distribution', function()
         for _, a in ipairs { 0.3, 1, 4 } do
            local n, sum, squares = 20000, 0, 0
            for _ = 1, n do
               local x = mix.beta(a, a)
               sum, squares = sum + x, squares + x * x
            end
            local mean = sum / n
            assert.is_true(math.abs(mean - 0.5) < 0.015)
            assert.is_true(math.abs(squares / n - mean * mean - 1 / (4 * (2 * a + 1))) < 0.006)
         end
         local sum = 0
         for _ = 1, 20000 do
            sum = sum + mix.beta(2, 6)
         end
         assert.is_true(math.abs(sum / 20000 - 0.25) < 0.01)
      end)

      it('of Mixup mix inputs and targets alike', function()
         local batch = { input = torch.eye(4), target = torch.range(1, 4):long(), name = 'x' }
         for _ = 1, 20 do
            local mixed = T.Mixup { classes = 4, alpha = 1 }(batch)
            near(mixed.input, mixed.target, 1e-6) -- inputs are the classes
            near(mixed.target:sum(2), torch.ones(4, 1), 1e-6)
            assert.equal('x', mixed.name)
         end
         assert.is_true(batch.input:equal(torch.eye(4)))
         raises('targets from 1 to 4, but classes are 1 to 3', T.Mixup { classes = 3 }, batch)
         raises('wanted a batch with input', T.Mixup { classes = 3 }, torch.zeros(2))
      end)

      it('of CutMix label by the area', function()
         local input = torch.Tensor(4, 1, 10, 10)
         for i = 1, 4 do
            input[i]:fill(i)
         end
         local batch = { input = input, target = torch.LongTensor { 1, 2, 3, 4 } }
         local cut = 0
         for _ = 1, 50 do
            local mixed = T.CutMix { classes = 4 }(batch)
            for i = 1, 4 do
               for class = 1, 4 do
                  local area = mixed.input[i]:eq(class):sum() / 100
                  assert.is_true(math.abs(area - mixed.target[i][class]) < 1e-6)
                  cut = cut + (class ~= i and area > 0 and 1 or 0)
               end
            end
         end
         assert.is_true(cut > 20)
      end)
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

   it('takes pictures and samples, one after the other, on workers too', function()
      local all = T.Compose(T.RandomCrop { size = 4, padding = 1 }, T.RandomFlip {},
         T.ColorJitter { brightness = 0.2, hue = 0.1 }, T.RandAugment {}, T.ToFloat {},
         T.RandomErasing {}, T.Normalize { mean = 0.5, std = 0.2 }, T.Cutout { size = 1 })
      local data = dataset.Tensors { input = torch.ByteTensor(6, 3, 5, 5):random(0, 255),
         target = torch.range(1, 6) }
      local before = data.fields.input:clone()
      local function run(workers)
         local loader = dataset.Loader { dataset = data, batchSize = 4, transform = all, seed = 3,
            workers = workers, transformBatch = T.Mixup { classes = 6 } }
         local list = {}
         for batch in loader() do
            list[#list + 1] = { batch.input, batch.target }
         end
         loader:stop()
         return list
      end
      local here, there = run(0), run(2)
      for k = 1, 2 do
         assert.same({ k == 1 and 4 or 2, 3, 4, 4 }, here[k][1]:size():totable())
         assert.is_true(here[k][1]:equal(there[k][1]) and here[k][2]:equal(there[k][2]))
      end
      assert.is_true(before:equal(data.fields.input))
      raises('wanted a picture (C x H x W) or a sample', T.ToFloat {}, 3)
      raises('wanted a picture of C x H x W, got 2x2 DoubleTensor', T.RandomFlip {},
         torch.zeros(2, 2))
      raises("there is no option 'paddding'; near: padding", T.RandomCrop,
         { size = 3, paddding = 1 })
      raises('argument 2 must be a function', T.Compose, T.ToFloat {}, 3)
   end)
end)
