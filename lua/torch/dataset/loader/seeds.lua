--- The seed of each sample: random numbers that depend on which sample it is, not on who makes it
-- when. So order and augmentation are the same whatever the number of workers.
-- @module torch.dataset.loader.seeds
local bit = require 'bit'

local bxor, rshift, band = bit.bxor, bit.rshift, bit.band

local M = {}

-- One step of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
-- 2014): neighbouring numbers become unrelated ones.
local function mix(z)
   z = z + 0x9e3779b97f4a7c15ULL
   z = bxor(z, rshift(z, 30)) * 0xbf58476d1ce4e5b9ULL
   z = bxor(z, rshift(z, 27)) * 0x94d049bb133111ebULL
   return bxor(z, rshift(z, 31))
end

--- The seed of what has a place in an epoch.
-- @number seed the loader's
-- @number epoch
-- @number place index of a sample; less than 0 for a batch, 0 for the epoch's order
-- @return a whole number below 2^32
function M.of(seed, epoch, place)
   local z = mix(mix(mix(0ULL + seed) + epoch) + place)
   return tonumber(band(z, 0xffffffffULL))
end

return M
