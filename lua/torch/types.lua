--- Element types and the classes that stand for them.
--
-- A class of tensors is an element type on a kind of device: torch.FloatTensor, torch.CudaTensor.
-- Its number is device_type * 16 + dtype; `tensors[number]` and `storages[number]` are its tables.
-- @module torch.types
local ffi = require 'ffi'
local th = require 'torch.ffi'

local C = th.C

local M = {
   names = {}, -- dtype -> 'Byte', ...
   --- dtype -> field of TH_Storage through which Lua reads its elements
   fields = {},
   --- bytes per element
   sizes = {},
   tensors = {}, -- class number -> method table
   storages = {},
   numbers = {}, -- 'torch.FloatTensor', 'torch.FloatStorage' -> class number
   default = C.TH_DOUBLE, -- class number of torch.Tensor
}

local floating = {}
for i, row in ipairs(require('torch.gen.rows').dtypes) do
   local dtype = i - 1
   M.names[dtype], M.fields[dtype] = row.name, row.field
   M.sizes[dtype], floating[dtype] = ffi.sizeof(row.ctype), row.kind == 'Floating'
end

for number = 0, 31 do -- so that looking up an unused number is never a nil index
   M.tensors[number], M.storages[number] = {}, {}
end

function M.isFloating(dtype)
   return floating[dtype]
end

local waiting = {} -- for the first Variable

--- Call f once a program has Variables: `M.variables` is true then.
function M.withVariables(f)
   if M.variables then
      f()
   else
      waiting[#waiting + 1] = f
   end
end

--- There are Variables from now on.
function M.startVariables()
   M.variables = true
   for i = 1, #waiting do
      waiting[i]()
   end
   waiting = {}
end

--- Element type and device type of a class number.
function M.split(number)
   return number % 16, math.floor(number / 16)
end

--- Device on which new tensors of a device type are made; CUDA's answer comes from cutorch.
M.currentDevice = { [0] = function()
   return 0
end }

--- Whether a program has made another device the current one than the first; see nn.base.device.
M.several = false

--- Whether a program has made a Variable; see nn.base.variables.
M.variables = false

return M
