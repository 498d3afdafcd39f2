local torch = require 'torch'
local class = require 'torch.class'
local t7 = require 'test.support.t7'

local data = t7.data
local contentOf = t7.contentOf
local hex = t7.hex
local unhex = t7.unhex
local ascii = t7.ascii
local messageOf = t7.messageOf
local quietly = t7.quietly
local testClass = t7.testClass

describe('the .t7 format', function()
   local nan = 0 / 0

   it('has these bytes for plain values', function()
      local t = {}
      t.a = t
      for expected, object in pairs {
         ['1;5;'] = 5,
         ['1;0.10000000000000001;'] = 0.1,
         ['2;2;hi;'] = 'hi',
         ['2;0;'] = '',
         ['5;1;'] = true,
         ['5;0;'] = false,
         ['3;1;0;'] = {},
         ['3;1;2;1;1;1;1;2;1;x;1;2;'] = { 1, x = 2 },
         ['3;1;1;2;1;a;3;1;'] = t,
      } do
         assert.equal(expected, ascii(object))
      end
      assert.equal('0;', ascii(nil))
      assert.matches('^3;1;3;1;1;1;%-?nan;1;2;1;inf;1;3;1;%-inf;$', ascii { nan, 1 / 0, -1 / 0 })
      assert.equal('00000000', hex(torch.serialize(nil)))
      assert.equal('010000000000000000001440', hex(torch.serialize(5)))
      assert.equal('02000000020000006869', hex(torch.serialize 'hi'))
      assert.equal('0200000000000000', hex(torch.serialize ''))
      assert.equal('0500000001000000', hex(torch.serialize(true)))
      assert.equal('030000000100000000000000', hex(torch.serialize {}))
   end)

   it('has these bytes for tensors', function()
      assert.equal('4;1;3;V 1;18;torch.DoubleTensor;1;2;1;1;4;2;3;V 1;19;torch.DoubleStorage;2;'
         .. '1 2;', ascii(torch.DoubleTensor { 1, 2 }))
      assert.equal(unhex '04000000 01000000 03000000' .. 'V 1' .. unhex '12000000'
         .. 'torch.DoubleTensor' .. unhex [[01000000 0200000000000000 0100000000000000
            0100000000000000 04000000 02000000 03000000]] .. 'V 1' .. unhex '13000000'
         .. 'torch.DoubleStorage' .. unhex '0200000000000000 000000000000f03f 0000000000000040',
         torch.serialize(torch.DoubleTensor { 1, 2 }))
      assert.equal('4;1;3;V 1;18;torch.DoubleTensor;0;1;0;', ascii(torch.DoubleTensor()))
      assert.equal('4;1;3;V 1;17;torch.FloatTensor;2;2 2;1 2;1;4;2;3;V 1;18;torch.FloatStorage;4;'
         .. '1 2 3 0.100000001;', ascii(torch.FloatTensor { { 1, 2 }, { 3, 0.1 } }:t()))
      assert.equal('4;1;3;V 1;16;torch.ByteTensor;1;3;1;1;4;2;3;V 1;17;torch.ByteStorage;3;AB;;',
         ascii(torch.ByteTensor { 65, 66, 10 }))
   end)

   it('stores a shared storage, and a tensor that occurs twice, once', function()
      local u = torch.LongTensor { 1, 2, 3 }
      assert.equal('3;1;3;1;1;4;2;3;V 1;16;torch.LongTensor;1;3;1;1;4;3;3;V 1;17;torch.LongStorage;'
         .. '3;1 2 3;1;2;4;4;3;V 1;16;torch.LongTensor;1;1;1;2;4;3;1;3;4;2;',
         ascii { u, u:narrow(1, 2, 1), u })
   end)

   it('has these bytes for an instance', function()
      local object = class.factory 't7test.Point'()
      object.x = 3
      assert.equal('4;1;3;V 1;12;t7test.Point;3;2;1;2;1;x;1;3;', ascii(object))
   end)

   it('stores the version of a class', function()
      local Versioned = testClass 'Versioned'
      Versioned.__version = 4
      assert.matches('^4;1;3;V 4;16;t7test.Versioned;', ascii(class.factory 't7test.Versioned'()))
   end)
end)

