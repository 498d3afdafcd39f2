local seeds = require 'torch.dataset.loader.seeds'

describe('seeds of samples', function()
   it('are the last step of MurmurHash3 in a row', function()
      -- mix(0) = 0, mix(1) = 0x514e28b7, by the definition in C.
      local ffi = require 'ffi'
      local function mix(h)
         local u = ffi.new('uint64_t', h)
         local function shifted(by)
            u = require('bit').bxor(u, require('bit').rshift(u, by))
         end
         shifted(16)
         u = (u * 0x85ebca6bULL) % 0x100000000ULL
         shifted(13)
         u = (u * 0xc2b2ae35ULL) % 0x100000000ULL
         shifted(16)
         return tonumber(u)
      end
      assert.equal(0x514e28b7, mix(1))
      local bit = require 'bit'
      for _, row in ipairs { { 0, 1, 1 }, { 1, 1, 1 }, { 2 ^ 31, 7, 1e6 }, { 2 ^ 40 + 5, 3, 2 },
         { 12345, 100, 2 ^ 31 - 1 } } do
         local seed, epoch, place = unpack(row)
         local function both(a, b)
            return bit.bxor(a, b) % 2 ^ 32
         end
         local h = mix(both(mix(seed % 2 ^ 32), math.floor(seed / 2 ^ 32)))
         h = mix((both(h, epoch) + 0x3c6ef372) % 2 ^ 32)
         assert.equal(mix(both(h, place)), seeds.of(seed, epoch, place))
      end
   end)

   it('differ from sample to sample, and from epoch to epoch', function()
      local known, bits = {}, 0
      for place = -1000, 50000 do
         local seed = seeds.of(3, 5, place)
         assert.is_nil(known[seed])
         assert.is_true(seed >= 0 and seed < 2 ^ 32 and seed % 1 == 0)
         known[seed] = true
         bits = bits + (seed >= 2 ^ 31 and 1 or 0)
      end
      assert.is_true(math.abs(bits / 51001 - 0.5) < 0.02)
      local same = 0
      for place = 1, 1000 do
         same = same + (known[seeds.of(3, 6, place)] and 1 or 0)
            + (known[seeds.of(4, 5, place)] and 1 or 0)
      end
      assert.is_true(same < 3) -- of 51001 in 2^32
   end)
end)
