--- The device that a module or criterion works on: that of its input.
--
-- Layers make buffers, and most of those are made where the current device is. So `forward` and
-- `backward` make the input's device the current one until they return, as Torch7's scripts had to
-- do themselves:
--
--    if types.several and elsewhere(input) then
--       return there(Module.forward, self, input)
--    end
--
-- `types.several` is set when a program makes another device the current one for the first time:
-- with one device there is nothing to ask.
-- @module nn.base.device

local th = require 'torch.ffi'
local types = require 'torch.types'

local type = type -- torch puts its own in the global's place

local is_tensor, CPU, CUDA = th.isTensor, th.C.TH_CPU, th.C.TH_CUDA

local M = {}

--- The device of a tensor, or of the first one in a table, where it is not the current one.
-- @return its number, from 1 on; nil for the current device, and for tensors of the CPU
function M.elsewhere(x)
   while type(x) == 'table' do
      x = x[1]
   end
   if is_tensor(x) and x.device_type ~= CPU and x.device ~= types.currentDevice[CUDA]() then
      return x.device + 1
   end
end

--- f(object, input, ...) with the input's device as the current one.
function M.there(f, object, input, ...)
   return require('cutorch').withDevice(M.elsewhere(input), f, object, input, ...)
end

return M