describe('files made from the description of the format', function()
   local expected = {}

   function expected.scalars(t)
      assert.same({ 0.1, -3, 1e300, 'hi', '', true, false }, t)
   end
   function expected.cycle(t)
      assert.equal('root', t.name)
      assert.equal(t, t.self)
      assert.equal(t, t.child.parent)
   end
   function expected.transposed(t)
      assert.equal('torch.FloatTensor', torch.typename(t))
      assert.same({ 2, 2 }, t:size():totable())
      assert.same({ 1, 2 }, t:stride():totable())
      assert.equal(3, t[1][2])
      assert.near(0.1, t[2][2], 1e-8)
   end
   function expected.shared(t)
      assert.equal('torch.LongTensor', torch.typename(t[1]))
      assert.equal(torch.pointer(t[1]), torch.pointer(t[3]))
      t[2][1] = 77
      assert.equal(77, t[1][2])
      assert.equal(-3, t[1][3])
   end
   function expected.types(t)
      assert.same({ 65, 10, 255 }, t.Byte:totable())
      assert.same({ 65, 10, -128 }, t.Char:totable())
      assert.same({ 1, -2, 32767 }, t.Short:totable())
      assert.same({ 1, -2, 2147483647 }, t.Int:totable())
      assert.equal('9223372036854775807LL', tostring(t.Long:storage():data()[2]))
      assert.same({ 1, -2.5, 2 ^ -149 }, t.Float:totable())
      assert.same({ 1, -2.5, 5e-324 }, t.Double:totable())
      assert.same({ 1, -2.5, 65504 }, t.Half:storage():totable())
      for name, tensor in pairs(t) do
         assert.equal('torch.' .. name .. 'Tensor', torch.typename(tensor))
      end
   end
   function expected.empty(t)
      assert.equal('torch.DoubleTensor', torch.typename(t))
      assert.equal(0, t:dim())
   end
   function expected.instance(object)
      assert.equal('t7test.Point', torch.typename(object))
      assert.equal(3, object.x)
      assert.equal('up', object.y)
   end

   for name, check in pairs(expected) do
      it(name .. ' loads, binary and text', function()
         check(torch.load(data .. name .. '.t7'))
         check(torch.load(data .. name .. '.t7', 'b64'))
         check(torch.load(data .. name .. '.ascii.t7', 'ascii'))
      end)

      it(name .. ' is written back, byte for byte where no order of keys is open', function()
         local bytes = contentOf(data .. name .. '.t7')
         local again = torch.serialize(torch.load(data .. name .. '.t7'))
         assert.equal(#bytes, #again)
         if name ~= 'cycle' and name ~= 'types' and name ~= 'instance' then
            assert.equal(bytes, again)
            assert.equal(contentOf(data .. name .. '.ascii.t7'),
               torch.serialize(torch.load(data .. name .. '.t7'), 'ascii'))
         end
         check(torch.deserialize(again))
      end)
   end

   it('loads longs of 4 bytes', function()
      local t = torch.load(data .. 'shared.b32.t7', 'b32')
      assert.same({ 1, 2, -3 }, t[1]:totable())
      expected.shared(t)
      local message = messageOf(torch.load, data .. 'shared.b32.t7')
      assert.matches('torch.load: .*shared.b32.t7.*, byte %d+: ', message)
   end)

   it('loads the other byte order', function()
      local file = torch.DiskFile(data .. 'shared.big-endian.t7'):binary():bigEndianEncoding()
      expected.shared(file:readObject())
      file:close()
   end)

   it('loads instances from before there were versions', function()
      expected.instance(torch.load(data .. 'instance.unversioned.t7'))
   end)

   for kind = 6, 8 do
      it('loads and writes back functions of type ' .. kind .. ' that it cannot run', function()
         local path = data .. ('function.type%d.t7'):format(kind)
         local warning, f = quietly(torch.load, path)
         assert.matches('cannot be called', warning, 1, true)
         assert.equal('function', type(f))
         assert.matches('could not be loaded', messageOf(f), 1, true)
         assert.equal(8, torch.MemoryFile():isWritableObject(f))
         local bytes = torch.serialize(f)
         assert.matches('\27LuaQ no such code', bytes, 1, true)
         if kind == 8 then
            assert.equal(#contentOf(path), #bytes)
         end
         local _, again = quietly(torch.deserialize, bytes)
         assert.equal(#bytes, #torch.serialize(again)) -- but name and value may change places
      end)
   end
end)
