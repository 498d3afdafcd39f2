--- Options of the vendors' libraries, cuBLAS and cuDNN.
-- @module cutorch.options
local ffi = require 'ffi'
local th = require 'torch.ffi'
local cuda = require 'cutorch.ffi'

local C, check = cuda.C, th.check

local M = {}

local MOST = 2 ^ 52 -- bytes: no limit
local NAMES = { 'tf32', 'cudnn', 'benchmark', 'deterministic', 'workspace' }

local function read()
   local o = ffi.new 'THC_VendorOptions'
   C.THC_getVendorOptions(o)
   return o
end

--- The present options.
-- @return table: tf32 (float products with 10-bit mantissas: faster, less exact), cudnn (false: own
-- kernels instead), benchmark (measure cuDNN's algorithms for each new shape), deterministic (only
-- algorithms that give the same bits every time), workspace (bytes an algorithm may take)
function M.getOptions()
   local o, result = read(), {}
   for _, name in ipairs(NAMES) do
      result[name] = o[name]
   end
   result.workspace = tonumber(result.workspace)
   return result
end

--- Change options: cutorch.setOptions { deterministic = true }.
function M.setOptions(changes)
   cuda.checkTable('setOptions', 'the options', changes)
   local o = read()
   for name, value in pairs(changes) do
      local wanted = name == 'workspace' and 'number' or 'boolean'
      local known = false
      for _, own in ipairs(NAMES) do
         known = known or own == name
      end
      if not known then
         th.raise(('setOptions: unknown option %s; there are %s'):format(
            tostring(name), table.concat(NAMES, ', ')))
      elseif type(value) ~= wanted then
         th.raise(('setOptions: %s is a %s, got %s'):format(name, wanted, tostring(value)))
      elseif wanted == 'number' and (value > MOST or value ~= value) then
         th.raise(('setOptions: workspace is at most 2^52 bytes, got %g'):format(value))
      end
      o[name] = value
   end
   check(C.THC_setVendorOptions(o))
end

--- What became of the convolutions of this process that cuDNN was asked for.
-- cutorch.vendorCounts().ran grows with each that it ran.
-- @return table: ran, declined (left to kernels of our own), troubles (calls of cuDNN that were no
-- success), lastTrouble (the last one's status, a cudnnStatus_t; 0: none)
function M.vendorCounts()
   local c = ffi.new 'THC_VendorCounts'
   C.THC_vendorCounts(c)
   return {
      ran = tonumber(c.ran), declined = tonumber(c.declined), troubles = tonumber(c.troubles),
      lastTrouble = c.lastTrouble,
   }
end

--- cuDNN's version, 90000 for 9.0.0.
-- @return the number; or nil and the reason why it cannot be used
function M.cudnnVersion()
   local version = ffi.new 'int[1]'
   if C.THC_cudnnVersion(version) ~= 0 then
      return nil, ffi.string(th.C.TH_lastError())
   end
   return version[0]
end

return M
