-- Convolutions against their definition in loops; histograms against counting by hand.
local torch = require 'torch'

local function refused(pattern, f)
   local ok, message = pcall(f)
   assert.is_false(ok)
   assert.matches(pattern, message)
   assert.matches('^[^:]*signal_spec%.lua:%d+: ', message)
end

-- Full convolution of two volumes by its definition: every product goes to the sum of its indices.
local function fullConvolution(x, k)
   local r = torch.zeros(x:size(1) + k:size(1) - 1, x:size(2) + k:size(2) - 1,
      x:size(3) + k:size(3) - 1)
   for a = 1, x:size(1) do
      for b = 1, x:size(2) do
         for c = 1, x:size(3) do
            for d = 1, k:size(1) do
               for e = 1, k:size(2) do
                  for f = 1, k:size(3) do
                     local i, j, l = a + d - 1, b + e - 1, c + f - 1
                     r[i][j][l] = r[i][j][l] + x[a][b][c] * k[d][e][f]
                  end
               end
            end
         end
      end
   end
   return r
end

local function mirrored(k)
   local flat, r = k:contiguous():view(-1), k:clone()
   local n = flat:size(1)
   for i = 1, n do
      r:view(-1)[i] = flat[n + 1 - i]
   end
   return r
end

-- One volume; the valid result is the middle of the full one.
local function expected(name, x, k, mode)
   k = name:match '^x' and mirrored(k) or k
   local r = fullConvolution(x, k)
   if mode ~= 'F' then
      for d = 1, 3 do
         r = r:narrow(d, k:size(d), x:size(d) - k:size(d) + 1)
      end
   end
   return r:clone()
end

local function near(a, b)
   assert.same(a:size():totable(), b:size():totable())
   assert.is_true((a:double() - b:double()):abs():max() < 1e-12)
end

-- Whole numbers: every order of summation gives the same result in every type.
local function whole(...)
   return torch.DoubleTensor(...):random(-3, 3)
end

local types = { 'Double', 'Float', 'Half', 'BFloat16', 'Long', 'Int', 'Short', 'Char' }

for _, name in ipairs { 'conv', 'xcorr' } do
   describe(name, function()
      before_each(function()
         torch.manualSeed(3)
      end)

      it('3 of one volume, in every type', function()
         local x, k = whole(3, 4, 6), whole(2, 3, 2)
         for _, mode in ipairs { 'V', 'F' } do
            local wanted = expected(name, x, k, mode)
            for _, type in ipairs(types) do
               type = 'torch.' .. type .. 'Tensor'
               local r = torch[name .. '3'](x:type(type), k:type(type), mode)
               assert.equals(type, r:type())
               near(wanted, r)
            end
         end
      end)

      it('2 of one image, with rows longer than a block of registers', function()
         local sizes = { { 5, 7, 3, 2 }, { 4, 150, 2, 5 }, { 6, 3, 6, 3 }, { 2, 3, 1, 1 } }
         for _, size in ipairs(sizes) do
            local x, k = whole(size[1], size[2]), whole(size[3], size[4])
            for _, mode in ipairs { 'V', 'F' } do
               local wanted = expected(name, x:view(1, size[1], size[2]),
                  k:view(1, size[3], size[4]), mode)[1]
               near(wanted, torch[name .. '2'](x, k, mode))
            end
         end
      end)

      it('2 full, of an image that is smaller than the kernel', function()
         local x, k = whole(2, 3), whole(4, 5)
         near(expected(name, x:view(1, 2, 3), k:view(1, 4, 5), 'F')[1],
            torch[name .. '2'](x, k, 'F'))
      end)

      it('of planes with a kernel each, and with a bank of kernels', function()
         for _, rank in ipairs { 2, 3 } do
            local f = torch[name .. rank]
            local side, taps = {}, {}
            for d = 1, rank do
               side[d], taps[d] = 4 + d, 1 + d
            end
            local x = whole(3, unpack(side))
            local each, bank = whole(3, unpack(taps)), whole(2, 3, unpack(taps))
            for _, mode in ipairs { 'V', 'F' } do
               local r = f(x, each, mode)
               for p = 1, 3 do
                  near(f(x[p], each[p], mode), r[p])
               end
               r = f(x, bank, mode)
               assert.equals(2, r:size(1))
               for q = 1, 2 do
                  local sum = f(x[1], bank[q][1], mode)
                  for p = 2, 3 do
                     sum:add(f(x[p], bank[q][p], mode))
                  end
                  near(sum, r[q])
               end
            end
         end
      end)

      it('takes a result, also one of the operands, and any layout', function()
         local x, k = whole(5, 6), whole(2, 3)
         local f = torch[name .. '2']
         local wanted = f(x, k)
         local r = torch.DoubleTensor()
         assert.equals(r, f(r, x, k))
         near(wanted, r)
         near(wanted, f(x:t():clone():t(), k:t():clone():t()))
         near(wanted, x:clone()[name .. '2'](x, k))
         f(x, x, k)
         near(wanted, x)
      end)

      it('bytes wrap; infinity spoils only what it touches', function()
         local b = torch.ByteTensor(1, 3):fill(200)
         local ones = torch.ByteTensor(1, 2):fill(1)
         assert.same({ { 144, 144 } }, torch[name .. '2'](b, ones):totable())
         local x = torch.zeros(1, 5)
         x[1][3] = math.huge
         local r = torch[name .. '2'](x, torch.ones(1, 2), 'F')
         assert.same({ { 0, 0, math.huge, math.huge, 0, 0 } }, r:totable())
      end)

      it('refuses what does not fit', function()
         local f, two = torch[name .. '2'], name .. '2: '
         local r = torch.DoubleTensor { 5 }
         refused(two .. 'the input 2x2 is smaller than the kernel 3x1', function()
            f(r, whole(2, 2), whole(3, 1))
         end)
         refused(two .. 'the input has 3 planes, but the kernel is for 2', function()
            f(r, whole(3, 4, 4), whole(2, 2, 2))
         end)
         refused(two .. 'the input is 2D, the kernel 3D', function()
            f(r, whole(4, 4), whole(2, 2, 2))
         end)
         refused(two .. 'types differ', function() f(r, whole(4, 4), torch.FloatTensor(2, 2)) end)
         refused(two .. "the mode should be 'V'", function()
            f(r, whole(4, 4), whole(2, 2), 'X')
         end)
         refused(two .. 'invalid arguments', function() f(whole(4, 4)) end)
         assert.same({ 5 }, r:totable())
      end)
   end)
