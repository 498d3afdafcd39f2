-- Filters against SciPy (oracle.py), and closed forms.
local torch = require 'torch'
local image = require 'image'
local raises = require 'test.support.raises'
local support = require 'test.image.support'

local expected, near = support.expected, support.near

describe('image.convolve', function()
   local x, kernel = expected 'warped', expected 'kernel'

   it('does as SciPy does', function()
      for _, mode in ipairs { 'valid', 'full', 'same' } do
         near(expected('convolved_' .. mode), image.convolve(x[1], kernel, mode), 1e-9, mode)
         local both = image.convolve(x, kernel, mode)
         near(expected('convolved_' .. mode), both[1], 1e-9, mode)
         near(image.convolve(x[2], kernel, mode), both[2], 1e-12, mode)
      end
      near(expected 'convolved_valid', image.convolve(x[1], kernel), 1e-9)
   end)

   it('takes a kernel for each plane, and several kernels', function()
      local kernels = torch.cat({ kernel:view(1, 3, 2), (kernel * 2):view(1, 3, 2) }, 1)
      local each = image.convolve(x, kernels, 'same')
      near(image.convolve(x[2], kernel, 'same') * 2, each[2], 1e-9)
      local several = image.convolve(x[1], kernels)
      near(expected 'convolved_valid' * 2, several[2], 1e-9)
   end)

   it('writes into dst', function()
      local dst = torch.Tensor()
      assert.equal(dst, image.convolve(dst, x[1], kernel, 'full'))
      near(expected 'convolved_full', dst, 1e-9)
      raises("the mode is 'wide', wanted one of 'full', 'same', 'valid'", image.convolve, x, kernel,
         'wide')
      raises('image.convolve: wanted a picture', image.convolve, x)
   end)
end)

describe('erosion and dilation', function()
   local x, shape = expected 'warped', expected 'footprint'

   it("are SciPy's", function()
      near(expected 'eroded', image.erode(x[1], shape, 0.4), 1e-12)
      near(expected 'dilated', image.dilate(x[1], shape, 0.4), 1e-12)
      near(expected 'eroded', image.erode(x, shape, 0.4)[1], 1e-12)
   end)

   it('are duals of one another, of every type', function()
      local dots = x[1]:gt(0.7)
      for _, name in ipairs { 'Byte', 'Short', 'Int', 'Long', 'Float' } do
         local y = dots:type(('torch.%sTensor'):format(name))
         local mirrored = image.hflip(image.vflip(shape))
         near(1 - image.dilate(y, mirrored):double(),
            image.erode(y * -1 + 1, shape):double(), 0, name)
      end
      local one = torch.zeros(5, 5)
      one[3][3] = 1
      assert.equal(9, image.dilate(one):sum())
      assert.equal(25, image.erode(torch.ones(5, 5)):sum())
      assert.equal(9, image.erode(torch.ones(5, 5), nil, 0):sum())
   end)

   it('want kernels with a middle', function()
      raises('the kernel is 2x3, wanted an odd number', image.erode, x, torch.ones(2, 3))
      raises('all zeros', image.dilate, x, torch.zeros(3, 3))
      raises('the kernel is 3, wanted a tensor', image.dilate, x, 3)
   end)
end)

describe('image.lcn', function()
   it('takes the mean away and divides by the deviation', function()
      local x = torch.rand(20, 30)
      local kernel = image.gaussian { size = 5, normalize = true }
      local y = image.lcn(x, kernel)
      local z = (x - x:mean()) / x:std()
      -- one pixel by the definition
      local mean, square = 0, 0
      for a = 1, 5 do
         for b = 1, 5 do
            local v, w = z[7 + a][12 + b], kernel[a][b]
            mean, square = mean + w * v, square + w * v ^ 2
         end
      end
      assert(math.abs((z[10][15] - mean) / math.sqrt(square - mean ^ 2) - y[10][15]) < 1e-9)
      assert.same({ 3, 12, 12 }, image.lcn(torch.rand(3, 12, 12)):size():totable())
   end)

   it('does not mind brightness and contrast, nor even areas', function()
      local x = torch.rand(16, 16)
      near(image.lcn(x), image.lcn(x * 3 + 5), 1e-9)
      near(torch.zeros(16, 16), image.lcn(torch.ones(16, 16)), 1e-9)
      raises('wanted a FloatTensor or DoubleTensor', image.lcn, x:byte())
   end)
end)

describe('windows', function()
   it('are Gaussians', function()
      local g = image.gaussian { width = 7, height = 4, sigma_horz = 0.2, sigma_vert = 0.3,
         mean_horz = 0.4, mean_vert = 0.6, amplitude = 2 }
      for i = 1, 4 do
         for j = 1, 7 do
            local y, x = ((i - 0.5) / 4 - 0.6) / 0.3, ((j - 0.5) / 7 - 0.4) / 0.2
            assert(math.abs(2 * math.exp(-(x ^ 2 + y ^ 2) / 2) - g[i][j]) < 1e-12)
         end
      end
      local line = image.gaussian1D(5, 0.3, 1, true)
      near(torch.ger(line, line), image.gaussian(5, 0.3, 1, true), 1e-12)
      assert(math.abs(line:sum() - 1) < 1e-12)
      assert.same({ 3, 3 }, image.gaussian():size():totable())
   end)

   it("are their Laplacians, by differences", function()
      local n, h = 301, 10
      local l = image.laplacian { size = n, sigma = 0.2 }
      local g = image.gaussian { size = n, sigma = 0.2 }
      local sigma = 0.2 * n
      for _, at in ipairs { { 151, 151 }, { 100, 180 }, { 151, 220 } } do
         local i, j = at[1], at[2]
         local around = g[i + h][j] + g[i - h][j] + g[i][j + h] + g[i][j - h]
         local second = (around - 4 * g[i][j]) / h ^ 2
         assert(math.abs(-second * sigma ^ 2 / 2 - l[i][j]) < 0.01)
      end
   end)

   it('fill tensors, rounded for whole numbers', function()
      local bytes = torch.ByteTensor(3, 3)
      assert.equal(bytes, image.gaussian { tensor = bytes, amplitude = 300 })
      assert.equal(255, bytes[2][2])
      assert.same({ 1 }, image.gaussian1D { tensor = torch.FloatTensor(1) }:totable())
      raises('there is no argument sise', image.gaussian, { sise = 3 })
      raises('the height is 0, wanted at least 1', image.gaussian, 0)
      raises('the tensor has 2 dimensions', image.gaussian, { tensor = torch.zeros(3) })
   end)
end)

describe('image.gaussianpyramid', function()
   it('scales what it has smoothed', function()
      local x = torch.rand(3, 16, 24)
      local levels = image.gaussianpyramid(x, { 1, 0.5, 0.25, 2 })
      near(x, levels[1], 0)
      for i, sizes in ipairs { { 3, 16, 24 }, { 3, 8, 12 }, { 3, 4, 6 }, { 3, 32, 48 } } do
         assert.same(sizes, levels[i]:size():totable())
      end
      assert.is_true(levels[2]:std() < image.scale(x, 12, 8, 'simple'):std() / 1.5)
      near(torch.ones(8, 8), image.gaussianpyramid(torch.ones(16, 16), { 0.5 })[1], 1e-12)
      local dst = { torch.Tensor() }
      local first = dst[1]
      assert.equal(first, image.gaussianpyramid(dst, x, { 0.5 })[1])
      near(levels[2], first, 0)
      raises('a scale is 0, wanted more than 0', image.gaussianpyramid, x, { 0 })
      raises('wanted a table of scales', image.gaussianpyramid, x)
   end)
end)
