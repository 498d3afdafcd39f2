--- The generators of devices: each device has its own, independent of the CPU's.
-- @module cutorch.random
local ffi = require 'ffi'
local th = require 'torch.ffi'
local class = require 'torch.class'
local Tensors = require 'torch.Tensor'
local cuda = require 'cutorch.ffi'
local device = require 'cutorch.device'

local C, check, checkNumber = cuda.C, th.check, cuda.checkNumber

local M = {}

local number = ffi.new 'uint64_t[1]'

local function seedOf(operation, seed)
   seed = checkNumber(operation, 'the seed', seed)
   return ffi.cast('uint64_t', ffi.cast('int64_t', seed))
end

--- Seed the current device's generator.
function M.manualSeed(seed)
   check(C.THC_manualSeed(device.index(), seedOf('manualSeed', seed)))
end

--- Seed every device's generator, all alike.
function M.manualSeedAll(seed)
   local value = seedOf('manualSeedAll', seed)
   for id = 1, device.getDeviceCount() do
      check(C.THC_manualSeed(id - 1, value))
   end
end

--- Seed the current device's generator from the operating system.
-- @return the seed
function M.seed()
   check(C.THC_seed(device.index(), number))
   return tonumber(number[0])
end

--- Seed every device's generator with one seed from the operating system.
-- @return the seed
function M.seedAll()
   check(C.THC_seed(0, number))
   for id = 2, device.getDeviceCount() do
      check(C.THC_manualSeed(id - 1, number[0]))
   end
   return tonumber(number[0])
end

--- The seed that the current device's generator last got.
function M.initialSeed()
   check(C.THC_initialSeed(device.index(), number))
   return tonumber(number[0])
end

--- The state of the current device's generator, a ByteTensor.
function M.getRNGState()
   local state = Tensors.empty(th.C.TH_BYTE):resize(C.THC_RANDOM_STATE_BYTES)
   check(C.THC_getRandomState(device.index(), state.store.byte_data, C.THC_RANDOM_STATE_BYTES))
   return state
end

--- Set the state.
-- @param state ByteTensor, as getRNGState returns it
function M.setRNGState(state)
   if not th.isTensor(state) or state.dtype ~= th.C.TH_BYTE or state.device_type ~= th.C.TH_CPU
      or not th.C.TH_isContiguous(state) then
      th.raise(('setRNGState: expected a ByteTensor as cutorch.getRNGState returns it, got %s')
         :format(class.type(state)))
   end
   check(C.THC_setRandomState(
      device.index(), state.store.byte_data + state.offset, th.C.TH_nElement(state)))
end

return M
