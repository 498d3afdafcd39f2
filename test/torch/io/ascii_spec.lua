local torch = require 'torch'
local t7 = require 'test.support.t7'

local shown = t7.shown
local written = t7.written
local reading = t7.reading

describe('ASCII numbers', function()
   it('writes each type in its format, with a newline', function()
      local cases = {
         { 'Byte', 65, 'A;' }, { 'Char', 66, 'B;' }, { 'Short', -3, '-3;' },
         { 'Int', 2147483647, '2147483647;' }, { 'Long', 2 ^ 53, '9007199254740992;' },
         { 'Float', 0.1, '0.100000001;' }, { 'Double', 0.1, '0.10000000000000001;' },
         { 'Double', 1 / 0, 'inf;' }, { 'Double', -1 / 0, '-inf;' }, { 'Double', -0.0, '-0;' },
      }
      for _, case in ipairs(cases) do
         local name, value, expected = unpack(case)
         assert.equal(expected, shown(written(function(f)
            f['write' .. name](f, value)
         end)))
      end
      assert.matches('^%-?nan;$', shown(written(function(f)
         f:writeDouble(0 / 0)
      end)))
   end)

   it('puts one space between the numbers of a storage and one newline after', function()
      assert.equal('1_2_3;', shown(written(function(f)
         assert.equal(3, f:writeInt(torch.IntStorage { 1, 2, 3 }))
      end)))
      assert.equal('AB;', shown(written(function(f)
         f:writeByte(torch.ByteStorage { 65, 66 })
      end)))
      assert.equal('', written(function(f)
         assert.equal(0, f:writeInt(torch.IntStorage()))
         f:writeChar(torch.CharStorage())
      end))
   end)

   it('puts nothing in without auto-spacing', function()
      assert.equal('123', written(function(f)
         f:noAutoSpacing():writeInt(torch.IntStorage { 1, 2, 3 })
      end))
      assert.equal('12', written(function(f)
         f:noAutoSpacing()
         f:writeInt(1)
         f:writeInt(2)
      end))
   end)

   it('skips white space before numbers and takes one newline after each call', function()
      local f = reading ' \n\t 12 -7\n\nx'
      assert.equal(12, f:readInt())
      assert.equal(-7, f:readInt())
      assert.equal('', f:readString '*l')
      assert.equal('x', f:readString '*l')
   end)

   it('reads what scanf reads', function()
      local f = reading '+5 3.25e2 0x1p4 inf -nan infinity 1e400 .5 7.rest'
      assert.equal(5, f:readInt())
      for _, expected in ipairs { 325, 16, 1 / 0 } do
         assert.equal(expected, f:readDouble())
      end
      local nan = f:readDouble()
      assert.is_true(nan ~= nan)
      assert.equal(1 / 0, f:readDouble())
      assert.equal(1 / 0, f:readDouble())
      assert.equal(0.5, f:readDouble())
      assert.equal(7, f:readInt())
      assert.equal('.rest', f:readString '*a')
   end)

   it('keeps all bits of longs', function()
      local storage = reading('9223372036854775807 -9223372036854775807'):readLong(2)
      assert.equal('9223372036854775807LL', tostring(storage:data()[0]))
      assert.equal('-9223372036854775807LL', tostring(storage:data()[1]))
      assert.equal('9223372036854775807_-9223372036854775807;', shown(written(function(f)
         f:writeLong(storage)
      end)))
   end)

   it('reads back every double exactly', function()
      local values = torch.DoubleStorage { 0.1, -1 / 3, 5e-324, 2 ^ 1023, 123456789.125, -0.0 }
      local f = torch.MemoryFile()
      f:writeDouble(values)
      f:seek(1)
      assert.same(values:totable(), f:readDouble(#values):totable())
   end)
end)
