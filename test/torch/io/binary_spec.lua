local torch = require 'torch'
local t7 = require 'test.support.t7'
local raises = require 'test.support.raises'

local contentOf = t7.contentOf
local hex = t7.hex
local written = t7.written

describe('binary numbers', function()
   local path

   before_each(function()
      path = os.tmpname()
   end)

   after_each(function()
      os.remove(path)
   end)

   it('writes native little-endian numbers', function()
      local cases = {
         { 'Byte', 255, 'ff' }, { 'Char', -1, 'ff' }, { 'Short', -2, 'feff' },
         { 'Int', 1, '01000000' }, { 'Long', -2, 'feffffffffffffff' },
         { 'Float', 1, '0000803f' }, { 'Double', 5, '0000000000001440' },
      }
      for _, case in ipairs(cases) do
         local name, value, expected = unpack(case)
         assert.equal(expected, hex(written(function(f)
            f:binary()['write' .. name](f, value)
         end)))
      end
   end)

   it('wraps integers that do not fit, as C does', function()
      assert.equal('2cff05000000', hex(written(function(f)
         f:binary()
         f:writeByte(300)
         f:writeByte(-1)
         f:writeInt(2 ^ 32 + 5)
      end)))
   end)

   for _, size in ipairs { 4, 8 } do
      it(('writes and reads longs of %d bytes'):format(size), function()
         local f = torch.MemoryFile():binary():longSize(size)
         f:writeLong(-5)
         f:writeLong(torch.LongStorage { 1, -2, 2147483647 })
         assert.equal(4 * size + 1, f:position())
         f:seek(1)
         assert.equal(-5, f:readLong())
         assert.same({ 1, -2, 2147483647 }, f:readLong(3):totable())
      end)
   end

   it('refuses a long that 4 bytes cannot hold', function()
      local f = torch.MemoryFile():binary():longSize(4)
      raises('a long does not fit into 4 bytes', f.writeLong, f, 2 ^ 31)
      assert.equal(1, f:position())
      f:longSize(0)
      f:writeLong(2 ^ 31)
      assert.equal(9, f:position())
   end)

   it('writes the byte order asked for', function()
      for _, order in ipairs { 'big', 'little', 'native' } do
         local f = torch.DiskFile(path, 'w'):binary()
         f[order .. 'EndianEncoding'](f)
         f:writeInt(1)
         f:writeShort(torch.ShortStorage { 2, -2 })
         f:writeDouble(5)
         f:longSize(4):writeLong(3)
         f:close()
         local big = '00000001' .. '0002fffe' .. '4014000000000000' .. '00000003'
         local little = '01000000' .. '0200feff' .. '0000000000001440' .. '03000000'
         local isBig = order == 'big' or order == 'native' and f:isBigEndianCPU()
         assert.equal(isBig and big or little, hex(contentOf(path)))

         f = torch.DiskFile(path, 'r'):binary()
         f[order .. 'EndianEncoding'](f)
         assert.equal(1, f:readInt())
         assert.same({ 2, -2 }, f:readShort(2):totable())
         assert.equal(5, f:readDouble())
         assert.equal(3, f:longSize(4):readLong())
      end
      assert.is_true(torch.DiskFile(path):isLittleEndianCPU() ~= torch.DiskFile(path)
         :isBigEndianCPU())
   end)
end)
