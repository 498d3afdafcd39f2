--- The states of the generators that layers and batches draw from.
-- @module torch.generators

local torch = require 'torch'

local M = {}

-- cutorch, where the script uses it.
local function devices()
   local cutorch = package.loaded.cutorch
   return type(cutorch) == 'table' and cutorch.getDeviceCount and cutorch or nil
end

--- The state of the CPU's generator and of each device's.
-- @return table: cpu (ByteTensor), devices (list of ByteTensors, or nil)
function M.get()
   local cutorch = devices()
   local states = { cpu = torch.getRNGState() }
   if cutorch then
      states.devices = {}
      for id = 1, cutorch.getDeviceCount() do
         states.devices[id] = cutorch.withDevice(id, cutorch.getRNGState)
      end
   end
   return states
end

--- Put the generators into a state; of devices that are here.
function M.set(states)
   torch.setRNGState(states.cpu)
   local cutorch = states.devices and devices()
   for id = 1, cutorch and math.min(cutorch.getDeviceCount(), #states.devices) or 0 do
      cutorch.withDevice(id, cutorch.setRNGState, states.devices[id])
   end
end

--- Seed them all.
function M.seed(seed)
   torch.manualSeed(seed)
   local cutorch = devices()
   if cutorch then
      cutorch.manualSeedAll(seed)
   end
end

return M
