--- From CUDA C to a kernel of a device: compiled once, found again on disk.
-- @module cutorch.kernel.code
local ffi = require 'ffi'
local cache = require 'torch.native.cache'
local cuda = require 'cutorch.ffi'
local signature = require 'cutorch.kernel.signature'
local th = require 'torch.ffi'

local C, check = cuda.C, th.check

local M = {}

local kernel, text = ffi.new 'THC_Kernel *[1]', ffi.new 'const char *[1]'
local size = ffi.new 'int64_t[1]'

local function open(code, name, device)
   check(C.THC_Kernel_open(kernel, code, #code, name, device))
   return kernel[0]
end

-- What a compiler says, each line that names one of the source with that line.
local function shown(said, source)
   local lines, list = {}, {}
   for line in (source .. '\n'):gmatch '([^\n]*)\n' do
      lines[#lines + 1] = line
   end
   for line in said:gmatch '[^\n]+' do
      list[#list + 1] = line
      local number = tonumber(line:match '^kernel%.cu[(:](%d+)')
      local own = number and line:find 'error' and lines[number]
      if own and not said:find(own, 1, true) then -- NVRTC shows it itself
         list[#list + 1] = ('%6d | %s'):format(number, own)
      end
   end
   return table.concat(list, '\n')
end

local function refuse(said, source)
   th.raise('cutorch.kernel: the source does not compile:\n' .. shown(said, source))
end

-- By NVRTC.
local function compiled(source, name, parameters, device)
   check(C.THC_Kernel_target(device, text))
   local address = signature.address(name, parameters)
   local key = table.concat({ ffi.string(text[0]), address, source }, '\n')
   local code = cache.get(key)
   if not code then
      if C.THC_Kernel_compile(source, address, device, text, size) ~= 0 then
         refuse(ffi.string(C.TH_lastError()), source)
      end
      code = ffi.string(text[0], size[0])
      cache.put(key, code)
   end
   return open(code, name, device)
end

--- The kernel of a source on a device.
-- @param source string: CUDA C
-- @param name string
-- @param parameters what cutorch.kernel.signature read
-- @param device number, from 0
function M.open(source, name, parameters, device)
   if not C.THC_isSimulated() then
      return compiled(source, name, parameters, device)
   end
   local found, said = require('cutorch.kernel.simulated').open(source, name, parameters,
      function(path)
         return open(path, name, device)
      end)
   return found or refuse(said, source)
end

return M