end

describe('histc', function()
   it('counts by bins of equal width, both ends included', function()
      local x = torch.DoubleTensor { 0, 0.5, 1, 1.5, 2, 2.5, 3.99, 4, -1, 5, 0 / 0 }
      assert.same({ 2, 2, 2, 2 }, torch.histc(x, 4, 0, 4):totable())
      assert.same({ 2, 2, 2, 2 }, x:float():histc(4, 0, 4):totable())
   end)

   it('takes the range of the data by default, and 100 bins', function()
      local h = torch.histc(torch.range(0, 99))
      assert.same({ 100 }, h:size():totable())
      assert.equals(100, h:min() * 100)
      local x = torch.DoubleTensor { { 4, 10 }, { 5, 4.5 } }
      assert.same({ 3, 0, 1 }, torch.histc(x, 3):totable())
      -- one value only: the range grows by 1 to both sides
      assert.same({ 0, 3, 0 }, torch.histc(torch.DoubleTensor { 2, 2, 2 }, 3):totable())
      assert.equals(2, torch.histc(torch.DoubleTensor { 1e20, 1e20 }, 3):sum())
   end)

   it('bhistc counts rows over one range', function()
      local x = torch.DoubleTensor { { 1, 2, 2 }, { 3, 3, 1 } }
      assert.same({ { 1, 2, 0 }, { 1, 0, 2 } }, torch.bhistc(x, 3):totable())
      local r = torch.zeros(7)
      assert.equals(r, r:bhistc(x, 2, 1, 3))
      assert.same({ { 1, 2 }, { 1, 2 } }, r:totable())
   end)

   it('refuses no bins, a wrong range, NaN without a range, integers', function()
      local x = torch.DoubleTensor { 1, 2 }
      refused('histc: wanted at least 1 bin, got 0', function() x:histc(0) end)
      refused('histc: wanted finite min <= max', function() x:histc(3, 2, 1) end)
      refused('histc: the range of the elements is not finite', function()
         torch.histc(torch.DoubleTensor { 1, 0 / 0 })
      end)
      refused('histc: the range from %-1e%+308 to 1e%+308 is too wide', function()
         torch.histc(torch.DoubleTensor { -1e308, 1e308 })
      end)
      refused('histc: IntTensor is not supported', function() torch.IntTensor({ 1 }):histc() end)
      refused('bhistc: wanted a matrix', function() torch.bhistc(torch.ones(2, 2, 2)) end)
      refused('histc: invalid arguments', function() x:histc('a') end)
   end)
end)
