--- The flags of the package cudnn, which are options of the CUDA library.
-- @module cudnn.options
local cutorch = require 'cutorch'
local th = require 'torch.ffi'

local M = {}

local UNLIMITED = 2 ^ 52
M.UNLIMITED = UNLIMITED
local workspace = cutorch.getOptions().workspace -- what fastest = false goes back to

local function isFastest()
   return cutorch.getOptions().workspace >= UNLIMITED
end

--- Bytes that an algorithm may take where `fastest` is not set.
function M.workspace()
   return isFastest() and workspace or cutorch.getOptions().workspace
end

--- The same, from now on; kept for later while `fastest` is set.
function M.setWorkspace(bytes)
   workspace = bytes
   if not isFastest() then
      cutorch.setOptions { workspace = bytes }
   end
end

local read = {
   benchmark = function()
      return cutorch.getOptions().benchmark
   end,
   fastest = isFastest,
   -- 90000 is cuDNN 9.0.0; nil where cuDNN cannot be used.
   version = function()
      return cutorch.cudnnVersion()
   end,
}

local write = {
   benchmark = function(on)
      cutorch.setOptions { benchmark = on }
   end,
   fastest = function(on)
      workspace = M.workspace()
      cutorch.setOptions { workspace = on and UNLIMITED or workspace }
   end,
}

M.metatable = {
   __index = function(_, key)
      local get = read[key]
      return get and get()
   end,
   __newindex = function(t, key, value)
      local set = write[key]
      if not set then
         rawset(t, key, value)
      elseif type(value) ~= 'boolean' then
         th.raise(('cudnn.%s is true or false, got %s'):format(key, tostring(value)))
      else
         set(value)
      end
   end,
}

return M
