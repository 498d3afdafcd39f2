--- How much memory an algorithm may take, by the names of Torch7's binding.
--
-- That binding keeps a buffer for each stream, which its layers share, and these set its size. Here
-- a call takes its memory from the device's pool and gives it back; the size is the most that it
-- may take, one for all devices and streams: `cutorch.setOptions { workspace = bytes }`.
-- @module cudnn.workspace
local ffi = require 'ffi'
local cutorch = require 'cutorch'
local find = require 'cudnn.find'
local options = require 'cudnn.options'
local raise = require('torch.errors').raise

local M = {}

local nowhere = ffi.new 'void *'

local function checkNumber(name, what, value)
   if type(value) ~= 'number' or value ~= value then
      raise(('%s: %s is a number, got %s'):format(name, what, tostring(value)))
   elseif math.abs(value) >= options.UNLIMITED then
      raise(('%s: %s is a number below 2^52, got %g; without a limit: cudnn.fastest = true'):format(
         name, what, value))
   end
   return value
end

-- cudnn.find has functions of both kinds: reset() is called with a dot.
local function checkFinder(name, finder)
   if finder ~= find then
      raise(('cudnn.find:%s is called with a colon, got %s in place of cudnn.find'):format(name,
         tostring(finder)))
   end
end

-- A size that was computed, perhaps from others, is from 0 to all that can be said.
local function set(bytes, ifGreater)
   bytes = math.min(math.max(0, math.floor(bytes)), options.UNLIMITED - 1)
   if not ifGreater or bytes > options.workspace() then
      options.setWorkspace(bytes)
   end
end

function M.install(cudnn)
   --- What setSharedWorkspaceSize takes without a number: the size at first.
   cudnn.initialWorkspaceBytes = options.workspace()

   --- Bytes that cudnn.find.calculateMaxWorkspaceSize leaves free: 1 MiB.
   cudnn.reservedGPUBytes = 2 ^ 20

   --- How much of what is free cudnn.find.calculateMaxWorkspaceSize takes, in percent: 95.
   cudnn.maxWorkspaceGPUMemPercent = 95

   --- Set how many bytes an algorithm may take; kept for later while `cudnn.fastest` is set.
   -- @number[opt=cudnn.initialWorkspaceBytes] bytes
   -- @bool[opt=false] ifGreater not where it is as large or larger already
   -- @param[opt] device accepted; the number is one for all devices
   -- @param[opt] stream accepted, likewise
   -- @raise "cudnn.setSharedWorkspaceSize: bytes is a number, got 64M"
   -- @usage cudnn.setSharedWorkspaceSize(2 ^ 26)
   -- @example
   -- require 'cudnn'
   -- local before = cutorch.getOptions().workspace
   -- cudnn.setSharedWorkspaceSize(2 ^ 26)
   -- cutorch.getOptions().workspace --> 67108864
   -- cudnn.setSharedWorkspaceSize(before)
   function cudnn.setSharedWorkspaceSize(bytes, ifGreater, device, stream) -- luacheck: no unused
      set(checkNumber('cudnn.setSharedWorkspaceSize', 'bytes',
         bytes == nil and cudnn.initialWorkspaceBytes or bytes), ifGreater)
   end

   --- The same as cudnn.setSharedWorkspaceSize(bytes): there is no buffer to grow at the next use.
   function cudnn.setNextWorkspaceSize(bytes, device, stream) -- luacheck: no unused
      set(checkNumber('cudnn.setNextWorkspaceSize', 'bytes', bytes))
   end

   --- Let an algorithm take more, or with a number below 0 fewer bytes.
   function cudnn.adjustSharedWorkspaceSize(bytesDelta, device, stream) -- luacheck: no unused
      set(options.workspace()
         + checkNumber('cudnn.adjustSharedWorkspaceSize', 'bytesDelta', bytesDelta))
   end

   --- What stands for the binding's buffer: a null pointer, and the bytes an algorithm may take.
   -- @return null pointer
   -- @return number of bytes
   function cudnn.getSharedWorkspace(device, stream) -- luacheck: no unused
      return nowhere, options.workspace()
   end

   --- Bytes that an algorithm might take of what the current device has free, what the pool keeps
   -- included: of that less `reserve`, `fraction` percent.
   -- @function cudnn.find.calculateMaxWorkspaceSize
   -- @number[opt=cudnn.reservedGPUBytes] reserve
   -- @number[opt=cudnn.maxWorkspaceGPUMemPercent] fraction from 0 to 100
   -- @usage cudnn.find:calculateMaxWorkspaceSize(2 ^ 28, 50)
   function cudnn.find.calculateMaxWorkspaceSize(finder, reserve, fraction)
      local name = 'cudnn.find:calculateMaxWorkspaceSize'
      checkFinder('calculateMaxWorkspaceSize', finder)
      reserve = checkNumber(name, 'reserve', reserve or cudnn.reservedGPUBytes)
      fraction = checkNumber(name, 'fraction', fraction or cudnn.maxWorkspaceGPUMemPercent)
      local pool, free = cutorch.memoryStatistics(), cutorch.getMemoryUsage(cutorch.getDevice())
      free = free + pool.reserved.current - pool.allocated.current
      return math.max(0, math.floor((free - reserve) * fraction / 100))
   end

   --- Let an algorithm take so much.
   -- @function cudnn.find.setCalculatedWorkspaceSize
   -- @bool[opt=false] greater not where it is as large or larger already
   -- @usage cudnn.find:setCalculatedWorkspaceSize()
   function cudnn.find.setCalculatedWorkspaceSize(finder, greater)
      checkFinder('setCalculatedWorkspaceSize', finder)
      set(finder:calculateMaxWorkspaceSize(), greater)
   end
end

return M
