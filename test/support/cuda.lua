--- Specs of CUDA types: whether they can run here.
local M = {}

--- Simulated devices were asked for, or there is the library for real ones.
M.available = os.getenv 'THC_SIM_DEVICES' ~= nil
   or package.searchpath('libTHC', package.cpath) ~= nil

--- How many devices there are.
function M.devices()
   return M.available and require('cutorch').getDeviceCount() or 0
end

return M
