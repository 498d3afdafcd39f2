--- Random numbers of the parts of a batch.
--
-- Each device has a generator, so what a layer such as nn.Dropout draws depends on the device that
-- its part of the batch is on. In deterministic mode a part draws from a sequence of its own
-- instead, which follows from the first device's generator and the number of the part.
-- @module cunn.parallel.random
local cutorch = require 'cutorch'
local torch = require 'torch'

local M = {}

-- Seeds are below 2^53, and those of two calls at least this far apart.
local MOST_PARTS, RANGE = 4096, 2 ^ 40

--- A number from the current device's generator, without waiting for the device: the next call
-- gives another one.
function M.take()
   local state, hash = cutorch.getRNGState(), 0
   for k = 1, state:size(1) do
      hash = (hash * 31 + state[k]) % RANGE
   end
   torch.CudaTensor(1):uniform()
   return hash * MOST_PARTS
end

local function restore(state, ok, ...)
   cutorch.setRNGState(state)
   if not ok then
      error((...), 0)
   end
   return ...
end

--- f(...) with the current device's generator seeded; afterwards it goes on as if it had not been
-- used.
function M.with(seed, f, ...)
   local state = cutorch.getRNGState()
   cutorch.manualSeed(seed)
   return restore(state, pcall(f, ...))
end

return M
