--- Element types and the classes that stand for them.
--
-- A class of tensors is an element type on a kind of device: torch.FloatTensor, torch.CudaTensor.
-- Its number is device_type * 16 + dtype; `tensors[number]` and `storages[number]` are its tables.
-- @module torch.types
local th = require 'torch.ffi'

local C = th.C

local M = {
   names = {
      [0] = 'Byte', 'Char', 'Short', 'Int', 'Long', 'Half', 'BFloat16', 'Float', 'Double',
   },
   --- dtype -> field of TH_Storage through which Lua reads its elements
   fields = {
      [0] = 'byte_data', 'char_data', 'short_data', 'int_data', 'long_data', 'half_data',
      'half_data', 'float_data', 'double_data',
   },
   --- bytes per element
   sizes = { [0] = 1, 1, 2, 4, 8, 2, 2, 4, 8 },
   tensors = {}, -- class number -> method table
   storages = {},
   numbers = {}, -- 'torch.FloatTensor', 'torch.FloatStorage' -> class number
   default = C.TH_DOUBLE, -- class number of torch.Tensor
}

for number = 0, 31 do -- so that looking up an unused number is never a nil index
   M.tensors[number], M.storages[number] = {}, {}
end

function M.isFloating(dtype)
   return dtype >= C.TH_HALF
end

--- Element type and device type of a class number.
function M.split(number)
   return number % 16, math.floor(number / 16)
end

--- Device on which new tensors of a device type are made; CUDA's answer comes from cutorch.
M.currentDevice = { [0] = function()
   return 0
end }

return M
