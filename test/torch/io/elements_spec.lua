local torch = require 'torch'
local elements = require 'torch.io.elements'
local types = require 'torch.types'

-- A storage of the type that has the bytes of a kind, made of bytes, lowest first.
local function stored(kind, bytes)
   local storages = require 'torch.Storage'
   return storages.viewAs(kind.stored, torch.ByteStorage(bytes), 0, #bytes / kind.bytes)
end

describe('elements of files', function()
   it('of each element type are written as one kind, and read as they lie', function()
      for dtype, name in pairs(types.names) do
         local kind = assert(elements.kinds[elements.written[dtype]], name)
         local storage = torch[name .. 'Storage'](2)
         assert.same({ dtype, dtype, types.sizes[dtype] }, { kind.stored, kind.dtype, kind.bytes })
         assert.equal(storage, elements.read(kind, storage))
      end
   end)

   it('without a sign keep their numbers in the next larger type', function()
      local u2, u4 = elements.kinds.u2, elements.kinds.u4
      local read = elements.read(u2, stored(u2, { 1, 0, 255, 127, 0, 128, 255, 255 }))
      assert.same({ 'torch.IntStorage', 1, 32767, 32768, 65535 },
         { torch.type(read), unpack(read:totable()) })
      read = elements.read(u4, stored(u4, { 0, 0, 0, 128, 255, 255, 255, 255 }))
      assert.same({ 'torch.LongStorage', 2 ^ 31, 2 ^ 32 - 1 },
         { torch.type(read), unpack(read:totable()) })
   end)

   it('of 64 bits without a sign are below 2^63', function()
      local u8 = elements.kinds.u8
      local small = stored(u8, { 255, 255, 255, 255, 255, 255, 31, 0 })
      assert.same({ 2 ^ 53 - 1 }, elements.read(u8, small):totable())
      local large = stored(u8, { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128 })
      assert.same({ n = 2, nil, 'element 2 is 2^63 or more, which no LongTensor holds' },
         { n = 2, elements.read(u8, large) })
   end)
end)
