--- The CUDA library: declarations, loading, and what the package's files share.
--
-- With THC_SIM_DEVICES in the environment that is libTHC_sim, whose devices are simulated, else
-- libTHC. Loading it puts the CUDA backend into the core's table; it needs neither driver nor
-- device, the first use of a device does.
-- @module cutorch.ffi
local ffi = require 'ffi'
local errors = require 'torch.errors'
local arguments = require 'torch.arguments'
local class = require 'torch.class'

local numeric, cut = arguments.numeric, arguments.cut

local simulated = os.getenv 'THC_SIM_DEVICES'
local name = simulated and 'libTHC_sim' or 'libTHC'

-- Where a library with CUDA comes from; without it, the rock has its Lua files alone.
local WITH_CUDA = 'the Debian package luatorch-cuda has it, the rock cutorch when it is compiled '
   .. 'where nvcc is, a checkout by `cmake --workflow --preset cuda` (docs/install.md, GPU)'
local SIMULATED = 'a checkout by `cmake --workflow --preset sim`, the rock cutorch when it is '
   .. 'compiled with TH_CUDA=OFF TH_SIM=ON in the environment'

local function find()
   local found, tried = package.searchpath(name, package.cpath)
   if not found then
      local advice = not simulated and package.searchpath('libTHC_sim', package.cpath)
         and 'LuaTorch was built for simulated devices only: set THC_SIM_DEVICES=1 in the '
         .. 'environment to use them, or get it with CUDA: ' .. WITH_CUDA
         or simulated
         and ('THC_SIM_DEVICES asks for simulated devices. These have them: %s. Unset it to use '
         .. 'real ones'):format(SIMULATED)
         or ('LuaTorch was built without CUDA. To have it: %s. Simulated devices, to try scripts '
         .. 'with THC_SIM_DEVICES=1: %s. CUDA tensors in '):format(WITH_CUDA, SIMULATED)
         .. "files can be loaded without it: torch.load(name, mode, referenced, {device = 'cpu'})"
      errors.raise(('cutorch: %s.so is not on package.cpath. %s.%s'):format(name, advice, tried))
   end
   return found
end

local path = find()
ffi.cdef(require 'cutorch.gen.cdef')
errors.library('@' .. package.searchpath('cutorch.gen.cdef', package.path))

local M = { C = ffi.load(path) }

--- A number without its fraction; raise unless x is one. `what` names it: "the device".
function M.checkNumber(operation, what, x)
   if type(x) ~= 'number' then
      x = numeric(x)
         or errors.raise(('%s: %s must be a number, got %s'):format(operation, what, class.type(x)))
   end
   return cut(x)
end

--- Raise unless x is a table.
function M.checkTable(operation, what, x)
   if type(x) ~= 'table' then
      errors.raise(('%s: %s must be a table, got %s'):format(operation, what, class.type(x)))
   end
   return x
end

return M
