--- cutorch: tensors on CUDA devices.
--
-- `require 'cutorch'` registers torch.CudaTensor (floats), torch.CudaDoubleTensor and the others,
-- gives every tensor `:cuda()`, `:cudaDouble()`, ..., and returns the table of devices, streams,
-- memory and generators, also the global `cutorch`. No device is touched before the first use.
-- @module cutorch
local torch = require 'torch'
require('torch.errors').library()

local cutorch, modules = {}, {}
for _, name in ipairs { 'device', 'stream', 'random', 'host', 'memory', 'options', 'kernel' } do
   modules[name] = require('cutorch.' .. name)
end
for _, module in pairs(modules) do
   for name, value in pairs(module) do
      cutorch[name] = value
   end
end
-- Building blocks of the files above, no part of the package.
cutorch.index, cutorch.install, cutorch.copyAsync, cutorch.eventOf = nil, nil, nil, nil

require('torch.class').setModule('cutorch', cutorch)
require('torch.class').defer('cutorch.Kernel', 'cutorch.Kernel')
modules.stream.install(cutorch)
require('cutorch.tensors').install(torch)

--- Half tensors exist, on every device; hasFastHalfInstructions tells what they gain.
cutorch.hasHalf = true
--- Linear algebra is not MAGMA's.
cutorch.magma = false
--- The newest version of CUDA that the driver serves, as getDriverVersion tells it: 13000 for 13.0.
cutorch.driverVersion = cutorch.getDriverVersion()

--- Whether tensor memory makes Lua's collector run (torch.setheaptracking).
function cutorch.setHeapTracking(on)
   torch.setheaptracking(on)
end

rawset(_G, 'cutorch', cutorch)
return cutorch
