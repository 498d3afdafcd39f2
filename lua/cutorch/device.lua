--- Devices: which there are, the current one, their properties, and access between them.
--
-- Devices are numbered from 1. New tensors are made on the current one; operations run where their
-- tensors are.
-- @module cutorch.device
local ffi = require 'ffi'
local th = require 'torch.ffi'
local types = require 'torch.types'
local cuda = require 'cutorch.ffi'

local C, check, checkNumber = cuda.C, th.check, cuda.checkNumber
local CUDA = th.C.TH_CUDA

local M = {}

local int = ffi.new 'int[1]'
local flag = ffi.new 'bool[1]'
local longs = ffi.new 'int64_t[2]'

-- The library has a current device per thread, and starts with the first. Kept here too, because
-- each new tensor asks.
local current = 0
types.currentDevice[CUDA] = function()
   return current
end

--- Devices of this machine (of the environment's THC_SIM_DEVICES when simulated).
-- @raise where there is no driver or device
function M.getDeviceCount()
   check(C.THC_deviceCount(int))
   return int[0]
end

--- Number of the current device.
function M.getDevice()
   check(C.THC_currentDevice(int))
   current = int[0]
   return current + 1
end

--- Make a device the current one.
function M.setDevice(id)
   id = checkNumber('setDevice', 'the device', id)
   check(C.THC_setDevice(id - 1))
   if id - 1 ~= current then
      types.several = true
   end
   current = id - 1
end

-- The argument of functions about one device, as the library counts.
local function index(operation, id)
   if id == nil then
      return M.getDevice() - 1
   end
   return checkNumber(operation, 'the device', id) - 1
end
M.index = index

local function restore(before, ok, ...)
   M.setDevice(before)
   if not ok then
      error((...), 0)
   end
   return ...
end

--- f(...) with another current device, which is the former one again afterwards, error or not.
-- @return what f returns
function M.withDevice(id, f, ...)
   if type(f) ~= 'function' and type(f) ~= 'table' then -- constructors are tables
      th.raise(('withDevice: expected a device and a function, got %s and %s'):format(
         type(id), type(f)))
   end
   local before = M.getDevice()
   M.setDevice(id)
   return restore(before, pcall(f, ...))
end

local NUMBERS = {
   'major', 'minor', 'totalGlobalMem', 'sharedMemPerBlock', 'totalConstMem', 'memPitch',
   'textureAlignment', 'regsPerBlock', 'warpSize', 'maxThreadsPerBlock',
   'maxThreadsPerMultiProcessor', 'multiProcessorCount', 'clockRate', 'memoryClockRate',
   'memoryBusWidth', 'l2CacheSize', 'computeMode', 'integrated', 'canMapHostMemory',
   'concurrentKernels', 'kernelExecTimeoutEnabled', 'ECCEnabled', 'unifiedAddressing', 'pciBusID',
   'pciDeviceID', 'pciDomainID',
}

--- What CUDA tells about a device: name, major, minor, totalGlobalMem, multiProcessorCount, ...
-- @param[opt] id the current device by default
function M.getDeviceProperties(id)
   local device = index('getDeviceProperties', id)
   local p = ffi.new 'THC_Properties'
   check(C.THC_deviceProperties(p, device))
   local result = { name = ffi.string(p.name), maxThreadsDim = {}, maxGridSize = {} }
   for _, name in ipairs(NUMBERS) do
      result[name] = tonumber(p[name])
   end
   for i = 1, 3 do
      result.maxThreadsDim[i], result.maxGridSize[i] = p.maxThreadsDim[i - 1], p.maxGridSize[i - 1]
   end
   result.freeGlobalMem = M.getMemoryUsage(device + 1)
   return result
end

--- Bytes of a device's memory that are free, and all of them. What the cache holds is not free
-- here; cutorch.memoryStatistics tells about it.
function M.getMemoryUsage(id)
   check(C.THC_memoryUsage(index('getMemoryUsage', id), longs, longs + 1))
   return tonumber(longs[0]), tonumber(longs[1])
end

--- Wait for all work of the current device.
function M.synchronize()
   check(C.THC_synchronize(index()))
end

--- Wait for all work of all devices.
function M.synchronizeAll()
   check(C.THC_synchronize(-1))
end

--- Does nothing, as in Torch7.
function M.deviceReset() end

-- --- versions and abilities ---------------------------------------------------------------------

--- The newest version of CUDA that the driver serves, 13000 for 13.0; 0 where there is no driver.
-- cutorch.driverVersion is the same as a field.
function M.getDriverVersion()
   check(C.THC_driverVersion(int))
   return int[0]
end

--- The version of the CUDA runtime that the backend uses, 13000 for 13.0.
function M.getRuntimeVersion()
   check(C.THC_runtimeVersion(int))
   return int[0]
end

--- Whether the devices are simulated ones.
function M.isSimulated()
   return C.THC_isSimulated()
end

-- Compute capability as one number: 5.3 is 53.
local function capability()
   local p = M.getDeviceProperties()
   return p.major * 10 + p.minor
end

--- Whether the current device computes with halves.
function M.hasHalfInstructions()
   return capability() >= 53
end

--- Whether it does so faster than with floats.
function M.hasFastHalfInstructions()
   local c = capability()
   return c >= 53 and c ~= 61
end

-- --- access between devices ---------------------------------------------------------------------

--- Whether a device may read and write another's memory directly.
function M.getPeerToPeerAccess(id, peer)
   local name = 'getPeerToPeerAccess'
   check(C.THC_peerAccess(index(name, id), index(name, peer), flag))
   return flag[0]
end

--- Let a device read and write another's memory directly, or not.
-- @param id device
-- @param peer the other device
-- @param on boolean
function M.setPeerToPeerAccess(id, peer, on)
   if type(on) ~= 'boolean' then
      th.raise(('setPeerToPeerAccess: expected device, device, boolean; got a %s last'):format(
         type(on)))
   end
   check(C.THC_setPeerAccess(
      index('setPeerToPeerAccess', id), index('setPeerToPeerAccess', peer), on))
end

--- Whether every pair of devices that can has direct access.
function M.getKernelPeerToPeerAccess()
   for id = 1, M.getDeviceCount() do
      for peer = 1, M.getDeviceCount() do
         check(C.THC_canAccessPeer(id - 1, peer - 1, flag))
         if flag[0] and not M.getPeerToPeerAccess(id, peer) then
            return false
         end
      end
   end
   return true
end

--- Give every pair of devices that can direct access, or take it away. Copies between devices then
-- need no way round; the operands of one operation must still be on one device.
function M.setKernelPeerToPeerAccess(on)
   for id = 1, M.getDeviceCount() do
      for peer = 1, M.getDeviceCount() do
         check(C.THC_canAccessPeer(id - 1, peer - 1, flag))
         if flag[0] and id ~= peer then
            M.setPeerToPeerAccess(id, peer, on)
         end
      end
   end
end

return M
