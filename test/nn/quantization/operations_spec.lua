-- The operations on bytes, against the same sums in doubles: whole numbers agree exactly.
local ffi = require 'ffi'
local torch = require 'torch'
local nn = require 'nn'
local ops = require 'nn.base.ops'
local raises = require 'test.support.raises'

local layer = nn.Identity()

local function pair(n) return ffi.new('int64_t[2]', n, n) end
local function bytes(...) return torch.ByteTensor(...):random(0, 255) end
local function chars(...) return torch.CharTensor(...):random(-127, 127) end

-- The nearest whole number, of two the even one.
local function rounded(x)
   local below = torch.floor(x)
   local rest = x - below
   local up = rest:gt(0.5):double() + rest:eq(0.5):double():cmul(torch.remainder(below, 2))
   return (below + up):clamp(0, 255)
end

-- Apart from where a double and a float round to different sides: none of the numbers here.
local function same(expected, got)
   assert.equal(0, (expected:double() - got:double()):abs():max())
end

describe('operations on bytes', function()
   before_each(function() torch.manualSeed(11) end)

   it('quantize rounds to the even of two neighbours and saturates', function()
      local x = torch.FloatTensor { -3, -0.5, 0.5, 1.5, 2.5, 100.25, 300, 0 / 0 }
      local q = ops.quantize(layer, torch.ByteTensor(), x, 1, 2)
      same(torch.Tensor { 0, 2, 2, 4, 4, 102, 255 }, q:narrow(1, 1, 7))
      for _, type in ipairs { 'torch.DoubleTensor', 'torch.HalfTensor' } do
         same(q:narrow(1, 1, 7),
            ops.quantize(layer, torch.ByteTensor(), x:narrow(1, 1, 7):type(type), 1, 2))
      end
   end)

   it('quantized_linear is the exact sum, scaled', function()
      for _, sizes in ipairs { { 5, 37, 11 }, { 1, 8, 1 }, { 16, 70, 130 }, { 64, 256, 33 } } do
         local N, C, K = unpack(sizes)
         local x, w = bytes(N, C), chars(K, C)
         local bias = torch.FloatTensor(K):random(-1000, 1000)
         local scale = torch.FloatTensor(K):fill(2^-9)
         local sums = x:double() * w:double():t() + bias:double():view(1, K):expand(N, K)
         same(sums * 2^-9, ops.quantized_linear(layer, torch.FloatTensor(), x, w, bias, scale))
         same(rounded(sums * 2^-9),
            ops.quantized_linear(layer, torch.ByteTensor(), x, w, bias, scale))
         same(sums[1] * 2^-9,
            ops.quantized_linear(layer, torch.FloatTensor(), x[1], w, bias, scale))
      end
   end)

   it('quantized_conv is a convolution of whole numbers', function()
      for _, c in ipairs { { 3, 8, 1, 0, 1 }, { 16, 16, 1, 1, 1 }, { 32, 64, 2, 1, 1 },
         { 1, 16, 1, 1, 1 }, { 64, 10, 1, 0, 1 }, { 16, 16, 1, 1, 16 }, { 8, 12, 2, 1, 4 } } do
         local C, K, step, pad, groups = unpack(c)
         for _, around in ipairs { 0, 7 } do
            for _, adds in ipairs { false, true } do
               local x, w = bytes(2, C, 9, 9), chars(K, C / groups, 3, 3)
               local bias = torch.FloatTensor(K):random(-1000, 1000)
               local scale = torch.FloatTensor(K):fill(2^-8)
               local wide = torch.DoubleTensor(2, C, 9 + 2 * pad, 9 + 2 * pad):fill(around)
               wide:narrow(3, pad + 1, 9):narrow(4, pad + 1, 9):copy(x)
               local sums = ops.conv(layer, torch.DoubleTensor(), wide, w:double(), bias:double(),
                  2, pair(step), pair(0), pair(1), groups):mul(2^-8)
               local addend = adds and bytes(sums:size()) or nil
               if adds then
                  sums:add(0.25, addend:double())
               end
               local function got(r)
                  return ops.quantized_conv(layer, r, x, w, bias, scale, addend, 0.25, around, 2,
                     pair(step), pair(pad), pair(1), groups)
               end
               same(sums, got(torch.FloatTensor()))
               same(rounded(sums), got(torch.ByteTensor()))
            end
         end
      end
   end)

   it('results may lie over operands and in views', function()
      local x, w = bytes(2, 4, 6, 6), chars(4, 4, 3, 3)
      local bias, scale = torch.FloatTensor(4):zero(), torch.FloatTensor(4):fill(2^-9)
      local function conv(r, of)
         return ops.quantized_conv(layer, r, of, w, bias, scale, nil, 0, 0, 2, pair(1), pair(1),
            pair(1), 1)
      end
      local expected = conv(torch.ByteTensor(), x):clone()
      same(expected, conv(x, x:clone()))
      local wide = bytes(2, 8, 6, 6)
      conv(wide:narrow(2, 3, 4), wide:narrow(2, 1, 4):copy(x):clone())
      same(conv(torch.ByteTensor(), x), conv(x, x))
   end)

   it('quantized_add and quantized_max_pool', function()
      local x, y = bytes(2, 5, 7, 6), bytes(2, 5, 7, 6)
      local sum = x:double() * 0.5 + y:double() * 0.25 - 3
      same(rounded(sum), ops.quantized_add(layer, torch.ByteTensor(), x, y, 0.5, 0.25, -3))
      for _, w in ipairs { { 2, 2, 0 }, { 3, 2, 1 }, { 3, 1, 1 } } do
         local k, step, pad = unpack(w)
         local pool = nn.SpatialMaxPooling(k, k, step, step, pad, pad):double()
         same(pool:forward(x:double()), ops.quantized_max_pool(layer, torch.ByteTensor(), x, 2,
            pair(k), pair(step), pair(pad), pair(1), false))
      end
   end)

   it('packed rows are scale (code - zero)', function()
      for _, c in ipairs { { 24, 4, 3 }, { 40, 4, 1 }, { 6, 8, 1 }, { 130, 4, 1 }, { 200, 4, 5 },
         { 256, 4, 8 }, { 256, 8, 4 }, { 512, 4, 4 }, { 300, 8, 1 }, { 384, 8, 3 } } do
         local columns, bits, groups = unpack(c)
         local codes = bytes(7, columns * bits / 8)
         local scale = torch.FloatTensor(7, groups):random(1, 8):mul(2^-4)
         local zero = torch.ByteTensor(7, groups):random(0, 2^bits - 1)
         local rows = torch.DoubleTensor(7, columns)
         for i = 1, 7 do
            for j = 1, columns do
               local code = bits == 8 and codes[i][j]
                  or math.floor(codes[i][math.ceil(j / 2)] / (j % 2 == 1 and 1 or 16)) % 16
               local g = math.floor((j - 1) / (columns / groups)) + 1
               rows[i][j] = scale[i][g] * (code - zero[i][g])
            end
         end
         same(rows, ops.unpack_rows(layer, torch.FloatTensor(), codes, scale, zero, bits))
         for _, N in ipairs { 1, 3, 5, 20 } do
            local x = torch.FloatTensor(N, columns):uniform(-1, 1)
            local y = ops.packed_linear(layer, torch.FloatTensor(), x, codes, scale, zero,
               torch.FloatTensor(7):fill(3), bits)
            local error = (x:double() * rows:t() + 3 - y:double()):abs():max()
            assert.is_true(error < 1e-6 * torch.abs(rows):max() * columns, error)
         end
      end
   end)

   it('refuses what does not fit, and nothing has changed', function()
      local x, w = bytes(2, 4), chars(3, 4)
      local three = torch.FloatTensor(3):fill(1)
      local r = torch.FloatTensor { 7 }
      raises('input is 2x5, expected N x 4 or 4', function()
         ops.quantized_linear(layer, r, bytes(2, 5), w, three, three)
      end)
      raises('bias is 2, expected 3 elements', function()
         ops.quantized_linear(layer, r, x, w, three:narrow(1, 1, 2), three)
      end)
      raises('wanted a ByteTensor', function()
         ops.quantized_linear(layer, r, x:float(), w, three, three)
      end)
      raises('expected a ByteTensor or a FloatTensor', function()
         ops.quantized_linear(layer, torch.LongTensor(), x, w, three, three)
      end)
      raises('scale is 0, expected a positive number', function()
         ops.quantize(layer, torch.ByteTensor(), three, 0, 0)
      end)
      raises('zero is 256, expected 0 to 255', function()
         ops.quantize(layer, torch.ByteTensor(), three, 1, 256)
      end)
      raises('bits is 3, expected 4 or 8', function()
         ops.unpack_rows(layer, r, x, torch.FloatTensor(2, 1), bytes(2, 1), 3)
      end)
      raises('both must be 2 x groups', function()
         ops.unpack_rows(layer, r, x, torch.FloatTensor(3, 1), bytes(3, 1), 8)
      end)
      same(torch.Tensor { 7 }, r)
   end)
end)
