local ffi = require 'ffi'
local types = require 'onnx.types'

describe('a constant of ONNX', function()
   -- Bytes, lowest first.
   local function raw(text)
      return { data = ffi.cast('const uint8_t *', text), size = #text, owner = text }
   end

   it('has the next larger type where ours have no unsigned numbers', function()
      for number, class in pairs { [4] = 'torch.IntTensor', [12] = 'torch.LongTensor' } do
         local bytes = number == 4 and '\1\0\255\255' or '\1\0\0\0\255\255\255\255'
         local t = types.decode { name = 'c', dims = { 2 }, data_type = number,
            raw_data = raw(bytes) }
         assert.equal(class, t:type())
         assert.same({ 1, number == 4 and 65535 or 2 ^ 32 - 1 }, t:totable())
      end
   end)

   it('is written and read as it is, but for classes that are read only', function()
      for _, number in ipairs { 1, 2, 3, 5, 6, 7, 10, 11, 16 } do
         local class = types.class(number)
         local x = require('torch')[class:match '[^.]+$']({ { 1, 2, 3 }, { 4, 5, 6 } })
         assert.equal(number, types.number(class))
         local t, sizes = types.decode(types.encode('c', x))
         assert.same({ class, { 2, 3 }, x:totable() }, { t:type(), sizes, t:totable() })
      end
   end)
end)
