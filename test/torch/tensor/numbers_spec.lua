-- NaNs whose bits mean something to LuaJIT: as nil, true, tables, and addresses of nothing.
local ffi = require 'ffi'
local torch = require 'torch'

local doubles = { 0xffffffff, 0xfffeffff, 0xfff9ffff, 0xfffb8000, 0xfffc0000, 0xfff80001,
   0xfff7ffff, 0xfff1ffff } -- the last two are signalling: arithmetic makes them quiet

local function hostile()
   local t = torch.DoubleTensor(#doubles)
   for i, high in ipairs(doubles) do
      local p = ffi.cast('uint32_t *', t:data())
      p[2 * i - 2], p[2 * i - 1] = 0x12345678, high
   end
   return t
end

local function isNan(x)
   return type(x) == 'number' and x ~= x
end

describe('a NaN with a payload is a number', function()
   it('read from tensors and storages', function()
      local t = hostile()
      for i = 1, #doubles do
         assert.is_true(isNan(t[i]) and isNan(t[i] + 0))
         assert.is_true(isNan(t:storage()[i]))
         assert.is_true(isNan(t:view(2, 4)[{ 1, 2 }]))
      end
      local floats = { 0xffffffff, 0xffc12345, 0xff812345, 0xffbfffff, 0xffac04d5, 0xff9fffff }
      local f = torch.FloatTensor(#floats)
      for i, bits in ipairs(floats) do
         ffi.cast('uint32_t *', f:data())[i - 1] = bits
      end
      for i = 1, #floats do
         assert.is_true(isNan(f[i]) and isNan(f:storage()[i]))
         assert.is_true(isNan(f:half()[i]) and isNan(f:bfloat16()[i]))
      end
   end)

   it('read from 16-bit elements', function()
      for name, list in pairs {
         HalfTensor = { 0xffff, 0xfe01, 0xfdff, 0xfc01 },
         BFloat16Tensor = { 0xffff, 0xffc1, 0xffbf, 0xff81 },
      } do
         local t = torch[name](#list)
         for i, bits in ipairs(list) do
            ffi.cast('uint16_t *', t:data())[i - 1] = bits
         end
         for i = 1, #list do
            assert.is_true(isNan(t[i] + 0) and isNan(t:storage()[i] + 0))
         end
         assert.is_true(isNan(t:sum() + 0))
      end
   end)

   it('of which infinity is none', function()
      local t = torch.DoubleTensor { -1 / 0, 1 / 0 }
      assert.same({ -1 / 0, 1 / 0 }, { t[1], t[2] })
      t = torch.FloatTensor { -1 / 0, 1 / 0 }
      assert.same({ -1 / 0, 1 / 0 }, { t[1], t[2] })
   end)

   it('passed on by operations', function()
      local t = hostile()
      for _, name in ipairs { 'sum', 'prod', 'mean', 'max', 'min', 'std', 'var', 'norm' } do
         assert.is_true(isNan(t[name](t)), name)
      end
      assert.is_true(isNan(t:dot(t)) and isNan(t:dist(t:clone():zero())))
   end)

   it('given to functions, printed, listed', function()
      local t = hostile()
      t:apply(function(x) assert.is_true(isNan(x)) end)
      t:map(t, function(x, y) assert.is_true(isNan(x) and isNan(y)) end)
      assert.matches('nan', tostring(t))
      for _, x in ipairs(t:totable()) do
         assert.is_true(isNan(x))
      end
   end)

   it('read from files', function()
      for _, mode in ipairs { 'binary', 'ascii' } do
         local t = torch.deserialize(torch.serialize(hostile(), mode), mode)
         assert.is_true(isNan(t[1]))
      end
      local number = '\1\0\0\0\120\86\52\18\255\255\255\255' -- a .t7 number: int 1, then the double
      assert.is_true(isNan(torch.deserialize(number)))
   end)
end)
