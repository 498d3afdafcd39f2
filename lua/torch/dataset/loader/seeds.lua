--- The seed of each sample: random numbers that depend on which sample it is, not on who makes it
-- when. So order and augmentation are the same whatever the number of workers.
-- @module torch.dataset.loader.seeds
local bit = require 'bit'

local bxor, rshift, lshift, band, tobit = bit.bxor, bit.rshift, bit.lshift, bit.band, bit.tobit

local M = {}

-- The low 32 bits of a product: doubles hold the parts exactly.
local function multiply(a, b)
   return tobit(band(a, 0xffff) * b + lshift(tobit(rshift(a, 16) * b), 16))
end

-- The last step of MurmurHash3 (Appleby, 2011, public domain): neighbouring numbers become
-- unrelated ones, and different numbers of 32 bits stay different.
local function mix(h)
   h = multiply(bxor(h, rshift(h, 16)), 0x85ebca6b)
   h = multiply(bxor(h, rshift(h, 13)), 0xc2b2ae35)
   return bxor(h, rshift(h, 16))
end

--- The seed of what has a place in an epoch; different places of an epoch have different seeds.
-- @number seed the loader's
-- @number epoch
-- @number place index of a sample; less than 0 for a batch, 0 for the epoch's order
-- @return a whole number from 0 to 2^32 - 1
function M.of(seed, epoch, place)
   local h = mix(bxor(mix(tobit(seed % 2 ^ 32)), tobit(math.floor(seed / 2 ^ 32))))
   h = mix(bxor(h, tobit(epoch)) + 0x3c6ef372)
   return mix(bxor(h, tobit(place))) % 2 ^ 32
end

return M
