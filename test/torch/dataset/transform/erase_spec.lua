local torch = require 'torch'
local dataset = require 'torch.dataset'

local T = dataset.transform

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
end)
