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
end)
